package org.example.ledger.export;

import java.util.stream.Stream;

import org.example.ledger.model.Transaction;

/** Writes transactions in a format that other programs read. */
public interface Exporter {
    String export(Stream<Transaction> transactions);
}

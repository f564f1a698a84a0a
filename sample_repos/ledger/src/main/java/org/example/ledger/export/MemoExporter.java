package org.example.ledger.export;

import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.example.ledger.model.Transaction;

/** Only the memos, one a line. Not in the table of formats: ask for it by its class name. */
public class MemoExporter implements Exporter {
    public MemoExporter() {}

    @Override
    public String export(Stream<Transaction> transactions) {
        return transactions.map(Transaction::memo).collect(Collectors.joining("\n"));
    }
}

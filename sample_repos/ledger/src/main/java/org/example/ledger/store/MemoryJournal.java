package org.example.ledger.store;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import org.example.ledger.LedgerException;
import org.example.ledger.model.Transaction;

/** A journal that is gone when the program ends. */
public class MemoryJournal implements Journal {
    private final Map<String, Transaction> transactions = new LinkedHashMap<>();

    @Override
    public void append(Transaction transaction) {
        if (transactions.putIfAbsent(transaction.id(), transaction) != null) {
            throw new LedgerException("posted already: " + transaction.id());
        }
    }

    @Override
    public Stream<Transaction> stream() {
        return transactions.values().stream();
    }

    /** Faster than looking through all of them. */
    @Override
    public Optional<Transaction> find(String id) {
        return Optional.ofNullable(transactions.get(id));
    }

    @Override
    public long size() {
        return transactions.size();
    }
}

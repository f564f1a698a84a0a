package org.example.ledger.store;

import java.util.function.Consumer;
import java.util.stream.Stream;

import org.example.ledger.model.Transaction;

/** Writes a line about each transaction, then lets another journal do the work. */
public class AuditedJournal implements Journal {
    private final Journal inner;
    private final Consumer<String> log;

    public AuditedJournal(Journal inner, Consumer<String> log) {
        this.inner = inner;
        this.log = log;
    }

    @Override
    public void append(Transaction transaction) {
        log.accept(describe(transaction));
        inner.append(transaction);
    }

    @Override
    public Stream<Transaction> stream() {
        return inner.stream();
    }

    private static String describe(Transaction transaction) {
        return transaction.date() + " " + transaction.memo() + ": " + transaction.total();
    }
}

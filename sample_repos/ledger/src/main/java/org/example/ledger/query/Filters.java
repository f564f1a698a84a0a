package org.example.ledger.query;

import java.time.LocalDate;
import java.util.function.Predicate;

import org.example.ledger.model.Transaction;

/** Predicates over transactions, for static import. */
public final class Filters {
    private Filters() {}

    public static Predicate<Transaction> touching(String account) {
        return transaction -> transaction.touches(account);
    }

    public static Predicate<Transaction> between(LocalDate first, LocalDate last) {
        return transaction -> !transaction.date().isBefore(first) && !transaction.date().isAfter(last);
    }
}

package org.example.ledger.rules;

import java.time.Clock;
import java.time.LocalDate;

import org.example.ledger.Balances;
import org.example.ledger.LedgerException;
import org.example.ledger.model.Transaction;

/** Rules that need no class of their own; use them as method references. */
public final class Rules {
    private Rules() {}

    /** Every transaction says what it is for. */
    public static void needsMemo(Transaction transaction, Balances balances) {
        if (transaction.memo().isBlank()) {
            throw new LedgerException("say what it is for");
        }
    }

    /** Nothing is posted to a day that has not come. */
    public static Rule notInFuture(Clock clock) {
        return (transaction, balances) -> {
            if (transaction.date().isAfter(LocalDate.now(clock))) {
                throw new LedgerException(transaction.date() + " lies in the future");
            }
        };
    }

    /** Once closed, a period stays closed. Waits for {@code Ledger.closePeriod}, which nobody has written yet. */
    static Rule notBefore(LocalDate first) {
        return (transaction, balances) -> {
            if (transaction.date().isBefore(first)) {
                throw new LedgerException("the books before " + first + " are closed");
            }
        };
    }
}

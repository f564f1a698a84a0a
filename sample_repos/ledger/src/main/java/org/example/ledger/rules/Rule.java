package org.example.ledger.rules;

import java.util.List;

import org.example.ledger.Balances;
import org.example.ledger.LedgerException;
import org.example.ledger.model.Transaction;

/** Decides whether a transaction may be posted. */
@FunctionalInterface
public interface Rule {
    /** Allows everything. */
    Rule NONE = (transaction, balances) -> {};

    /**
     * Looks at a transaction that is about to be posted.
     *
     * @throws LedgerException to refuse it
     */
    void check(Transaction transaction, Balances balances);

    /** This rule, and then another. */
    default Rule and(Rule other) {
        return (transaction, balances) -> {
            check(transaction, balances);
            other.check(transaction, balances);
        };
    }

    static Rule all(List<Rule> rules) {
        return rules.stream().reduce(NONE, Rule::and);
    }
}

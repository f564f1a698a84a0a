package org.example.ledger.rules;

import org.example.ledger.Balances;
import org.example.ledger.LedgerException;
import org.example.ledger.model.Money;
import org.example.ledger.model.Transaction;

/** Refuses transactions above an amount. */
public class MaxAmount implements Rule {
    private final Money limit;

    public MaxAmount(Money limit) {
        this.limit = limit;
    }

    @Override
    public void check(Transaction transaction, Balances balances) {
        if (transaction.total().compareTo(limit) > 0) {
            throw new LedgerException(transaction.total() + " is more than " + limit);
        }
    }
}

package org.example.ledger;

import org.example.ledger.model.Money;

/** Debits and credits differ. */
public class UnbalancedException extends LedgerException {
    private static final long serialVersionUID = 1L;

    private final transient Money difference;

    public UnbalancedException(String memo, Money difference) {
        super("debits and credits of \"" + memo + "\" differ by " + difference);
        this.difference = difference;
    }

    public Money difference() {
        return difference;
    }
}

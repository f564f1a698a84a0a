package org.example.ledger.model;

import org.example.ledger.LedgerException;

/**
 * An account of the ledger. It knows its rules but not its balance: that is the sum of its entries.
 *
 * <p>Codes form a tree by their prefixes: 110 lies below 11, which lies below 1.
 */
public abstract class Account {
    private final String code;
    private final String name;

    protected Account(String code, String name) {
        if (code.isBlank()) {
            throw new LedgerException("an account needs a code");
        }
        this.code = code;
        this.name = name;
    }

    public final String code() {
        return code;
    }

    public final String name() {
        return name;
    }

    public abstract AccountType type();

    /** The change that an entry makes to the balance of this account. */
    public final Money effectOf(Entry entry) {
        return type().normalSide().count(entry.side(), entry.amount());
    }

    /** Throws when the account may not have this balance. */
    public final void check(Money balance) {
        if (!allows(balance)) {
            throw new LedgerException(describe() + " can't have a balance of " + balance);
        }
    }

    /** Whether a balance is allowed; subclasses narrow it. */
    protected boolean allows(Money balance) {
        return true;
    }

    protected String describe() {
        return code + " " + name;
    }

    @Override
    public String toString() {
        return describe();
    }
}

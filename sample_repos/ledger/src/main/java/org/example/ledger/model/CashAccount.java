package org.example.ledger.model;

/** A till: there can't be less than nothing in it. */
public class CashAccount extends Account {
    public CashAccount(String code, String name) {
        super(code, name);
    }

    @Override
    public AccountType type() {
        return AccountType.ASSET;
    }

    @Override
    protected boolean allows(Money balance) {
        return !balance.isNegative();
    }
}

package org.example.ledger.model;

/** What we owe someone, up to a limit. */
public class CreditAccount extends PlainAccount {
    private final Money limit;

    public CreditAccount(String code, String name, Money limit) {
        super(code, name, AccountType.LIABILITY);
        this.limit = limit;
    }

    @Override
    protected boolean allows(Money balance) {
        return super.allows(balance) && balance.compareTo(limit) <= 0;
    }

    @Override
    protected String describe() {
        return super.describe() + " (limit " + limit + ")";
    }
}

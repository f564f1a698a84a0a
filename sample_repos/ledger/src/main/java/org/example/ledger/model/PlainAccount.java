package org.example.ledger.model;

/** An account without rules of its own. */
public class PlainAccount extends Account {
    private final AccountType type;

    public PlainAccount(String code, String name, AccountType type) {
        super(code, name);
        this.type = type;
    }

    @Override
    public AccountType type() {
        return type;
    }
}

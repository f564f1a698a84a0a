package org.example.ledger.model;

import java.util.Locale;

/** The five kinds of account. The normal side is the one on which the account grows. */
public enum AccountType {
    ASSET(Side.DEBIT),
    EXPENSE(Side.DEBIT),
    LIABILITY(Side.CREDIT),
    EQUITY(Side.CREDIT),
    INCOME(Side.CREDIT);

    private final Side normalSide;

    AccountType(Side normalSide) {
        this.normalSide = normalSide;
    }

    public Side normalSide() {
        return normalSide;
    }

    public static AccountType parse(String text) {
        return valueOf(text.trim().toUpperCase(Locale.ROOT));
    }
}

package org.example.ledger.model;

/** One line of a transaction. Amounts are never negative: the side says which way they go. */
public record Entry(String account, Side side, Money amount) {
    public Entry reversed() {
        return new Entry(account, side.opposite(), amount);
    }
}

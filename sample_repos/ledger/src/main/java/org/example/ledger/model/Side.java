package org.example.ledger.model;

/** The two sides of an account. */
public enum Side {
    DEBIT {
        @Override
        public Side opposite() {
            return CREDIT;
        }
    },
    CREDIT {
        @Override
        public Side opposite() {
            return DEBIT;
        }
    };

    public abstract Side opposite();

    /** The amount as it counts for an account whose normal side is this one. */
    public Money count(Side side, Money amount) {
        return side == this ? amount : amount.negate();
    }
}

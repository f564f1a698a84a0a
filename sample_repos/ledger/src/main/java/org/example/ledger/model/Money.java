package org.example.ledger.model;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Objects;

/** An amount in cents of one currency. Adding different currencies is an error. */
public record Money(long cents, String currency) implements Comparable<Money> {
    public static final Money ZERO = of(0);

    public Money {
        Objects.requireNonNull(currency, "currency");
    }

    public static Money of(long cents) {
        return of(cents, "EUR");
    }

    public static Money of(long cents, String currency) {
        return new Money(cents, currency);
    }

    /** Reads {@code "12.50"} or {@code "12.50 USD"}. */
    public static Money of(String text) {
        String[] parts = text.trim().split(" ");
        long cents = new BigDecimal(parts[0]).movePointRight(2).setScale(0, RoundingMode.HALF_UP).longValueExact();
        return parts.length > 1 ? of(cents, parts[1]) : of(cents);
    }

    public Money plus(Money other) {
        return of(cents + sameCurrency(other).cents, currency);
    }

    public Money minus(Money other) {
        return plus(other.negate());
    }

    public Money negate() {
        return of(-cents, currency);
    }

    public boolean isNegative() {
        return cents < 0;
    }

    public boolean isZero() {
        return cents == 0;
    }

    @Override
    public int compareTo(Money other) {
        return Long.compare(cents, sameCurrency(other).cents);
    }

    @Override
    public String toString() {
        return BigDecimal.valueOf(cents, 2).toPlainString() + " " + currency;
    }

    private Money sameCurrency(Money other) {
        if (!currency.equals(other.currency)) {
            throw new IllegalArgumentException("cannot mix " + currency + " and " + other.currency);
        }
        return other;
    }
}

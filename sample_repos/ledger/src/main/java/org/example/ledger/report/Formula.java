package org.example.ledger.report;

import java.util.function.Function;

import org.example.ledger.LedgerException;
import org.example.ledger.model.Money;

/**
 * Sums over accounts: {@code 100 + 110 - (300 - 310)}.
 *
 * <p>Numbers are account codes. The value of a code is asked for while the formula is read.
 */
public final class Formula {
    private final String text;
    private final Function<String, Money> valueOf;
    private int position;

    private Formula(String text, Function<String, Money> valueOf) {
        this.text = text.replaceAll("\\s+", "");
        this.valueOf = valueOf;
    }

    public static Money evaluate(String text, Function<String, Money> valueOf) {
        Formula formula = new Formula(text, valueOf);
        Money result = formula.sum();
        if (formula.position < formula.text.length()) {
            throw formula.error();
        }
        return result;
    }

    private Money sum() {
        Money result = term();
        while (true) {
            if (accept('+')) {
                result = result.plus(term());
            } else if (accept('-')) {
                result = result.minus(term());
            } else {
                return result;
            }
        }
    }

    private Money term() {
        if (accept('-')) {
            return term().negate();
        }
        if (accept('(')) {
            Money inner = sum();
            if (!accept(')')) {
                throw error();
            }
            return inner;
        }
        return valueOf.apply(code());
    }

    private String code() {
        int start = position;
        while (position < text.length() && Character.isLetterOrDigit(text.charAt(position))) {
            position++;
        }
        if (start == position) {
            throw error();
        }
        return text.substring(start, position);
    }

    private boolean accept(char wanted) {
        if (position >= text.length() || text.charAt(position) != wanted) {
            return false;
        }
        position++;
        return true;
    }

    private LedgerException error() {
        return new LedgerException("formula " + text + ": unexpected end or character at " + (position + 1));
    }
}

package org.example.ledger.report;

import static org.example.ledger.text.Padding.left;
import static org.example.ledger.text.Padding.right;

import java.util.List;

import org.example.ledger.Ledger;
import org.example.ledger.model.Account;
import org.example.ledger.model.Money;
import org.example.ledger.model.Side;
import org.example.ledger.query.Query;

/** Every account that isn't zero, debits and credits in two columns that must add up to the same. */
public class TrialBalance extends Report<TrialBalance.Row> {
    record Row(Account account, Side side, Money amount) {
        Money on(Side wanted) {
            return side == wanted ? amount : Money.ZERO;
        }
    }

    private final Ledger ledger;

    public TrialBalance(Ledger ledger) {
        this.ledger = ledger;
    }

    @Override
    protected String heading() {
        return columns("Account", "Debit", "Credit");
    }

    @Override
    protected List<Row> rows() {
        return Query.of(ledger.accounts().stream()).map(this::row).where(row -> !row.amount().isZero()).list();
    }

    @Override
    protected String line(Row row) {
        return columns(row.account().toString(), cell(row.on(Side.DEBIT)), cell(row.on(Side.CREDIT)));
    }

    @Override
    protected String footer(List<Row> rows) {
        return columns("", total(rows, Side.DEBIT).toString(), total(rows, Side.CREDIT).toString());
    }

    static Money total(List<Row> rows, Side side) {
        return rows.stream().map(row -> row.on(side)).reduce(Money.ZERO, Money::plus);
    }

    private Row row(Account account) {
        Money balance = ledger.balance(account.code());
        Side normal = account.type().normalSide();
        if (balance.isNegative()) {
            return new Row(account, normal.opposite(), balance.negate());
        }
        return new Row(account, normal, balance);
    }

    private static String cell(Money amount) {
        return amount.isZero() ? "" : amount.toString();
    }

    private static String columns(String name, String debit, String credit) {
        return (right(name, NAME) + left(debit, AMOUNT) + left(credit, AMOUNT)).stripTrailing();
    }
}

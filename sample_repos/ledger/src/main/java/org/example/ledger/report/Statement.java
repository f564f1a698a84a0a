package org.example.ledger.report;

import static org.example.ledger.query.Filters.between;
import static org.example.ledger.query.Filters.touching;
import static org.example.ledger.text.Padding.left;
import static org.example.ledger.text.Padding.right;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

import org.example.ledger.Ledger;
import org.example.ledger.model.Account;
import org.example.ledger.model.Entry;
import org.example.ledger.model.Money;
import org.example.ledger.model.Transaction;
import org.example.ledger.query.Query;

/** What happened to one account, with the balance after each transaction. */
public class Statement extends Report<Statement.Row> {
    record Row(Transaction transaction, Money change, Money balance) {}

    private final Ledger ledger;
    private final Account account;
    private final LocalDate first;
    private final LocalDate last;

    public Statement(Ledger ledger, String code, LocalDate first, LocalDate last) {
        this.ledger = ledger;
        this.account = ledger.account(code);
        this.first = first;
        this.last = last;
    }

    public Statement(Ledger ledger, String code) {
        this(ledger, code, LocalDate.MIN, LocalDate.MAX);
    }

    @Override
    protected String heading() {
        return "Statement of " + account;
    }

    @Override
    protected List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        Money balance = Money.ZERO;
        for (Transaction transaction : transactions()) {
            Money change = changeBy(transaction);
            balance = balance.plus(change);
            rows.add(new Row(transaction, change, balance));
        }
        return rows;
    }

    @Override
    protected String line(Row row) {
        String memo = right(row.transaction().memo(), NAME);
        String amounts = left(row.change().toString(), AMOUNT) + left(row.balance().toString(), AMOUNT);
        return row.transaction().date() + " " + memo + amounts;
    }

    private List<Transaction> transactions() {
        return Query.of(ledger.journal().stream())
            .where(touching(account.code()))
            .where(between(first, last))
            .orderBy(Transaction::date)
            .list();
    }

    private Money changeBy(Transaction transaction) {
        Money change = Money.ZERO;
        for (Entry entry : transaction.entries()) {
            if (entry.account().equals(account.code())) {
                change = change.plus(account.effectOf(entry));
            }
        }
        return change;
    }
}

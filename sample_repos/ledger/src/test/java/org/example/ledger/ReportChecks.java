package org.example.ledger;

import static org.example.ledger.check.Expect.equal;
import static org.example.ledger.check.Expect.thrown;

import java.time.LocalDate;

import org.example.ledger.check.Check;
import org.example.ledger.model.Money;
import org.example.ledger.report.AccountTree;
import org.example.ledger.report.Formula;
import org.example.ledger.report.Statement;
import org.example.ledger.report.TrialBalance;
import org.example.ledger.text.Padding;

public class ReportChecks {
    private final Ledger ledger = Books.teaShop();

    public ReportChecks() {
        ledger.post("tea", t -> t.debit("100", "17.80").credit("400", "17.80"));
        ledger.transfer("300", "100", "20");
    }

    @Check
    public void aTrialBalanceAddsUp() {
        String[] lines = new TrialBalance(ledger).render().split("\n");
        equal(lines.length, 5);
        equal(lines[4].trim().split(" +")[0], lines[4].trim().split(" +")[2]);
    }

    @Check
    public void aStatementHasRunningBalances() {
        String text = new Statement(ledger, "100").render();
        equal(text.contains("17.80 EUR       37.80 EUR") || text.contains("20.00 EUR       37.80 EUR"), true);
        LocalDate february = LocalDate.of(2024, 2, 1);
        equal(new Statement(ledger, "100", february, february).render(), "Statement of 100 Till\n");
    }

    @Check
    public void aTreeAddsUpWhatLiesBelow() {
        String first = new AccountTree(ledger).render().split("\n")[0];
        equal(first, "1 Assets: 37.80 EUR");
    }

    @Check
    public void formulasAreEvaluated() {
        equal(Formula.evaluate("100 - (300 - -400)", ledger::balance), Money.ZERO);
        thrown(LedgerException.class, () -> Formula.evaluate("100 +", ledger::balance));
        thrown(LedgerException.class, () -> Formula.evaluate("(100", ledger::balance));
        thrown(LedgerException.class, () -> Formula.evaluate("100 100)", ledger::balance));
    }

    @Check
    public void textIsPadded() {
        equal(Padding.left("7", 3, '0'), "007");
        equal(Padding.right("7", 3), "7  ");
    }
}

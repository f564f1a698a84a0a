package org.example.ledger;

import static org.example.ledger.check.Expect.equal;
import static org.example.ledger.check.Expect.thrown;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

import org.example.ledger.check.Check;
import org.example.ledger.model.Money;
import org.example.ledger.model.Transaction;

public class LedgerChecks {
    private final Ledger ledger = Books.teaShop();

    @Check
    public void balancesAreCountedOnTheNormalSide() {
        ledger.post("tea", t -> t.debit("100", "17.80").credit("400", "17.80"));
        equal(ledger.balance("100"), Money.of(1780));
        equal(ledger.balance("400"), Money.of("17.80"));
    }

    @Check
    public void unbalancedTransactionsAreRefused() {
        var error = thrown(
            UnbalancedException.class, () -> ledger.post("tea", t -> t.debit("100", "18").credit("400", "17.80")));
        equal(error.difference(), Money.of(20));
        thrown(LedgerException.class, () -> ledger.post("half", t -> t.debit("100", "1")));
    }

    @Check
    public void accountsAndRulesMayRefuse() {
        Recorder recorder = new Recorder();
        ledger.addListener(recorder);
        thrown(LedgerException.class, () -> ledger.transfer("100", "300", "5"));
        thrown(LedgerException.class, () -> ledger.transfer("300", "100", Money.of(1_000_01)));
        thrown(LedgerException.class, () -> ledger.post("", t -> t.debit("100", "1").credit("400", "1")));
        ledger.transfer("300", "100", "1000");
        equal(recorder.events, List.of("refused", "refused", "refused", "posted"));
    }

    @Check
    public void theFutureIsClosed() {
        Transaction tomorrow =
            Transaction.on(LocalDate.of(2024, 3, 2)).memo("tea").debit("100", "1").credit("400", "1").build();
        equal(thrown(LedgerException.class, () -> ledger.post(tomorrow)).getMessage(), "2024-03-02 lies in the future");
    }

    @Check
    public void reversingUndoes() {
        Transaction sale = ledger.post("tea", t -> t.debit("100", "5").credit("400", "5"));
        ledger.reverse(sale.id());
        equal(ledger.balance("400").isZero(), true);
        equal(ledger.journal().size(), 2L);
        thrown(LedgerException.class, () -> ledger.reverse("nonsense"));
    }

    @Check
    public void currenciesDontMix() {
        thrown(IllegalArgumentException.class, () -> Money.of("1 USD").plus(Money.of("1 EUR")));
        thrown(IllegalArgumentException.class, () -> Money.of("1 USD").compareTo(Money.ZERO));
    }

    /** Remembers which way it was told. */
    private static final class Recorder implements LedgerListener {
        final List<String> events = new ArrayList<>();

        @Override
        public void posted(Transaction transaction) {
            events.add("posted");
        }

        @Override
        public void refused(Transaction transaction, LedgerException reason) {
            events.add("refused");
        }
    }
}

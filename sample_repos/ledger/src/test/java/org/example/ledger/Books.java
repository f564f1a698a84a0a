package org.example.ledger;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;

import org.example.ledger.model.AccountType;
import org.example.ledger.model.CashAccount;
import org.example.ledger.model.CreditAccount;
import org.example.ledger.model.Money;
import org.example.ledger.model.PlainAccount;
import org.example.ledger.rules.MaxAmount;
import org.example.ledger.rules.Rules;
import org.example.ledger.store.Journal;
import org.example.ledger.store.MemoryJournal;

/** Ledgers for checks. It is always the first of March. */
final class Books {
    static final Clock MARCH = Clock.fixed(Instant.parse("2024-03-01T12:00:00Z"), ZoneOffset.UTC);

    private Books() {}

    static Ledger teaShop() {
        return teaShop(new MemoryJournal());
    }

    static Ledger teaShop(Journal journal) {
        return Ledger.builder()
            .account(new PlainAccount("1", "Assets", AccountType.parse("asset")))
            .account(new CashAccount("100", "Till"))
            .account(new CreditAccount("300", "Suppliers", Money.of("1000")))
            .account(new PlainAccount("400", "Sales", AccountType.INCOME))
            .rule(new MaxAmount(Money.of(500_000)))
            .rule(Rules.notInFuture(MARCH))
            .rule(Rules::needsMemo)
            .journal(journal)
            .clock(MARCH)
            .build();
    }
}

package org.example.ledger;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

import org.example.ledger.model.Account;
import org.example.ledger.model.Entry;
import org.example.ledger.model.Money;
import org.example.ledger.model.Transaction;

/** The balance of every account, each counted on its normal side. */
public final class Balances {
    private final Map<String, Account> accounts;
    private final Map<String, Money> amounts = new HashMap<>();

    Balances(Map<String, Account> accounts) {
        this.accounts = accounts;
    }

    public Money of(String code) {
        return amounts.getOrDefault(account(code).code(), Money.ZERO);
    }

    /** The account with this code; unknown codes are an error. */
    public Account account(String code) {
        Account account = accounts.get(code);
        if (account == null) {
            throw new LedgerException("no account " + code);
        }
        return account;
    }

    void apply(Transaction transaction) {
        transaction.entries().forEach(entry -> amounts.put(entry.account(), after(entry)));
    }

    /** What the balances touched by a transaction would be after it; nothing is changed. */
    public Map<String, Money> preview(Transaction transaction) {
        Map<String, Money> preview = new LinkedHashMap<>();
        for (Entry entry : transaction.entries()) {
            Money change = account(entry.account()).effectOf(entry);
            preview.merge(entry.account(), of(entry.account()).plus(change), (known, first) -> known.plus(change));
        }
        return preview;
    }

    private Money after(Entry entry) {
        return of(entry.account()).plus(account(entry.account()).effectOf(entry));
    }
}

package org.example.ledger;

import java.time.Clock;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

import org.example.ledger.model.Account;
import org.example.ledger.model.Money;
import org.example.ledger.model.Transaction;
import org.example.ledger.rules.Rule;
import org.example.ledger.store.Journal;
import org.example.ledger.store.MemoryJournal;

/** The books: accounts, and a journal of everything that was posted to them. */
public final class Ledger {
    private final Map<String, Account> accounts;
    private final Rule rule;
    private final Journal journal;
    private final Clock clock;
    private final Balances balances;
    private final List<LedgerListener> listeners = new ArrayList<>();

    private Ledger(Builder builder) {
        this.accounts = Collections.unmodifiableMap(new TreeMap<>(builder.accounts));
        this.rule = Rule.all(builder.rules);
        this.journal = builder.journal;
        this.clock = builder.clock;
        this.balances = new Balances(accounts);
        journal.stream().forEach(balances::apply);
    }

    public static Builder builder() {
        return new Builder();
    }

    /**
     * Posts a transaction, unless a rule or an account refuses it.
     *
     * @throws LedgerException when it is refused; nothing has changed then
     */
    public void post(Transaction transaction) {
        try {
            rule.check(transaction, balances);
            balances.preview(transaction).forEach((code, balance) -> balances.account(code).check(balance));
        } catch (LedgerException reason) {
            listeners.forEach(listener -> listener.refused(transaction, reason));
            throw reason;
        }
        journal.append(transaction);
        balances.apply(transaction);
        for (LedgerListener listener : listeners) {
            listener.posted(transaction);
        }
    }

    /** Posts a transaction of today: {@code post("rent", t -> t.debit("600", "800").credit("100", "800"))}. */
    public Transaction post(String memo, Consumer<Transaction.Builder> entries) {
        Transaction.Builder builder = Transaction.on(today()).memo(memo);
        entries.accept(builder);
        Transaction transaction = builder.build();
        post(transaction);
        return transaction;
    }

    /** Moves money from one account to another. */
    public Transaction transfer(String from, String to, Money amount) {
        return post("transfer", builder -> builder.debit(to, amount).credit(from, amount));
    }

    public Transaction transfer(String from, String to, String amount) {
        return transfer(from, to, Money.of(amount));
    }

    /** Undoes a transaction by posting its opposite. */
    public Transaction reverse(String id) {
        Transaction reversal = journal.require(id).reversed(today());
        post(reversal);
        return reversal;
    }

    public Money balance(String code) {
        return balances.of(code);
    }

    public Account account(String code) {
        return balances.account(code);
    }

    /** All accounts, ordered by code. */
    public Collection<Account> accounts() {
        return accounts.values();
    }

    public Journal journal() {
        return journal;
    }

    public void addListener(LedgerListener listener) {
        listeners.add(listener);
    }

    private LocalDate today() {
        return LocalDate.now(clock);
    }

    /** Collects what a ledger is made of. */
    public static final class Builder {
        private final Map<String, Account> accounts = new TreeMap<>();
        private final List<Rule> rules = new ArrayList<>();
        private Journal journal = new MemoryJournal();
        private Clock clock = Clock.systemUTC();

        private Builder() {}

        public Builder account(Account account) {
            if (accounts.putIfAbsent(account.code(), account) != null) {
                throw new LedgerException("there are two accounts " + account.code());
            }
            return this;
        }

        public Builder rule(Rule rule) {
            rules.add(rule);
            return this;
        }

        public Builder journal(Journal journal) {
            this.journal = journal;
            return this;
        }

        public Builder clock(Clock clock) {
            this.clock = clock;
            return this;
        }

        public Ledger build() {
            return new Ledger(this);
        }
    }
}

package org.example.ledger.model;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

import org.example.ledger.LedgerException;
import org.example.ledger.UnbalancedException;

/** A balanced set of entries. Made by a {@link Builder} and never changed. */
public final class Transaction {
    private final String id;
    private final LocalDate date;
    private final String memo;
    private final List<Entry> entries;

    private Transaction(Builder builder) {
        this.id = builder.id;
        this.date = builder.date;
        this.memo = builder.memo;
        this.entries = List.copyOf(builder.entries);
    }

    public static Builder on(LocalDate date) {
        return new Builder(date);
    }

    public String id() {
        return id;
    }

    public LocalDate date() {
        return date;
    }

    public String memo() {
        return memo;
    }

    public List<Entry> entries() {
        return entries;
    }

    /** The sum of the debits, which is that of the credits too. */
    public Money total() {
        return entries.stream().filter(e -> e.side() == Side.DEBIT).map(Entry::amount).reduce(Money.ZERO, Money::plus);
    }

    public boolean touches(String account) {
        return entries.stream().anyMatch(entry -> entry.account().equals(account));
    }

    /** The transaction that undoes this one. */
    public Transaction reversed(LocalDate when) {
        Builder builder = on(when).memo("reversal of " + id);
        entries.stream().map(Entry::reversed).forEach(builder::add);
        return builder.build();
    }

    /** Collects entries. {@link #build} refuses what doesn't balance. */
    public static final class Builder {
        private final LocalDate date;
        private final List<Entry> entries = new ArrayList<>();
        private String id = UUID.randomUUID().toString();
        private String memo = "";

        private Builder(LocalDate date) {
            this.date = date;
        }

        public Builder id(String id) {
            this.id = id;
            return this;
        }

        public Builder memo(String memo) {
            this.memo = memo;
            return this;
        }

        public Builder debit(String account, Money amount) {
            return add(new Entry(account, Side.DEBIT, amount));
        }

        public Builder debit(String account, String amount) {
            return debit(account, Money.of(amount));
        }

        public Builder credit(String account, Money amount) {
            return add(new Entry(account, Side.CREDIT, amount));
        }

        public Builder credit(String account, String amount) {
            return credit(account, Money.of(amount));
        }

        public Builder add(Entry entry) {
            entries.add(entry);
            return this;
        }

        public Transaction build() {
            new Check().run();
            return new Transaction(this);
        }

        /** Looks at the entries of the builder it belongs to. */
        private final class Check {
            private final Map<String, Money> differences = new TreeMap<>();

            void run() {
                if (entries.size() < 2) {
                    throw new LedgerException("a transaction needs two entries");
                }
                entries.forEach(this::count);
                differences.forEach((currency, difference) -> {
                    if (!difference.isZero()) {
                        throw new UnbalancedException(memo, difference);
                    }
                });
            }

            private void count(Entry entry) {
                if (entry.amount().isNegative()) {
                    throw new LedgerException("amounts are never negative; use the other side");
                }
                Money signed = Side.DEBIT.count(entry.side(), entry.amount());
                differences.merge(signed.currency(), signed, Money::plus);
            }
        }
    }
}

package org.example.ledger.store;

import java.time.LocalDate;
import java.util.Arrays;
import java.util.stream.Collectors;

import org.example.ledger.LedgerException;
import org.example.ledger.model.Entry;
import org.example.ledger.model.Money;
import org.example.ledger.model.Side;
import org.example.ledger.model.Transaction;

/** A transaction as one line: {@code id|2024-03-01|memo|100 DEBIT 17.80 EUR|400 CREDIT 17.80 EUR}. */
final class LineFormat {
    private LineFormat() {}

    static String write(Transaction transaction) {
        String entries = transaction.entries().stream().map(LineFormat::write).collect(Collectors.joining("|"));
        String memo = transaction.memo().replace('|', '/').replace('\n', ' ');
        return String.join("|", transaction.id(), transaction.date().toString(), memo, entries);
    }

    private static String write(Entry entry) {
        return entry.account() + " " + entry.side() + " " + entry.amount();
    }

    static Transaction read(String line) {
        String[] fields = line.split("\\|");
        if (fields.length < 5) {
            throw new LedgerException("not a transaction: " + line);
        }
        Transaction.Builder builder = Transaction.on(LocalDate.parse(fields[1])).id(fields[0]).memo(fields[2]);
        Arrays.stream(fields, 3, fields.length).map(LineFormat::readEntry).forEach(builder::add);
        return builder.build();
    }

    private static Entry readEntry(String field) {
        String[] words = field.split(" ", 3);
        return new Entry(words[0], Side.valueOf(words[1]), Money.of(words[2]));
    }
}

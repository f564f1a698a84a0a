package org.example.ledger.export;

import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.example.ledger.model.Entry;
import org.example.ledger.model.Transaction;

/** One line for each entry, with a heading. */
public class CsvExporter implements Exporter {
    private final char separator;

    public CsvExporter() {
        this(',');
    }

    public CsvExporter(char separator) {
        this.separator = separator;
    }

    @Override
    public String export(Stream<Transaction> transactions) {
        String lines = transactions.flatMap(this::lines).collect(Collectors.joining("\n"));
        return row("date", "memo", "account", "side", "amount") + "\n" + lines;
    }

    private Stream<String> lines(Transaction transaction) {
        return transaction.entries().stream().map(entry -> line(transaction, entry));
    }

    private String line(Transaction transaction, Entry entry) {
        return row(transaction.date(), transaction.memo(), entry.account(), entry.side(), entry.amount());
    }

    private String row(Object... cells) {
        return Stream.of(cells).map(this::quote).collect(Collectors.joining(String.valueOf(separator)));
    }

    private String quote(Object cell) {
        String text = cell.toString();
        boolean special = text.indexOf(separator) >= 0 || text.contains("\"");
        return special ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }
}

package org.example.ledger;

import static org.example.ledger.check.Expect.equal;
import static org.example.ledger.check.Expect.thrown;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.example.ledger.check.Check;
import org.example.ledger.export.Exporter;
import org.example.ledger.export.Exporters;
import org.example.ledger.model.Money;
import org.example.ledger.model.Transaction;
import org.example.ledger.store.AuditedJournal;
import org.example.ledger.store.FileJournal;
import org.example.ledger.store.Journal;
import org.example.ledger.store.MemoryJournal;
import org.example.ledger.store.Timed;

public class JournalChecks {
    @Check
    public void aFileSurvivesARestart() throws IOException {
        Path file = Files.createTempDirectory("ledger").resolve("books.txt");
        try (FileJournal journal = new FileJournal(file)) {
            Books.teaShop(journal).post("green|tea", t -> t.debit("100", "8.90").credit("400", "8.90"));
        }
        try (FileJournal journal = new FileJournal(file)) {
            Ledger reopened = Books.teaShop(journal);
            equal(reopened.balance("100"), Money.of(890));
            equal(journal.stream().findFirst().orElseThrow().memo(), "green/tea");
            equal(journal.size(), 1L);
        }
    }

    @Check
    public void auditedJournalsWriteALine() {
        List<String> log = new ArrayList<>();
        Journal journal = new AuditedJournal(new MemoryJournal(), log::add);
        Transaction sale = Books.teaShop(journal).post("tea", t -> t.debit("100", "5").credit("400", "5"));
        equal(log, List.of("2024-03-01 tea: 5.00 EUR"));
        equal(journal.require(sale.id()), sale);
        equal(journal.size(), 1L);
    }

    @Check
    public void anyInterfaceCanBeTimed() {
        List<String> names = new ArrayList<>();
        Journal journal = Timed.around(Journal.class, new MemoryJournal(), (name, nanos) -> names.add(name));
        Books.teaShop(journal).post("tea", t -> t.debit("100", "5").credit("400", "5"));
        equal(names, List.of("stream", "append"));
    }

    @Check
    public void exportersAreFoundByName() {
        Ledger ledger = Books.teaShop();
        ledger.post("tea, green", t -> t.id("42").debit("100", "5").credit("400", "5"));
        equal(export("csv", ledger).split("\n")[1], "2024-03-01,\"tea, green\",100,DEBIT,5.00 EUR");
        equal(export("tsv", ledger).contains("\t"), true);
        equal(export("json", ledger).startsWith("[{\"date\":\"2024-03-01\",\"entries\":[{\"account\":\"100\","), true);
        equal(export("org.example.ledger.export.MemoExporter", ledger), "tea, green");
        thrown(LedgerException.class, () -> Exporters.byName("pdf"));
    }

    private static String export(String format, Ledger ledger) {
        Exporter exporter = Exporters.byName(format);
        return exporter.export(ledger.journal().stream());
    }
}

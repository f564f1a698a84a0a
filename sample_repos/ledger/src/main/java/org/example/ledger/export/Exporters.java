package org.example.ledger.export;

import java.util.Map;
import java.util.function.Supplier;

import org.example.ledger.LedgerException;

/** Finds exporters by name. */
public final class Exporters {
    private static final Map<String, Supplier<Exporter>> FORMATS =
        Map.of("csv", CsvExporter::new, "tsv", Exporters::tabs, "json", JsonExporter::new);

    private Exporters() {}

    /** An exporter for "csv", "tsv", "json" or the name of a class with a constructor without arguments. */
    public static Exporter byName(String name) {
        Supplier<Exporter> known = FORMATS.get(name);
        return known != null ? known.get() : byClass(name);
    }

    private static Exporter byClass(String className) {
        try {
            return (Exporter) Class.forName(className).getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new LedgerException("no exporter " + className, e);
        }
    }

    private static Exporter tabs() {
        return new CsvExporter('\t');
    }
}

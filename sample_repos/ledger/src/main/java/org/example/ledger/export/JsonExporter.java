package org.example.ledger.export;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.example.ledger.model.Entry;
import org.example.ledger.model.Transaction;

/** A JSON array with an object for each transaction. */
public class JsonExporter implements Exporter {
    @Override
    public String export(Stream<Transaction> transactions) {
        return value(transactions.map(this::toMap).toList());
    }

    private Map<String, Object> toMap(Transaction transaction) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("id", transaction.id());
        map.put("date", transaction.date());
        map.put("memo", transaction.memo());
        map.put("entries", transaction.entries().stream().map(this::toMap).toList());
        return map;
    }

    private Map<String, Object> toMap(Entry entry) {
        return Map.of("account", entry.account(), "side", entry.side(), "cents", entry.amount().cents());
    }

    private String value(Object value) {
        if (value instanceof Map<?, ?> map) {
            return object(map);
        }
        if (value instanceof Collection<?> items) {
            return items.stream().map(this::value).collect(Collectors.joining(",", "[", "]"));
        }
        return value instanceof Number ? value.toString() : string(value.toString());
    }

    private String object(Map<?, ?> map) {
        return map.entrySet().stream()
            .map(field -> string(field.getKey().toString()) + ":" + value(field.getValue()))
            .sorted()
            .collect(Collectors.joining(",", "{", "}"));
    }

    private static String string(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }
}

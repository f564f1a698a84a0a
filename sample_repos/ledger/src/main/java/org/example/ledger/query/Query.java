package org.example.ledger.query;

import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A stream with the few steps that reports need. A query is used up by its first answer. */
public final class Query<T> {
    private final Stream<T> items;

    private Query(Stream<T> items) {
        this.items = items;
    }

    public static <T> Query<T> of(Stream<T> items) {
        return new Query<>(items);
    }

    public Query<T> where(Predicate<? super T> test) {
        return of(items.filter(test));
    }

    public <K extends Comparable<? super K>> Query<T> orderBy(Function<? super T, K> key) {
        return of(items.sorted(Comparator.comparing(key)));
    }

    public <R> Query<R> map(Function<? super T, ? extends R> change) {
        return of(items.map(change));
    }

    public List<T> list() {
        return items.toList();
    }
}

package org.example.ledger.store;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.BiConsumer;

/** Measures the calls of any interface. */
public final class Timed {
    private Timed() {}

    /**
     * Wraps an object.
     *
     * @param type what the result is to be used as
     * @param sink is given the name of each called method and the nanoseconds it took
     */
    public static <T> T around(Class<T> type, T target, BiConsumer<String, Long> sink) {
        InvocationHandler handler = (self, method, arguments) -> {
            long start = System.nanoTime();
            try {
                return method.invoke(target, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            } finally {
                sink.accept(method.getName(), System.nanoTime() - start);
            }
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}

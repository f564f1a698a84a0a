package org.example.ledger.check;

import java.util.Objects;

/** What checks say, for static import. */
public final class Expect {
    /** Code that may throw anything. */
    public interface Code {
        void run() throws Exception;
    }

    private Expect() {}

    public static void equal(Object actual, Object expected) {
        if (!Objects.equals(actual, expected)) {
            throw new AssertionError("expected <" + expected + "> but got <" + actual + ">");
        }
    }

    /** Runs code that must throw, and returns what it threw. */
    public static <E extends Exception> E thrown(Class<E> type, Code code) {
        try {
            code.run();
        } catch (Exception e) {
            if (type.isInstance(e)) {
                return type.cast(e);
            }
            throw new AssertionError("expected " + type.getSimpleName(), e);
        }
        throw new AssertionError("nothing was thrown");
    }
}

package org.example.ledger.check;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;

import org.example.ledger.JournalChecks;
import org.example.ledger.LedgerChecks;
import org.example.ledger.ReportChecks;

/** Runs every method with {@link Check} in the classes it knows; each on an object of its own. */
public final class CheckRunner {
    private static final List<Class<?>> CLASSES = List.of(LedgerChecks.class, JournalChecks.class, ReportChecks.class);

    private int failures;

    public static void main(String[] arguments) throws ReflectiveOperationException {
        CheckRunner runner = new CheckRunner();
        for (Class<?> type : CLASSES) {
            runner.runAll(type);
        }
        System.out.println(runner.failures == 0 ? "all checks hold" : runner.failures + " failed");
        System.exit(runner.failures == 0 ? 0 : 1);
    }

    private void runAll(Class<?> type) throws ReflectiveOperationException {
        for (Method method : type.getDeclaredMethods()) {
            if (method.isAnnotationPresent(Check.class)) {
                run(type.getDeclaredConstructor().newInstance(), method);
            }
        }
    }

    private void run(Object target, Method method) throws ReflectiveOperationException {
        try {
            method.invoke(target);
        } catch (InvocationTargetException e) {
            failures++;
            System.out.println(method + ": " + e.getCause());
        }
    }
}

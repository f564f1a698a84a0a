package org.example.ledger.store;

import java.util.Optional;
import java.util.stream.Stream;

import org.example.ledger.LedgerException;
import org.example.ledger.model.Transaction;

/** Where transactions are kept, in the order in which they were posted. */
public interface Journal {
    void append(Transaction transaction);

    Stream<Transaction> stream();

    default Optional<Transaction> find(String id) {
        return stream().filter(transaction -> transaction.id().equals(id)).findFirst();
    }

    default Transaction require(String id) {
        return find(id).orElseThrow(() -> new LedgerException("no transaction " + id));
    }

    default long size() {
        return stream().count();
    }
}

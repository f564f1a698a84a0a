package org.example.ledger;

import org.example.ledger.model.Transaction;

/** Is told what happens to a ledger. */
public interface LedgerListener {
    void posted(Transaction transaction);

    /** A rule or an account said no. Most listeners don't care. */
    default void refused(Transaction transaction, LedgerException reason) {}
}

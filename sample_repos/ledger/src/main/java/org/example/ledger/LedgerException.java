package org.example.ledger;

/** Something that the books don't allow. */
public class LedgerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public LedgerException(String message) {
        super(message);
    }

    public LedgerException(String message, Throwable cause) {
        super(message, cause);
    }
}

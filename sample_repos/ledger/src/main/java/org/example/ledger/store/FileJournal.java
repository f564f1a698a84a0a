package org.example.ledger.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import org.example.ledger.model.Transaction;

/** A journal in a text file, one transaction a line. The file is read once, when the journal is opened. */
public class FileJournal extends MemoryJournal implements AutoCloseable {
    private final Writer out;

    public FileJournal(Path file) throws IOException {
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                super.append(LineFormat.read(line));
            }
        }
        this.out = Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Override
    public void append(Transaction transaction) {
        super.append(transaction);
        try {
            out.write(LineFormat.write(transaction));
            out.write('\n');
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}

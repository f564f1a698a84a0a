package org.example.ledger.report;

import java.util.List;

/** A report is a heading and a line for each row; subclasses say which rows and how a line looks. */
public abstract class Report<R> {
    protected static final int NAME = 24;
    protected static final int AMOUNT = 16;

    public final String render() {
        StringBuilder out = new StringBuilder(heading()).append('\n');
        List<R> rows = rows();
        for (R row : rows) {
            out.append(line(row)).append('\n');
        }
        return out.append(footer(rows)).toString();
    }

    protected abstract String heading();

    protected abstract List<R> rows();

    protected abstract String line(R row);

    /** What stands below the rows, by default nothing. */
    protected String footer(List<R> rows) {
        return "";
    }
}

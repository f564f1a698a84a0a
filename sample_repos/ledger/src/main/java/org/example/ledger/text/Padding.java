package org.example.ledger.text;

/** Columns of text. */
public final class Padding {
    private Padding() {}

    public static String left(String text, int width) {
        return left(text, width, ' ');
    }

    public static String left(String text, int width, char filler) {
        return fill(text, width, filler) + text;
    }

    public static String right(String text, int width) {
        return text + fill(text, width, ' ');
    }

    private static String fill(String text, int width, char filler) {
        return String.valueOf(filler).repeat(Math.max(0, width - text.length()));
    }
}

package org.example.ledger.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.example.ledger.Ledger;
import org.example.ledger.LedgerException;
import org.example.ledger.LedgerListener;
import org.example.ledger.export.Exporters;
import org.example.ledger.model.AccountType;
import org.example.ledger.model.CashAccount;
import org.example.ledger.model.CreditAccount;
import org.example.ledger.model.Money;
import org.example.ledger.model.PlainAccount;
import org.example.ledger.model.Transaction;
import org.example.ledger.report.AccountTree;
import org.example.ledger.report.Formula;
import org.example.ledger.report.Statement;
import org.example.ledger.report.TrialBalance;
import org.example.ledger.rules.Rules;
import org.example.ledger.store.AuditedJournal;
import org.example.ledger.store.FileJournal;
import org.example.ledger.store.Journal;
import org.example.ledger.store.Timed;

/** The command line: {@code Main FILE COMMAND ARGUMENT…}. */
public final class Main {
    /** A command of the command line. */
    private interface Command {
        void run(List<String> arguments);
    }

    private final Ledger ledger;
    private final PrintStream out;
    private final Map<String, Command> commands = Map.of(
        "trial", arguments -> print(new TrialBalance(ledger()).render()),
        "tree", arguments -> print(new AccountTree(ledger()).render()),
        "statement", this::statement,
        "transfer", this::transfer,
        "formula", this::formula,
        "export", this::export);

    Main(Ledger ledger, PrintStream out) {
        this.ledger = ledger;
        this.out = out;
        ledger.addListener(new LedgerListener() {
            @Override
            public void posted(Transaction transaction) {
                print("posted " + transaction.id());
            }
        });
    }

    public static void main(String[] arguments) throws IOException {
        if (arguments.length < 2) {
            System.err.println("usage: Main FILE trial|tree|statement|transfer|formula|export …");
            System.exit(2);
        }
        try (FileJournal file = new FileJournal(Path.of(arguments[0]))) {
            Journal journal = new AuditedJournal(file, System.err::println);
            if (System.getenv("LEDGER_TIMING") != null) {
                journal = Timed.around(Journal.class, journal, Main::printTime);
            }
            Main main = new Main(openLedger(journal), System.out);
            int status = main.run(arguments[1], List.of(arguments).subList(2, arguments.length));
            if (status != 0) {
                System.exit(status);
            }
        }
    }

    static Ledger openLedger(Journal journal) {
        return Ledger.builder()
            .account(new CashAccount("100", "Till"))
            .account(new PlainAccount("110", "Bank", AccountType.ASSET))
            .account(new CreditAccount("300", "Suppliers", Money.of("5000")))
            .account(new PlainAccount("400", "Sales", AccountType.INCOME))
            .account(new PlainAccount("600", "Rent", AccountType.EXPENSE))
            .rule(Rules::needsMemo)
            .journal(journal)
            .build();
    }

    /** Runs a command and returns the exit status. */
    int run(String name, List<String> arguments) {
        Command command = commands.get(name);
        if (command == null) {
            print("no command " + name);
            return 2;
        }
        try {
            command.run(arguments);
            return 0;
        } catch (LedgerException e) {
            print(e.getMessage());
            return 1;
        }
    }

    private void statement(List<String> arguments) {
        print(new Statement(ledger, arguments.get(0)).render());
    }

    private void transfer(List<String> arguments) {
        ledger.transfer(arguments.get(0), arguments.get(1), arguments.get(2));
    }

    private void formula(List<String> arguments) {
        print(Formula.evaluate(String.join(" ", arguments), ledger::balance));
    }

    private void export(List<String> arguments) {
        print(Exporters.byName(arguments.get(0)).export(ledger.journal().stream()));
    }

    private void print(Object text) {
        out.println(text);
    }

    private static void printTime(String method, Long nanos) {
        System.err.println(method + ": " + nanos + " ns");
    }

    private Ledger ledger() {
        return ledger;
    }
}

package org.example.ledger.report;

import static org.example.ledger.text.Padding.left;

import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;

import org.example.ledger.Ledger;
import org.example.ledger.model.Account;
import org.example.ledger.model.Money;

/** The accounts as a tree by the prefixes of their codes. A node's total includes everything below it. */
public class AccountTree implements Iterable<AccountTree.Node> {
    private final NavigableMap<String, Node> roots = new TreeMap<>();

    public AccountTree(Ledger ledger) {
        for (Account account : ledger.accounts()) {
            insert(roots, new Node(account.toString(), account.code(), ledger.balance(account.code())));
        }
    }

    @Override
    public Iterator<Node> iterator() {
        return List.copyOf(roots.values()).iterator();
    }

    public String render() {
        StringBuilder out = new StringBuilder();
        for (Node root : this) {
            root.walk(0, (depth, node) -> out.append(indented(depth, node)).append('\n'));
        }
        return out.toString();
    }

    private static String indented(int depth, Node node) {
        return left("", 2 * depth) + node.name + ": " + node.total();
    }

    /** Puts a node below the one whose code is its longest prefix; codes come in order, so parents come first. */
    private static void insert(NavigableMap<String, Node> siblings, Node node) {
        var before = siblings.floorEntry(node.code);
        if (before != null && node.code.startsWith(before.getKey())) {
            insert(before.getValue().children, node);
        } else {
            siblings.put(node.code, node);
        }
    }

    /** An account and the ones below it. */
    public static final class Node {
        private final String name;
        private final String code;
        private final Money own;
        private final NavigableMap<String, Node> children = new TreeMap<>();

        private Node(String name, String code, Money own) {
            this.name = name;
            this.code = code;
            this.own = own;
        }

        public Money total() {
            Money total = own;
            for (Node child : children.values()) {
                total = total.plus(child.total());
            }
            return total;
        }

        void walk(int depth, BiConsumer<Integer, Node> visit) {
            visit.accept(depth, this);
            children.values().forEach(child -> child.walk(depth + 1, visit));
        }
    }
}

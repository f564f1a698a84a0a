"""Updates of the code graph after an edit, without resolving the whole repository at once.

Entry points:

- `line_moves.line_shift` and `line_moves.shift_graph` handle edits that only move lines.
- For other edits `edit_diff.Edited` finds the changed scopes. A *scope* is a symbol whose body contains uses.
- `affected_types.affected_symbols` finds the symbols affected by changed supertypes.
- `graph.demand` selects the facts that are needed to resolve these scopes.
- `provisional` merges the new edges into the previous edges. The result is used until the full resolution is ready.

Example: a file of 9 lines has ``class App`` in line 4. A comment line is inserted before it. Then ``line_shift(old,
new).lines`` maps 1 → 1, 4 → 5, 6 → 7 and 9 → 10: all edges stay, at new lines. If the edit replaces a call by another
call, `line_shift` returns None and the edited function is resolved again.
"""

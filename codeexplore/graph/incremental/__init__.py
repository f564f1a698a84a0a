"""Updates of the code graph after an edit, without resolving the whole repository at once.

Entry points: `line_moves.line_shift` and `line_moves.shift_graph` handle edits that only move lines. For other edits
`edit_diff.Edited` finds the changed scopes, `affected_types.affected_symbols` the symbols affected by changed
supertypes, `slice.slice_facts` the facts needed to resolve these scopes, and `provisional` merges the resulting edges
into the previous ones until the full resolution is ready.

Example: a comment line inserted before ``class App`` in line 4 of a file of 9 lines gives ``line_shift(old,
new).lines`` with 1 → 1, 4 → 5, 6 → 7 and 9 → 10: all edges stay, at new lines. If the edit replaces a call by another
one, `line_shift` returns None and the edited function is resolved anew.
"""

"""Evidence of use besides edges: explains empty answers (none, possible, unknown), finds dead code and entry points.

Change it to decide when nobody uses a symbol.

Entry points:

- `verdict.verdict` sums up what a walk has found and what else there may be, `path_verdict.paths_between` the same of
  paths.
- `absence.absence` decides what an empty answer means (none, possible, unknown), with the sentence that says why.
  `verdict.headline` writes the first line of an answer ("No callers of app.run").
- `dead_code.DeadCode` finds symbols without any use.
- `entry_points.entry_points` finds symbols that are started from outside.

They use `evidence.UsageEvidenceTable` and `name_uses` (what may be a use: references without a target, and places where
a name may mean a symbol). The table has a finder for each kind of evidence: `starts` (by the language, scripts, test
runners, decorators and macros), `visibility` (what code outside can name), `outside_code` (libraries, generated code,
other builds, objects that code outside gets), `indirect_uses` (reflection, syntax, what comes with a type or an
expression) and `supertypes` (as the source writes them).

Example: in the package of `codeexplore.graph` nothing calls ``App.handle``, and its name occurs nowhere else. The
answer to its callers has the verdict "none" and the text "No callers in this repository: the name `handle` occurs
nowhere else in its code." `entry_points` lists ``App.handle`` as "exported": code outside the repository may use a
public member of ``App``.
"""

"""The query planner: from a question to a `QueryPlan` with its kind, names, relation, lanes, and the reasons.

Change it to understand another kind of question, or decide what is a bug report (`bug_report.is_report`).

`SearchEngine.search` asks `bug_report.is_report` first, and answers a report by `localise`. For other texts
`planner.plan` is the entry point. It also finds names that are written as code. `patterns` lists the phrases that
ask for a relation. `bug_report` divides a bug report into its parts and finds the stack frames in it.

>>> from codeexplore.search.query.planner import plan
>>> asked = plan("what calls dumps?", known={"dumps"}.__contains__)
>>> asked.kind, asked.relation, asked.direction, asked.identifiers
('structural', 'callers', 'in', ('dumps',))
>>> asked.lanes
{'bm25': 0.5, 'graph': 2.0}
"""

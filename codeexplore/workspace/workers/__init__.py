"""Work in child processes: analysis of files, and resolution of references.

`pool.AnalysisPool` analyses files in this process, in children or with the user's executor. The results are equal.
`resolver_process.ResolverProcess` resolves references in a child, whose memory is free as soon as it ends.
`child_process` starts and ends children, `ChildExecutor` in it calls functions in them, and `__main__` is the program
that they run.

The sample repository is one batch of 52 files, too few to start children:

>>> from codeexplore import sample_repo
>>> from codeexplore.source.discovery import discover
>>> from codeexplore.workspace.workers.pool import AnalysisPool, Layout, batches, default_workers
>>> found = discover(sample_repo("webshop"))
>>> default_workers(sum(candidate.size for candidate in found.candidates))
0
>>> layout = Layout(frozenset(candidate.path for candidate in found.candidates))
>>> with AnalysisPool(found.root, layout, workers=0) as pool:
...     results, warnings = pool.analyse(batches(found.candidates), lambda done: None)
>>> len(results), len(results[0].files), warnings
(1, 52, [])
"""

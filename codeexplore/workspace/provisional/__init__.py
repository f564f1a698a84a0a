r"""Provisional edges: estimates for edited functions. They are used until all references are resolved again.

`edges.edges_nearby` resolves the edited scopes together with a few related files. `related_files.RelatedFiles` selects
these files. `base_classes.with_changed_bases` removes edges that an edit of supertypes may have made wrong.
`line_map.aligned` maps old lines to new lines.

An inserted first line moves each line by one, also the empty last line. Entry 0 stays 0:

>>> from codeexplore.workspace.provisional.line_map import aligned
>>> aligned(b"a\nb\n", b"new\na\nb\n").tolist()
[0, 2, 3, 4]
"""

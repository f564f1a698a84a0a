r"""Provisional edges: estimates for edited functions, until all references are resolved again.

`edges.edges_nearby` resolves the edited scopes with a few files around them, which `related_files.RelatedFiles`
chooses; `base_classes.with_changed_bases` drops edges that an edit of supertypes may have made wrong;
`line_map.aligned` maps old lines to new ones.

An inserted first line moves each line by one, the empty last one too; entry 0 stays 0:

>>> from codeexplore.workspace.provisional.line_map import aligned
>>> aligned(b"a\nb\n", b"new\na\nb\n").tolist()
[0, 2, 3, 4]
"""

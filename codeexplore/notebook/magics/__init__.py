"""The magics, a module for each group: parse the line, call the workspace, return the answer to IPython for display.

`base.WorkspaceMagics` finds the workspace and the target of a line; `search`, `graph`, `workspace` and `evaluate` have
the magics. In a notebook::

    %explore sample_repos/webshop
    %callers validate_session

`arguments.parse_line` separates the options of a line from its text.
"""

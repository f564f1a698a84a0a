"""The magics, one module for each group. A magic parses its line, calls the workspace and returns the answer.

Change it to add a magic of the core.

`base.WorkspaceMagics` finds the workspace and the target of a line; `search`, `graph` and `workspace` have the core's
magics. In a notebook::

    %explore sample_repos/webshop
    %callers validate_session

`base.parse_line` separates the options of a line from its text.
"""

"""The magics, a module for each group: parse, call the workspace, give the answer back for IPython to show."""

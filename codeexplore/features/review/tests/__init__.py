"""Tests that a change may affect: collected, selected by edges and names, run by commands.

Change it to add a test runner. The function is `selection.commands`.
"""

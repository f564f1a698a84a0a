"""Packs: the part of a repository that answers a question, within a budget of tokens.

Change it to change what a pack holds.
"""

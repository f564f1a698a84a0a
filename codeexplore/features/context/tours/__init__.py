"""Tours: an order of symbols in which to read a repository, with reasons for each step.

Change it to change the order in which a tour reads.
"""

"""Tours: an order of symbols in which to read a repository, with reasons for each step."""

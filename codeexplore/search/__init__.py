"""The chain from a question to an answer: plan, find seeds, ask the lanes, fuse, re-rank."""

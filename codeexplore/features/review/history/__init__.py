"""The commits of a repository: renames followed, what changes together, lines carried between versions."""

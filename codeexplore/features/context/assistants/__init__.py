"""Tools for language models: four calls that ask, walk, read and map a loaded repository."""

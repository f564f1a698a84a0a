"""Magics of traces."""

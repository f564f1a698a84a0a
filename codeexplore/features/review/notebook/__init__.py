"""Magics and panel of the review."""

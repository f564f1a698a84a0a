"""Magics and panel of packs and tours."""

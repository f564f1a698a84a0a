"""Magics and widgets of the lab."""

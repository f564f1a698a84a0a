"""Elixir: language record and extractor.

Entry points: `spec.ELIXIR` (the language record), `extractor.ElixirExtractor` (facts of a file).

Example: ``defmodule Shop do def total(p), do: sum(p) end`` in ``lib/shop.ex`` becomes the module ``Shop`` and the
function ``Shop.total``, with a call of ``sum``.
"""

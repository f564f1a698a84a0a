"""Lua: language record and extractor.

Entry points: `spec.LUA` (the language record), `extractor.LuaExtractor` (facts of a file).

Example: ``local function total(p) return sum(p) end`` in ``lua/shop.lua`` becomes the function ``shop.total``, with a
call of ``sum``.
"""

"""How rankings are merged and what may be found: numbers, fusion, filters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets as widgets

from codeexplore import settings
from codeexplore.notebook.guard import Guard
from codeexplore.notebook.panels.controls import checkbox, choice, number, row, text
from codeexplore.search.ranking.fusion import FUSIONS
from codeexplore.types import Filters

ALL_LANGUAGES = ""


class OptionsPanel(widgets.VBox):
    """Hits, rrf_k, fusion, one hit a file; paths, language, tests."""

    def __init__(self, changed: Callable[[bool], None], guard: Guard) -> None:
        self.top_k = number("hits", settings.TOP_K, 1, 200, "How many hits to show")
        self.rrf_k = number(
            "rrf_k",
            settings.RRF_K,
            1,
            1000,
            "Each lane adds weight / (rrf_k + rank) to a score: a small rrf_k makes first ranks count more (usual: 60)",
        )
        self.fusion = choice(
            "fusion",
            [(name, name) for name in FUSIONS],
            "How the lanes' rankings become one; rrf adds up weight / (rrf_k + rank)",
        )
        self.one_per_file = checkbox("one per file", "At most one hit of each file", value=False)
        self.paths = text("paths", "src/**, *_api.py", "Only files whose path fits one of these globs")
        self.language = choice("language", [("all", ALL_LANGUAGES)], "Only files of this language")
        self.tests = checkbox("include tests", "Test files may be hits", value=True)
        merging = [self.top_k, self.rrf_k, self.fusion, self.one_per_file]
        finding = [self.paths, self.language, self.tests]
        super().__init__([row(merging + finding, "ce-options")])
        for control in (*merging, *finding):
            control.observe(guard(lambda _: changed(True)), "value")

    def offer_languages(self, languages: Sequence[tuple[str, str]]) -> None:
        """List (title, name) of the languages that the workspace holds."""
        options = [("all", ALL_LANGUAGES), *languages]
        if list(self.language.options) != options:
            self.language.options = options

    def filters(self) -> Filters:
        """What may be found."""
        globs = (glob.strip() for glob in str(self.paths.value).split(","))
        languages = (self.language.value,) if self.language.value else ()
        return Filters(paths=tuple(filter(None, globs)), languages=languages, tests=bool(self.tests.value))

    def merging(self) -> dict[str, Any]:
        """top_k, rrf_k, fusion and per_file."""
        per_file = 1 if self.one_per_file.value else None
        return {
            "top_k": self.top_k.value,
            "rrf_k": self.rrf_k.value,
            "fusion": self.fusion.value,
            "per_file": per_file,
        }

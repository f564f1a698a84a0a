"""Options of a search: numbers, fusion and filters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from codeexplore.notebook.background import CallbackGuard
from codeexplore.notebook.panels.toolbar import checkbox, choice, number, row, text
from codeexplore.search.ranking.fusion import FUSIONS
from codeexplore.types import Filters, settings

ALL_LANGUAGES = ""


class OptionsPanel:
    """Options of a search: number of hits, rrf_k, fusion, one hit per file, and filters (paths, language, tests).

    `merging_row` has the options of the fusion, and `finding_row` the others.
    """

    def __init__(self, changed: Callable[[bool], None], guard: CallbackGuard) -> None:
        self.top_k = number("hits", settings.TOP_K, 1, 200, "How many hits to show")
        self.rrf_k = number(
            "rrf_k",
            settings.RRF_K,
            1,
            1000,
            "Small: the first ranks of each lane count much more than later ones; large: nearly the same. Usual: 60",
        )
        self.fusion = choice(
            "fusion",
            [(name, name) for name in FUSIONS],
            "How the rankings of the lanes become one; rrf, the default, adds up weight / (rrf_k + rank)",
        )
        self.one_per_file = checkbox("one per file", "At most one hit of each file", value=False)
        self.paths = text(
            "file paths",
            "src/**, *_api.py",
            "Only files whose path matches one of these patterns; put commas between them",
        )
        self.language = choice("language", [("all", ALL_LANGUAGES)], "Only files of this language")
        self.tests = checkbox("include tests", "Include test files in the results", value=True)
        merging, ranking = [self.rrf_k, self.fusion], [self.top_k, self.one_per_file]
        finding = [self.paths, self.language, self.tests]
        self.merging_row = row(merging, "ce-options")
        self.finding_row = row(ranking + finding, "ce-options")
        for control in (*merging, *ranking, *finding):
            control.observe(guard(lambda _: changed(True)), "value")

    def offer_languages(self, languages: Sequence[tuple[str, str]]) -> None:
        """Set the languages in the dropdown, given as (title, name)."""
        options = [("all", ALL_LANGUAGES), *languages]
        if list(self.language.options) != options:
            self.language.options = options

    def filters(self) -> Filters:
        """Return the filters that the controls select."""
        globs = (glob.strip() for glob in str(self.paths.value).split(","))
        languages = (self.language.value,) if self.language.value else ()
        return Filters(paths=tuple(filter(None, globs)), languages=languages, tests=bool(self.tests.value))

    def merging(self) -> dict[str, Any]:
        """Return the chosen top_k, rrf_k, fusion and per_file."""
        per_file = 1 if self.one_per_file.value else None
        return {
            "top_k": self.top_k.value,
            "rrf_k": self.rrf_k.value,
            "fusion": self.fusion.value,
            "per_file": per_file,
        }

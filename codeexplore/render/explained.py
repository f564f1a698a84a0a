"""An explanation by itself, as HTML: the hit, how the question was read, and every number behind its score."""

from __future__ import annotations

from codeexplore.render import parts
from codeexplore.render.hits import hit_name
from codeexplore.render.html import Html, join, tag
from codeexplore.render.links import linked
from codeexplore.render.palette import DIM
from codeexplore.render.why import summands_html
from codeexplore.views import Explanation
from codeexplore.views.visible import cut, one_line

_TEXT_CHARS = 300
_MOST_SEEDS = 5


@linked
def explanation_html(why: Explanation) -> Html:
    """All of it, nothing folded."""
    hit = why.hit
    heading = tag(
        "div", tag("b", f"{why.rank}. "), hit_name(hit), "\u2002", parts.place(hit.path, hit.start_line, hit.end_line)
    )
    asked = tag("div", "for “", tag("b", cut(one_line(why.question), _TEXT_CHARS)), "”")
    return parts.page(heading, asked, _reading(why), summands_html(hit, why.result, why, opened=True))


def _reading(why: Explanation) -> Html:
    items = [tag("li", tag("i", each.choice), ": ", cut(one_line(each.why), _TEXT_CHARS)) for each in why.reasons]
    items += [
        tag(
            "li",
            tag("i", "start"),
            ": ",
            cut(one_line(why.name_of(seed.symbol_id)), 120),
            f", weight {seed.weight:.3g}, ",
            cut(one_line(seed.reason), _TEXT_CHARS),
        )
        for seed in why.seeds[:_MOST_SEEDS]
    ]
    if len(why.seeds) > _MOST_SEEDS:
        items.append(tag("li", f"and {len(why.seeds) - _MOST_SEEDS} more starts"))
    if not items:
        return join(())
    return tag("ul", *items, style=f"margin:2px 0 6px;color:{DIM};font-size:12px", class_="ce-dim")

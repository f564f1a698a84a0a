"""Bug reports: their parts, their stack frames, the answer as a sum of the parts, and texts that are no report."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeexplore import QuestionError, Workspace
from codeexplore.answers import SearchAnswer
from codeexplore.answers.html.writer import shown_html
from codeexplore.features.lab.evaluation.setting import Setting
from codeexplore.search.query.bug_report import MOST_PROSE, Frame, is_report, read_report, shortened, stacks
from codeexplore.search.reports import located
from codeexplore.types import TYPE_KINDS

PYTHON = """\
Traceback (most recent call last):
  File "/home/ann/app/main.py", line 3, in <module>
    checkout()
  File "/home/ann/shop/webshop/store.py", line 41, in checkout
    total = cart.total()
TypeError: unhashable type: 'list'
"""
IPYTHON = """\
TypeError                                 Traceback (most recent call last)
File ~/shop/webshop/store.py:41, in Storefront.checkout(self, cart)
     40 def checkout(self, cart):
---> 41     return self.pay(cart)

File ~/shop/webshop/pay.py:7, in pay(cart)
----> 7     raise TypeError("no cart")

TypeError: no cart
"""
OLD_IPYTHON = """\
~/shop/webshop/store.py in checkout(self, cart)
     40 def checkout(self, cart):
---> 41     return self.pay(cart)
"""
PYTEST = """\
webshop/store.py:41: in checkout
    return self.pay(cart)
webshop/pay.py:7: TypeError
"""
JAVASCRIPT = """\
TypeError: Cannot read properties of undefined (reading 'id')
    at Router.handle [as dispatch] (/srv/app/lib/router/index.js:174:12)
    at async /srv/app/server.mjs:9:3
"""
FIREFOX = "handle@http://localhost:8080/lib/router.js:174:12\n@http://localhost:8080/main.js:1:1\n"
JAVA = """\
Exception in thread "main" java.lang.IllegalStateException: pool is closed
\tat com.acme.pool.Pool$Worker.take(Pool.java:88)
\tat java.base/java.lang.Thread.run(Thread.java:840)
"""
GO = """\
panic: runtime error: index out of range [3] with length 3

goroutine 1 [running]:
github.com/acme/shop/cart.(*Cart).Total(0xc000012345, 0x3)
\t/home/ann/go/src/shop/cart/cart.go:52 +0x1d
main.main()
\t/home/ann/go/src/shop/main.go:9 +0x2a
"""
RUST = """\
thread 'main' panicked at src/cart.rs:52:9:
index out of bounds
stack backtrace:
   2: shop::cart::Cart::total::h0123456789abcdef
             at ./src/cart.rs:52:9
   3: shop::main
             at ./src/main.rs:9:5
"""


@pytest.mark.parametrize(
    ("text", "language", "innermost", "frames"),
    [
        (PYTHON, "python", Frame("/home/ann/shop/webshop/store.py", 41, "checkout"), 2),
        (IPYTHON, "python", Frame("~/shop/webshop/pay.py", 7, "pay"), 2),
        (OLD_IPYTHON, "python", Frame("~/shop/webshop/store.py", 41, "checkout"), 1),
        (PYTEST, "python", Frame("webshop/pay.py", 7, ""), 2),
        (JAVASCRIPT, "javascript", Frame("/srv/app/lib/router/index.js", 174, "Router.handle"), 2),
        (FIREFOX, "javascript", Frame("lib/router.js", 174, "handle"), 2),
        (JAVA, "java", Frame("com/acme/pool/Pool.java", 88, "com.acme.pool.Pool$Worker.take"), 2),
        (GO, "go", Frame("/home/ann/go/src/shop/cart/cart.go", 52, "github.com/acme/shop/cart.(*Cart).Total"), 2),
    ],
)
def test_frames_of_each_form(text: str, language: str, innermost: Frame, frames: int) -> None:
    [stack] = stacks(f"It fails:\n\n{text}\nSince yesterday.\n")
    assert (stack.language, stack.frames[0], len(stack.frames)) == (language, innermost, frames)


def test_a_rust_panic_and_its_backtrace() -> None:
    found = stacks(RUST)
    assert [frame.path for stack in found for frame in stack.frames] == [
        "src/cart.rs",
        "./src/cart.rs",
        "./src/main.rs",
    ]
    assert read_report(RUST).frames[0].function == "shop::cart::Cart::total::h0123456789abcdef"


def test_chained_exceptions_are_two_stack_traces() -> None:
    chained = f"{PYTHON}\nDuring handling of the above exception, another exception occurred:\n\n{PYTHON}"
    assert [len(stack.frames) for stack in stacks(chained)] == [2, 2]


ISSUE = f"""\
[Bug]: Storefront.checkout() fails for an empty cart
<!-- Please search the existing issues first. -->
- [x] I have read the guide

### Describe the bug

The method `Storefront.checkout` in webshop/store.py raises for an empty cart, `discount_for` too.

### Steps to reproduce

```python
store = Storefront()
store.checkout(Cart())
```

```
{PYTHON}```

### Environment

webshop 1.2.3
Python: 3.11.4
"""


def test_the_parts_of_an_issue() -> None:
    report = read_report(ISSUE)
    assert report.title == "Storefront.checkout() fails for an empty cart"
    assert report.body == (
        "The method `Storefront.checkout` in webshop/store.py raises for an empty cart, `discount_for` too."
    )
    assert report.code.split("\n") == ["store = Storefront()", "store.checkout(Cart())"]
    assert report.errors == ("TypeError: unhashable type: 'list'",)
    assert [frame.function for frame in report.frames] == ["checkout", "<module>"]
    assert report.names == ("Storefront.checkout", "discount_for")
    assert report.paths == ("webshop/store.py",)
    assert all(getattr(report, part) for part in ("title", "body", "errors", "frames", "code", "names", "paths"))


def test_a_stack_trace_alone_has_its_last_error_as_title() -> None:
    report = read_report(f"{PYTHON}\n{PYTHON.replace('TypeError', 'ValueError')}")
    assert report.title == "ValueError: unhashable type: 'list'"
    assert (report.body, report.code) == ("", "")


def test_an_exception_of_any_name_ends_a_traceback() -> None:
    trace = PYTHON.replace("TypeError: unhashable type: 'list'", "shop.errors.SoldOut: no more 'list'")
    assert read_report(trace).errors == ("shop.errors.SoldOut: no more 'list'",)


def test_unfenced_code_and_repeated_messages() -> None:
    message = "It loses the name\n\nAfter this\n>>> cart = Cart()\n>>> cart.add(line)\nthe line is gone.\n"
    report = read_report(f"{message}\n{message}")
    assert report.title == "It loses the name"
    assert report.body == "After this\nthe line is gone."
    assert report.code == "cart = Cart()\ncart.add(line)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("how is the total of a cart computed", False),
        ("who calls checkout?\n", False),
        ("one\ntwo", False),
        (PYTHON, True),
        (ISSUE, True),
        ("It fails\n```\nx\n```", True),
        ("A title\n\n" + "and a paragraph about what happened then " * 4, True),
        ("", False),
        (None, False),
    ],
)
def test_a_report_has_a_shape(text: object, expected: bool) -> None:
    assert is_report(text) is expected


PIECES = st.sampled_from(
    [PYTHON, IPYTHON, PYTEST, JAVASCRIPT, JAVA, GO, RUST, "```", "# ", "\x00\xff", "标题 崩溃", "\n\n", "a"]
)


@settings(deadline=None)
@given(st.lists(PIECES | st.text(max_size=40), max_size=12).map("".join))
def test_any_text_is_read(text: str) -> None:
    kept = shortened(text)
    report = read_report(kept)
    assert all(frame.line >= 0 and frame.path for frame in report.frames)
    assert len(report.title) + len(report.body) + len(report.code) <= 2 * len(kept)  # an error may be the title too
    assert report == read_report(kept)


LOG = "\n".join(f"2026-01-01 00:00:00 INFO request {number} served" for number in range(100_000))


def test_the_stack_traces_of_a_large_log_are_kept() -> None:
    kept = shortened(f"{LOG}\n{PYTHON}")
    assert len(kept) < 50_000
    report = read_report(kept)
    assert report.frames[0].function == "checkout"
    assert (report.title, report.body) == ("TypeError: unhashable type: 'list'", "")  # no cut line of the log


@pytest.mark.parametrize("traces", [1, 3, 400])
@pytest.mark.parametrize("filler", ["no line ends ", "some words\n", "\n"])
def test_a_shortened_text_has_the_beginning_and_the_last_stack_traces(traces: int, filler: str) -> None:
    text = filler * 3_000 + f"\n{PYTHON}\nand\n{JAVA}{RUST}" * traces + filler * 3_000
    kept = shortened(text)
    assert len(kept) < 2.1 * MOST_PROSE
    assert kept.startswith(text[: MOST_PROSE - 100])
    assert read_report(kept).frames[0] == read_report(RUST).frames[0]


# --------------------------------------------------------------------------- answers


def trace_in(webshop: Workspace, name: str, shift: int = 0) -> str:
    """Return a traceback of another machine that ends in a function of the repository."""
    symbol = webshop.symbol(name)
    line = symbol.span.start_line + 1 + shift
    return (
        'Traceback (most recent call last):\n  File "/usr/lib/python3.11/runpy.py", line 88, in _run_code\n'
        f'    exec(code)\n  File "C:\\\\work\\\\shop\\\\{symbol.path}", line {line}, in {symbol.name}\n    pass\n'
        "ValueError: no such line\n"
    )


def test_a_frame_leads_to_its_symbol_whatever_the_folders_and_lines(webshop: Workspace) -> None:
    for name in ("Storefront.checkout", "CartLine.total"):
        for shift in (0, 400):  # another version of the file
            frames = read_report(trace_in(webshop, name, shift)).frames
            assert [found.symbol.id for found in located(frames, webshop.catalog)] == [webshop.symbol(name).id]


def test_a_traceback_is_answered_by_its_frame(webshop: Workspace) -> None:
    answer = webshop.search(trace_in(webshop, "Storefront.checkout"), timeout=60)
    assert answer.plan.kind == "report"
    assert answer[0].symbol == webshop.symbol("Storefront.checkout")
    assert answer.confidence == "answered"
    assert "2 stack frames (1 in this repository)" in answer.plan.reasons[0].why
    assert {"frames", "graph"} <= {share.lane for share in answer[0].contributions}


def test_localise_asks_for_what_search_recognises(webshop: Workspace) -> None:
    asked, found = webshop.localise(ISSUE, timeout=60), webshop.search(ISSUE, timeout=60)
    assert [hit.chunk.id for hit in asked] == [hit.chunk.id for hit in found]
    assert webshop.localise("the total of a cart is wrong", timeout=60).plan.kind == "report"
    assert webshop.search("the total of a cart is wrong", timeout=60).plan.kind != "report"


def test_an_exception_is_a_report(webshop: Workspace) -> None:
    try:
        {}["total"]
    except KeyError as error:
        answer = webshop.localise(error, timeout=60)
    assert "None of the 1 stack frames is in this repository" in " ".join(answer.notices)


def test_lanes_restrict_the_parts(webshop: Workspace) -> None:
    lanes = [ranking.lane for ranking in webshop.localise(ISSUE, lanes="bm25", timeout=60).rankings]
    assert lanes
    assert not [lane for lane in lanes if lane.endswith(("embedding", "graph"))]
    weighed = webshop.localise(ISSUE, weights={"embedding": 0.0, "bm25": 2.0}, timeout=60)
    once = {share.lane: share.weight for share in webshop.localise(ISSUE, timeout=60)[0].contributions}
    for share in weighed[0].contributions:
        assert not share.lane.endswith("embedding")
        if share.lane.endswith("bm25") and share.lane in once:
            assert share.weight == 2 * once[share.lane]


def test_tests_come_last_unless_the_title_speaks_of_them(webshop: Workspace) -> None:
    body = "\n\nThe cart computes a wrong total when a discount is applied to several lines of the cart at once."
    paths = [hit.path for hit in webshop.localise(f"Cart total is wrong{body}", top_k=200, timeout=60)]
    assert paths
    assert not [path for path in paths if path.startswith("tests/") or path.endswith(".md")]
    named = [hit.path for hit in webshop.localise(f"The tests of the cart total fail{body}", top_k=200, timeout=60)]
    assert [path for path in named[:20] if path.startswith("tests/")]


def test_a_frame_in_a_test_is_found_all_the_same(webshop: Workspace) -> None:
    test = next(symbol for symbol in webshop.symbols if symbol.path.startswith("tests/") and symbol.kind == "function")
    answer = webshop.localise(trace_in(webshop, test.id), top_k=len(webshop.catalog.chunks), timeout=60)
    assert test in [hit.symbol for hit in answer]


def test_parts_are_weighed_and_left_out(webshop: Workspace) -> None:
    usual = webshop.localise(ISSUE, timeout=60)
    without = webshop.localise(ISSUE, weights={"title": 0, "names": 0, "whole": 2}, timeout=60)
    left = {ranking.lane for ranking in usual.rankings} - {ranking.lane for ranking in without.rankings}
    assert left == {"title-bm25", "title-embedding", "names"}
    weights = [{share.lane: share.weight for share in answer[0].contributions} for answer in (usual, without)]
    assert weights[1]["whole-bm25"] == 2 * weights[0]["whole-bm25"]
    with pytest.raises(QuestionError, match="the weight of part title must be a finite number"):
        webshop.localise(ISSUE, weights={"title": -1})
    with pytest.raises(QuestionError, match="unknown lane 'subject'"):
        webshop.localise(ISSUE, weights={"subject": 1})


def test_the_class_and_the_file_around_a_hit_are_evidence(webshop: Workspace) -> None:
    answer = webshop.localise(ISSUE, top_k=len(webshop.catalog.chunks), timeout=60)
    given = {hit.name: {each.signal: each.value for each in hit.adjustments} for hit in answer}
    best = max(share.value for hit in answer for share in hit.contributions if share.lane == "whole-bm25")
    for signal in ("whole file", "whole class"):
        values = [signals.get(signal, 0.0) for signals in given.values()]
        assert (min(values), max(values)) == (0.0, pytest.approx(0.8 * best))
    checkout, cart = given["webshop.storefront.Storefront.checkout"], given["webshop.storefront.Storefront._cart"]
    assert checkout["whole file"] == cart["whole file"]
    assert checkout["whole class"] == cart["whole class"]
    assert given["webshop.storefront"].get("whole class", 0.0) < checkout["whole class"]  # the file without its class
    without = webshop.localise(ISSUE, weights={"whole": 0}, timeout=60)
    assert not {each.signal for hit in without for each in hit.adjustments} & {"whole file", "whole class"}
    half = webshop.localise(ISSUE, weights={"around": 0.5}, top_k=len(webshop.catalog.chunks), timeout=60)
    for hit in half:
        for each in hit.adjustments:
            assert each.signal not in ("whole file", "whole class") or each.value == given[hit.name][each.signal] / 2
    none = webshop.localise(ISSUE, weights={"around": 0}, timeout=60)
    assert not {each.signal for hit in none for each in hit.adjustments} & {"whole file", "whole class"}


def test_an_evaluation_leaves_the_signals_of_a_report_out(webshop: Workspace) -> None:
    bare = Setting.parse("signals=off").engine(webshop.engine).localise(ISSUE, timeout=60)
    assert [hit.adjustments for hit in bare.hits] == [()] * len(bare.hits)
    unnamed = Setting.parse("without=strength").engine(webshop.engine).localise(ISSUE, timeout=60)
    signals = {each.signal for hit in unnamed.hits for each in hit.adjustments}
    assert "strength" not in signals
    assert "whole file" in signals


@pytest.mark.usefixtures("explaining")
def test_the_header_names_the_title_and_the_parts_with_their_weights(webshop: Workspace) -> None:
    answer = webshop.localise(ISSUE, weights={"title": 3}, timeout=60)
    assert set(answer.result.weights) == {ranking.lane for ranking in answer.rankings}
    text = " ".join(repr(answer).split())
    assert "for “Storefront.checkout() fails for an empty cart” How it was found: as a bug report by" in text
    for name, weight in answer.result.weights.items():
        assert f"{name} × {weight:g}" in text if weight != 1 else name in text
    assert "by the meaning of the title" in shown_html(answer)
    assert "for “Storefront.checkout() fails for an empty cart”" in repr(answer.explain(1))
    untitled = webshop.localise("```\ncart.total()\n```", timeout=60)
    assert "hits for “``` cart.total() ```”" in repr(untitled)


# --------------------------------------------------------------------------- bad input


@pytest.mark.parametrize("text", ["", "   \n\t\n", "<!-- nothing -->\n\n- [ ] read the guide\n"])
def test_an_empty_report_is_refused(webshop: Workspace, text: str) -> None:
    with pytest.raises(QuestionError, match="the report is empty; paste"):
        webshop.localise(text)


def test_bytes_are_refused(webshop: Workspace) -> None:
    with pytest.raises(QuestionError, match="a report is a string, not bytes"):
        webshop.localise(b"Traceback")  # type: ignore[arg-type]


def parts_told(answer: SearchAnswer) -> str:
    """Return the parts that an answer says it has read."""
    assert answer.plan.kind == "report"
    told = answer.plan.reasons[0].why
    assert told in " ".join(repr(answer.explain(1)).split()) if len(answer) else told
    return told.removeprefix("read as a bug report: ")


def test_a_large_log_tells_what_was_read(webshop: Workspace) -> None:
    answer = webshop.localise(f"{LOG}\n{trace_in(webshop, 'CartLine.total')}", timeout=60)
    assert answer[0].symbol == webshop.symbol("CartLine.total")
    assert parts_told(answer) == "title, code, 1 error message, 2 stack frames (1 in this repository)"
    (read,) = [notice for notice in answer.notices if "characters" in notice]
    assert re.fullmatch(
        r"The report has 4,589,\d+ characters; 20,2\d\d were read: its beginning, and stack traces .*", read
    )
    why = answer.explain(1)  # it reads the text that was kept, not a part of it
    assert all(lane.rounding < 1e-6 and lane.parts for lane in why.lanes)


def test_a_traceback_of_another_program(webshop: Workspace) -> None:
    answer = webshop.localise(JAVA, timeout=60)
    assert parts_told(answer) == "title, 1 error message, 2 stack frames (0 in this repository), 1 name"
    assert any("None of the 2 stack frames is in this repository" in notice for notice in answer.notices)
    assert answer.confidence == "none"


def test_frames_outside_are_told(webshop: Workspace) -> None:
    outside = PYTHON.replace("webshop/store.py", "../../../../etc/passwd").replace("checkout", "\x1b[31mroot")
    answer = webshop.localise(outside, timeout=60)
    assert parts_told(answer).endswith("2 stack frames (0 in this repository)")
    (notice,) = [notice for notice in answer.notices if "None of the 2 stack frames" in notice]
    assert "etc/passwd" in notice
    assert "\x1b" not in repr(answer)


def test_binary_junk_is_answered_without_confidence(webshop: Workspace) -> None:
    junk = "".join(chr(code % 256) for code in range(0, 40_000, 7))
    answer = webshop.localise(junk, timeout=60)
    assert parts_told(answer).startswith("title, body")
    assert answer.confidence == "none"
    assert "\x07" not in repr(answer)


@pytest.mark.parametrize("text", ["\0" * 5_000, "...\n---\n!!!\n"])
def test_a_report_without_words_has_no_hits(webshop: Workspace, text: str) -> None:
    answer = webshop.localise(text, timeout=60)
    assert parts_told(answer) in ("title", "title, body")
    assert (len(answer), answer.confidence) == (0, "none")
    assert answer.notices == ("The report has no word. Give words, or search for signs and operators with grep.",)


def test_a_report_in_chinese_is_answered_by_the_names_in_it(webshop: Workspace) -> None:
    text = "结账时崩溃\n\n调用 `Storefront.checkout` 时总是出错,购物车为空的时候也一样。"
    answer = webshop.localise(text, timeout=60)
    assert parts_told(answer) == "title, body, 1 name"
    assert answer[0].symbol == webshop.symbol("Storefront.checkout")
    assert answer.confidence == "weak"  # no word of the title is here, but the name is
    nothing = webshop.localise("结账时崩溃\n\n购物车为空的时候也一样。", timeout=60)
    assert (len(nothing), nothing.confidence) == (0, "none")


def test_each_chunk_has_the_innermost_owner_of_a_kind(webshop: Workspace) -> None:
    catalog = webshop.catalog
    for kinds in (TYPE_KINDS, frozenset({"method"}), frozenset({"module"}), frozenset()):
        owners = catalog.chunk_owners(kinds).tolist()
        for chunk, owner in zip(catalog.chunks, owners, strict=True):
            symbol = catalog.symbol_of(chunk)
            while symbol is not None and symbol.kind not in kinds:
                symbol = None if symbol.parent is None else catalog.symbol(symbol.parent)
            assert (catalog.symbols[owner] if owner >= 0 else None) == symbol

"""Tab in a real IPython shell, and the names behind it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeexplore.workspace.view import complete
from tests.doubles import make_catalog, make_symbol
from tests.shells import offered


def catalog_of(*fqns):
    return make_catalog([make_symbol(fqn, path=f"src/{index}.py") for index, fqn in enumerate(fqns)], ())


NAMES = catalog_of(
    "app.session", "app.session.Session", "app.session.Session.get", "app.session.Session.get_all", "app.session.send",
    "app.cart.Cart", "app.cart.Cart.get", "crate::net::Socket", "crate::net::Socket::open", "has space", "app.Twin",
    "lib.Twin", "lib.Twin.reach",
)  # fmt: skip


@pytest.mark.parametrize(
    ("prefix", "names"),
    [
        ("Ses", ["Session", "session"]),
        ("ses", ["session", "Session"]),
        ("get", ["get", "get_all"]),
        ("Session.g", ["Session.get", "Session.get_all"]),
        ("app.", ["app.Twin", "app.cart", "app.session"]),
        ("app.session.s", ["app.session.send"]),
        ("app.session.Session.", ["app.session.Session.get", "app.session.Session.get_all"]),
        ("Socket::", ["Socket::open"]),
        ("crate::n", ["crate::net"]),
        ("Twin.", ["Twin.reach"]),
        ("nothing", []),
        ("nothing.", []),
        (".", []),
        ("has", []),
    ],
)
def test_a_beginning_grows_to_names(prefix, names):
    assert list(complete(NAMES, prefix)) == names


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="agSs.:_", max_size=12))
def test_what_is_offered_begins_as_typed_and_exists(prefix):
    for name in complete(NAMES, prefix):
        assert name.casefold().startswith(prefix.casefold())
        assert any(name in symbol.fqn for symbol in NAMES.symbols)


def test_many_symbols_offer_few():
    many = catalog_of(*(f"pkg{n % 400}.mod.Class{n}.method_{n % 7}" for n in range(20_000)))
    assert len(complete(many, "")) == 7
    assert len(complete(many, "pkg", limit=60)) == 0
    assert len(complete(many, "pkg1.mod.", limit=20)) == 20
    assert len(complete(many, "method", limit=60)) == 7
    assert complete(many, "pkg1.")[0] == "pkg1.mod"
    assert len(complete(many, "pkg1.mod.", limit=1000)) == 50


# --------------------------------------------------------------------------- in a shell


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("%callers validate_s", "validate_session"),
        ("%callers Storefront.che", "Storefront.checkout"),
        ("%callers --depth 2 validate_s", "validate_session"),
        ("found = %callees checko", "checkout"),
        ("x = 1\n%impact Mon", "Money"),
        ("%implementors PaymentG", "PaymentGateway"),
        ("%paths Storefront.checkout luhn", "luhn_valid"),
        ("%why Storefront.checkout luhn", "luhn_valid"),
        ("%uses IDLE", "IDLE_LIMIT"),
        ("%overrides PaymentG", "PaymentGateway"),
        ("%survey dead", "dead_code"),
        ("%related validate_s", "validate_session"),
        ("%ask what calls validate_s", "validate_session"),
        ("%%ask what calls validate_s", "validate_session"),
        ("%source webshop/sess", "webshop/sessions.py"),
        ("%source validate_s", "validate_session"),
        ("%callers webshop.sess", "webshop.sessions"),
        ("%callers VALIDATE_S", "validate_session"),
        ('ws["validate_s', "validate_session"),
        ("ws['Storefront.che", "Storefront.checkout"),
        ("print(ws['validate_s", "validate_session"),
    ],
)
def test_symbols_complete(loaded, typed, expected):
    names = offered(loaded, typed)
    assert names[0] == expected or (expected in names and all(n.startswith(expected[:4]) for n in names))


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("%ask --la", ["--lanes", "--lang"][:1]),
        ("%ask --rrf", ["--rrf-k"]),
        ("%ask --lanes b", ["bm25"]),
        ("%ask --lanes bm25,gr", ["bm25,graph"]),
        ("%ask --fusion rr", ["rrf"]),
        ("%ask --kind meth", ["method"]),
        ("%ask --lang py", ["python"]),
        ("%callers --workspace w", ["ws"]),
        ("%callers -w w", ["ws"]),
        ("%workspace sw", ["switch"]),
        ("%workspace switch ", ["ws"]),
        ("%explain --j", ["--json"]),
    ],
)
def test_options_and_their_values_complete(loaded, typed, expected):
    assert offered(loaded, typed)[: len(expected)] == expected


def test_a_path_filter_completes(loaded):
    assert "webshop/sessions.py" in offered(loaded, "%ask money --path webshop/se")


def test_every_magic_completes_its_options(loaded):
    from codeexplore.notebook.extension import magic_classes

    loaded.Completer.use_jedi = False  # it knows no magics, and takes its time
    for group in magic_classes():
        for name in group.magics["line"]:
            parser = getattr(group, name).parser
            known = [option for option in parser._option_string_actions if option.startswith("--")]
            assert set(known) <= set(offered(loaded, f"%{name} --")) or not known


def test_others_are_asked_when_ours_know_nothing(loaded):
    loaded.push({"my_variable": 1})
    assert "my_variable" in offered(loaded, "print(my_var")
    assert "%callers" in offered(loaded, "%calle")
    loaded.push({"table": {"key_one": 1}})
    assert any("key_one" in name for name in offered(loaded, "table['key_"))


def test_keys_complete_without_the_extension(shell, webshop):
    from codeexplore.notebook.extension import attach

    attach(shell)
    attach(shell)
    shell.push({"shop": webshop})
    assert offered(shell, 'shop["validate_s')[0] == "validate_session"
    assert (
        len([m for m in shell.Completer.custom_matchers if "codeexplore" in getattr(m, "matcher_identifier", "")]) == 1
    )


def test_a_workspace_hands_out_no_endless_list(webshop):
    assert len(webshop._ipython_key_completions_()) <= 2_000


def test_without_a_workspace_nothing_is_offered_and_nothing_breaks(shell, capsys):
    shell.run_line_magic("load_ext", "codeexplore")
    assert "validate_session" not in offered(shell, "%callers validate_s")
    assert capsys.readouterr().err == ""

"""Results in hosts other than JupyterLab: marimo, and a document that nbconvert makes; the extension is not loaded."""

import base64
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import expect

from codeexplore import Workspace
from codeexplore.notebook.explorer import Explorer
from tests.browser.conftest import ROOT, end_sessions
from tests.browser.journeys import JOURNEYS, ask, walk_all
from tests.browser.pages import PATIENCE, exported, picture, run_all

CELLS = (
    "ws",
    "ws.search('how are expired sessions handled?')",
    "ws.search('money')[0]",
    "ws.symbol('Money')",
    "ws.callers('validate_session', depth=2)",
    "ws.source('webshop.sessions.Session')",
    "ws.grep('session')",
    "ws.status()",
    "ws.search('money').explain(1)",
)
START = "from codeexplore import Workspace\nws = Workspace({root!r}, cache=False, workers=0)"
WEBSHOP = str(ROOT / "sample_repos" / "webshop")
# the contrast of each text with the page behind it, by WCAG's formula, as the browser mixes the colours
CONTRASTS = """() => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgb = (...colours) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (node) => {
    const found = [];
    for (let each = node; each; each = each.parentElement ?? each.getRootNode().host)
      found.unshift(getComputedStyle(each).backgroundColor);
    return ['white', ...found];
  };
  const found = {};
  for (const node of document.querySelectorAll('.codeexplore :is(.ck,.cs,.cc,.cm,.cn,.ct,.cd,.ce-n,.ce-dim,.ce-copy,' +
      '.ce-place,td,mark)')) {
    if (!node.checkVisibility()) continue;
    const back = behind(node), text = getComputedStyle(node).color;
    const [a, b] = [light(rgb(...back)), light(rgb(...back, text))].sort((x, y) => y - x);
    const key = node.className || node.localName;
    found[key] = Math.min(found[key] ?? 99, (a + 0.05) / (b + 0.05));
  }
  return found;
}"""


def marimo_notebook(folder, root, *cells):
    body = [START.format(root=root), *cells]
    names = ["" if n else "ws" for n in range(len(body))]
    functions = [
        f"@app.cell\ndef _({'' if name else 'ws'}):\n"
        + "".join(f"    {line}\n" for line in text.splitlines())
        + f"    return {'(ws,)' if name else ''}\n"
        for name, text in zip(names, body, strict=True)
    ]
    notebook = folder / "answers.py"
    notebook.write_text("import marimo\n\napp = marimo.App(width='full')\n\n\n" + "\n\n".join(functions))
    return notebook


@pytest.fixture
def marimo(tmp_path):
    """marimo(*cells) serves a notebook in marimo and gives its address."""
    pytest.importorskip("marimo", reason="marimo is not installed: pip install marimo (in the extra dev)")
    started = []

    def serve(root, *cells):
        notebook = marimo_notebook(tmp_path, root, *cells)
        config = tmp_path / "config" / "marimo"
        config.mkdir(parents=True)
        (config / "marimo.toml").write_text('[display]\ntheme = "system"\n')
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        command = [sys.executable, "-m", "marimo", "run", "--headless", "--no-token", f"--port={port}", str(notebook)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CONFIG_HOME": str(tmp_path / "config")}
        log = (tmp_path / "marimo.log").open("w")
        started.append((subprocess.Popen(command, env=environment, stdout=log, stderr=log), log))
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}", timeout=PATIENCE).close()
            except OSError:
                time.sleep(0.25)
            else:
                return f"http://127.0.0.1:{port}"
        pytest.fail((tmp_path / "marimo.log").read_text())

    yield serve
    for process, log in started:
        process.terminate()
        process.wait(PATIENCE)
        log.close()


def readable(page, shown):
    page.wait_for_function("n => document.querySelectorAll('.codeexplore').length >= n", arg=shown)
    page.evaluate("document.querySelectorAll('.codeexplore details').forEach(each => each.open = true)")
    found = page.evaluate(CONTRASTS)
    assert {"ck", "cs", "ce-dim", "ce-place", "td"} <= set(found)
    assert {name: ratio for name, ratio in found.items() if ratio < 4.5} == {}
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_marimo_shows_every_result_in_its_theme(marimo, page, asked):
    page.emulate_media(color_scheme="light")
    page.goto(marimo(WEBSHOP, *CELLS))
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        page.wait_for_function("theme => getComputedStyle(document.body).colorScheme === theme", arg=theme)
        for width in (480, 900):
            page.set_viewport_size({"width": width, "height": 1000})
            readable(page, len(CELLS))
            picture(page, f"marimo-{theme}-{width}")
    assert page.get_by_text("SessionManager.purge_expired").first.is_visible()
    assert page.get_by_text("object at 0x").count() == 0
    assert [url for url in asked if "codeexplore" in url] == []
    assert page.locator(".ce-copy:visible").count() == 0  # marimo removes scripts: no button without effect


HOSTILE = "<img src=x onerror=window.ran=1>"


@pytest.fixture
def hostile(tmp_path):
    folder = tmp_path / HOSTILE
    folder.mkdir()
    (folder / f"{HOSTILE}.py").write_text(
        f"def caller():\n    '''{HOSTILE} <script>window.ran=1</script>'''\n    return called('{HOSTILE}')\n\n\n"
        f"def called(text):\n    return '{HOSTILE} <svg onload=window.ran=1>'\n"
    )
    return folder


def test_nothing_of_a_hostile_repository_runs_in_marimo(marimo, page, hostile):
    cells = ("ws", "ws.search('caller')", "ws.callers('called')", "ws.source('caller')", "ws.grep('img')")
    page.goto(marimo(str(hostile), *cells, "ws.explore('caller')"))
    page.wait_for_function("n => document.querySelectorAll('.codeexplore').length >= n", arg=len(cells))
    hostile_journey(page.locator(".ce-explorer").first)
    page.evaluate("document.querySelectorAll('.codeexplore details').forEach(each => each.open = true)")
    page.wait_for_timeout(500)
    assert page.get_by_text("onerror=window.ran=1").count() > 0
    assert page.evaluate("window.ran") is None
    assert page.locator(".codeexplore :is(script, img[src=x], svg[onload])").count() == 0


def test_a_converted_notebook_shows_every_result_without_a_kernel(page):
    """The notebook is run by nbclient and converted by nbconvert, as Quarto and mkdocs-jupyter do."""
    import nbformat
    from nbclient import NotebookClient
    from nbconvert import HTMLExporter, MarkdownExporter

    cells = [nbformat.v4.new_code_cell(cell) for cell in (START.format(root=WEBSHOP), *CELLS)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, timeout=int(PATIENCE) * 4, kernel_name="python3").execute()
    for cell in notebook.cells[1:]:
        assert {"text/plain", "text/html", "text/markdown"} <= set(cell.outputs[0].data)
    for theme in ("light", "dark"):
        html, _ = HTMLExporter(theme=theme, require_js_url="", mathjax_url="").from_notebook_node(notebook)
        page.set_content(html)
        readable(page, len(CELLS))
        picture(page, f"nbconvert-{theme}")
        page.locator(".ce-copy:visible").first.click()
        expect(page.locator(".ce-copy:visible").first).to_have_text("✓")
    for cell in notebook.cells[1:]:
        del cell.outputs[0].data["text/html"]
    text, _ = MarkdownExporter().from_notebook_node(notebook)
    assert re.search(r"\| 1 \| `webshop.sessions.SessionManager.purge_expired`", text)
    assert json.dumps(notebook).count("<script") == 0


# --------------------------------------------------------------------------- the explorer


EXPLORERS = ("ws.explore()", "ws.explore('what calls validate_session?')")


def other_is_apart(page):
    other = page.locator(".ce-explorer").nth(1)
    expect(other.get_by_role("combobox", name="Question or name")).to_have_value("what calls validate_session?")
    expect(other.locator(".ce-hit").first).to_be_visible()


def test_the_explorer_in_marimo(marimo, page):
    page.goto(marimo(WEBSHOP, *EXPLORERS))
    explorer = page.locator(".ce-explorer").first
    explorer.locator(".ce-starters").wait_for(timeout=2e3 * PATIENCE)
    walk_all(explorer)
    other_is_apart(page)
    explorer.get_by_role("button", name="Pin", exact=True).click()
    expect(explorer.get_by_role("alert")).to_contain_text("output beside the explorer")
    assert page.get_by_text("not supported").count() == 0
    page.reload()  # marimo runs the notebook anew for each page
    other_is_apart(page)


def test_a_page_that_marimo_exports_has_results_and_a_sentence_for_the_explorer(browser, tmp_path):
    marimo = pytest.importorskip("marimo", reason="marimo is not installed: pip install marimo (in the extra dev)")
    notebook, exported_page = marimo_notebook(tmp_path, WEBSHOP, EXPLORERS[0], CELLS[1]), tmp_path / "answers.html"
    command = [sys.executable, "-m", "marimo", "export", "html", str(notebook), "-o", str(exported_page)]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True, capture_output=True)
    files = Path(marimo.__file__).parent / "_static"

    def installed(route):  # in place of the network, from which the page takes marimo's own scripts
        file = files / route.request.url.partition("/dist/")[2]
        if file.is_file():
            route.fulfill(path=file, headers={"Access-Control-Allow-Origin": "*"})
        else:
            route.abort()

    page = browser.new_page()
    page.route(re.compile("^https:"), installed)
    page.goto(exported_page.as_uri())
    expect(page.get_by_text("No kernel has answered yet")).to_be_visible()
    expect(page.get_by_text("SessionManager.purge_expired").first).to_be_visible()
    page.close()


def hostile_journey(explorer):
    explorer.locator(".ce-hit-name", has_text="caller").first.click()
    expect(explorer.locator(".ce-source")).to_contain_text("onerror=window.ran=1")
    explorer.locator(".ce-source a.ce-link", has_text="called").first.hover()
    explorer.locator(".ce-source a.ce-link", has_text="called").first.click()
    expect(explorer.locator(".ce-source")).to_contain_text("svg onload")
    assert explorer.evaluate("() => window.ran") is None
    assert explorer.locator(":is(script, img, svg[onload])").count() == 0


@pytest.fixture
def notebook7(lab, page, request):
    """notebook7(*cells) runs a new notebook in Notebook 7 and gives its address."""
    pytest.importorskip("notebook", reason="Notebook 7 is not installed: pip install notebook (in the extra dev)")
    import nbformat

    def run(root, *cells, shows=".ce-explorer"):
        name = f"{request.node.name}.ipynb"
        kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)"}
        every = [nbformat.v4.new_code_cell(cell) for cell in (START.format(root=root), *cells)]
        nbformat.write(nbformat.v4.new_notebook(cells=every, metadata={"kernelspec": kernel}), lab.root / name)
        lab.start_session(name)
        address = f"{lab.url}/notebooks/{name}?token={lab.token}"
        page.goto(address)
        page.locator(".jp-CodeCell").first.wait_for(timeout=2e3 * PATIENCE)
        missing = run_all(page, len(every), shows, len(cells))
        assert not missing, missing
        return address

    yield run
    end_sessions(lab)


def test_the_explorer_in_notebook_7(notebook7, lab, page):
    address = notebook7(WEBSHOP, *EXPLORERS)
    explorer = page.locator(".ce-explorer").first
    walk_all(explorer)
    other_is_apart(page)
    ask(explorer, "normalizeLink")  # in the repository that the last journey opened
    explorer.locator(".ce-hit-name").first.click()
    expect(page.locator(".ce-still").first).to_contain_text("def normalizeLink")  # right behind the answer
    explorer.get_by_role("button", name="Pin", exact=True).click()
    pins = page.locator(
        ".jp-OutputArea-output:not(:has(.ce-root)):not(:has(.ce-still))", has_text="hits for “normalizeLink"
    )
    expect(pins.get_by_role("table").first).to_be_visible()
    file = lab.root / address.partition("?")[0].rpartition("/")[2]
    end = time.monotonic() + PATIENCE
    while not re.search("def normalizeLink(?s:.*)hits for </b>", file.read_text("utf-8")):
        assert time.monotonic() < end
        page.keyboard.press("Control+s")
        page.wait_for_timeout(300)
    exported(page, json.loads(file.read_text("utf-8")))
    page.goto(address)  # the kernel is alive: the place is there again
    expect(page.locator(".ce-explorer").first.locator(".ce-source")).to_contain_text("def normalizeLink")
    end_sessions(lab)
    page.goto(f"{lab.url}/notebooks/{address.rpartition('/')[2]}")  # no kernel knows the widget
    expect(page.locator(".ce-still").first).to_contain_text("Explorer of markdown_it")
    expect(page.locator(".ce-still").first).to_contain_text("def normalizeLink")
    expect(page.locator(".ce-still").first).to_be_visible()
    expect(pins.get_by_role("table").first).to_be_visible()


def test_notebook_7_shows_every_result_and_runs_nothing_of_a_hostile_repository(notebook7, page, asked, hostile):
    explored = f"Workspace({str(hostile)!r}, cache=False, workers=0).explore('caller')"
    notebook7(WEBSHOP, *CELLS, explored, shows=".jp-OutputArea-output :is(.codeexplore, .ce-explorer)")
    hostile_journey(page.locator(".ce-explorer").first)
    readable(page, len(CELLS))
    picture(page, "notebook7")
    assert page.get_by_text("object at 0x").count() == 0
    assert asked == []


# VS Code and Colab show a widget in a frame of another origin: no extension, no storage, no clipboard, own variables
FRAME = """<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none';
 script-src 'unsafe-inline' blob:; style-src 'unsafe-inline'; img-src data:">
<style>:root { color-scheme: dark; --vscode-editor-background: #1e1e1e; --vscode-editor-foreground: #cccccc }</style>
<body><script type="module">
const heard = [], state = STATE, el = document.body.appendChild(document.createElement("div"));
const model = {
  get: key => state[key], set: (key, value) => { state[key] = value; }, save_changes() {}, off() {},
  on(event, act) { if (event === "msg:custom") heard.push(act); }, send: message => parent.postMessage(message, "*"),
};
addEventListener("message", ({data: [message, buffers]}) => {
  const views = buffers.map(text => new DataView(Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer));
  heard.forEach(act => act(message, views));
});
const url = URL.createObjectURL(new Blob([LOADER], {type: "text/javascript"}));
(await import(url)).default.render({model, el, signal: new AbortController().signal});
</script>"""
AROUND = """<script>addEventListener("message", async ({data, source}) => {
  for (const answer of await toPython(data)) source.postMessage(answer, "*");
})</script>"""


def framed_explorer(page, root, question=""):
    """An explorer of this process in a frame of another origin."""
    explorer = Explorer(Workspace(root, cache=False, workers=0, progress=lambda *_: None), question)
    sent = []
    explorer.send = lambda message, buffers=None: sent.append(
        [message, [base64.b64encode(each).decode() for each in buffers or ()]]
    )

    def to_python(message):
        sent.clear()
        explorer._heard(explorer, message)
        explorer.wait(PATIENCE)
        return list(sent)

    page.expose_function("toPython", to_python)
    state = {key: explorer.get_state(key)[key] for key in ("version", "title", "question", "options", "place")}
    framed = FRAME.replace("STATE", json.dumps(state)).replace("LOADER", json.dumps(explorer._esm))
    attribute = framed.replace("&", "&amp;").replace('"', "&quot;")
    page.set_content(f'{AROUND}<iframe sandbox="allow-scripts" width=1000 height=900 srcdoc="{attribute}"></iframe>')
    return page.frame_locator("iframe").locator(".ce-explorer")


def test_nothing_of_a_hostile_repository_runs_in_a_frame(page, hostile):
    hostile_journey(framed_explorer(page, hostile, "caller"))


def test_the_explorer_in_a_frame_of_another_origin_without_extension(page):
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    shown = framed_explorer(page, WEBSHOP)
    walk_all(shown, JOURNEYS[:-1])  # this frame hears of no traits, as those of another repository
    assert shown.locator(".ce-root").evaluate("root => getComputedStyle(root).backgroundColor") == "rgb(30, 30, 30)"
    shown.get_by_role("button", name="Python code", exact=True).click()
    shown.locator(".ce-code-box button").click()
    expect(shown.locator(".ce-status")).to_have_text("Copied.")
    shown.get_by_role("button", name="Pin").click()
    expect(shown.get_by_role("alert")).to_contain_text("output beside the explorer")
    picture(page, "frame")
    assert errors == []

"""A real browser and a real JupyterLab.

The browser is the machine's own (CHROMIUM names one), driven by Playwright; nothing is downloaded. Every request that
leaves the machine is refused and counted.
"""

import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.browser.pages import PATIENCE, run_all

ROOT = Path(__file__).resolve().parents[2]
FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-sync",
    "--no-first-run",
)
COMPLETER = "@jupyterlab/completer-extension/manager.jupyterlab-settings"
ELSEWHERE = re.compile(r"^(?!http://127\.0\.0\.1:|data:|blob:|about:)")
NO_BRACKETS = str.maketrans("[]", "--")
NOTIFICATIONS = "@jupyterlab/apputils-extension/notification.jupyterlab-settings"
TRACKER = "@jupyterlab/notebook-extension/tracker.jupyterlab-settings"
THEMES = "@jupyterlab/apputils-extension/themes.jupyterlab-settings"


def pytest_collection_modifyitems(items):
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker("browser")
            if "lab" in item.fixturenames:
                item.add_marker("slow")
            item.add_marker(pytest.mark.timeout(600))  # a notebook may have to be opened twice


@pytest.fixture(scope="session")
def chromium():
    """Path of the machine's Chromium or Chrome."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if found is None:
        message = "no Chromium or Chrome here; install one or set CHROMIUM=/path/to/it"
        if os.environ.get("CODEEXPLORE_NEEDS_BROWSER"):
            pytest.fail(message)
        pytest.skip(message)
    return found


@pytest.fixture(scope="module")
def browser(chromium):
    """A browser per module: Playwright keeps an event loop running, which other modules' tests must not meet."""
    from playwright.sync_api import sync_playwright

    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    flags = [*FLAGS, "--no-sandbox"] if as_root else list(FLAGS)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=flags)
        yield started
        started.close()


@pytest.fixture(autouse=True)
def patience():
    """A kernel answers when the machine lets it."""
    from playwright.sync_api import expect

    expect.set_options(timeout=PATIENCE * 1e3)
    yield
    expect.set_options(timeout=5_000)


@pytest.fixture
def asked():
    """URLs that a page tried to fetch from beyond this machine."""
    return []


@pytest.fixture
def page(browser, asked):
    """A page whose requests to other machines are refused and noted."""
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    context.set_default_timeout(PATIENCE * 1e3)

    def refuse(request_route):
        asked.append(request_route.request.url)
        request_route.abort()

    context.route(ELSEWHERE, refuse)
    yield context.new_page()
    context.close()


class Lab:
    """One JupyterLab server on a free port, with its own configuration; `root` holds its notebooks."""

    def __init__(self, root):
        self.root = root
        self.token = secrets.token_hex(8)
        self.configure(NOTIFICATIONS, {"fetchNews": "false", "checkForUpdates": False})
        # cells out of sight stay in the page, and nobody is asked for a kernel
        self.configure(TRACKER, {"windowingMode": "none", "autoStartDefaultKernel": True})
        folders = {f"JUPYTER_{name}_DIR": str(root / f".{name}") for name in ("CONFIG", "DATA", "RUNTIME")}
        self.configure(COMPLETER, {"providerTimeout": int(PATIENCE * 1e3)})  # a second is little for a busy kernel
        # the kernel finds the same codeexplore as these tests; warnings are the tests' to make errors, not Jupyter's
        environment = {
            **os.environ,
            **folders,
            "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH")))),
            "IPYTHONDIR": str(root / ".ipython"),
            "CODEEXPLORE_CACHE": str(root / ".cache"),
        }
        self.log = root / "lab.log"
        if not any(self._starts(environment) for _ in range(3)):  # somebody else may take the port meanwhile
            pytest.fail(self.log.read_text())

    def _starts(self, environment):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1",
                   f"--port={self.port}", "--ServerApp.port_retries=0", f"--ServerApp.root_dir={self.root}",
                   f"--IdentityProvider.token={self.token}", "--LabApp.expose_app_in_browser=True"]  # fmt: skip
        with self.log.open("w") as log:
            self.process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        end = time.monotonic() + 2 * PATIENCE
        while self.process.poll() is None and time.monotonic() < end:
            try:
                self.call("kernelspecs")
                return True
            except OSError:
                time.sleep(0.25)
        self.close()
        return False

    def configure(self, plugin, settings):
        path = self.root / ".CONFIG" / "lab" / "user-settings" / plugin
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(settings))

    def dark(self, dark):
        """Choose the theme that the next page opens in."""
        self.configure(THEMES, {"theme": "JupyterLab Dark" if dark else "JupyterLab Light"})

    def call(self, route, given=None):
        """Ask the server's REST interface, or give it something."""
        request = urllib.request.Request(
            f"{self.url}/api/{route}",
            data=None if given is None else json.dumps(given).encode(),
            headers={"Authorization": f"token {self.token}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)

    def start_session(self, name):
        """Start a notebook's kernel, for JupyterLab to find: while it starts one itself it may lose what it asks."""
        self.call("sessions", {"path": name, "name": name, "type": "notebook", "kernel": {"name": "python3"}})

    def end_session(self, session_id):
        url = f"{self.url}/api/sessions/{session_id}"
        headers = {"Authorization": f"token {self.token}"}
        urllib.request.urlopen(urllib.request.Request(url, method="DELETE", headers=headers), timeout=PATIENCE).close()

    def open(self, page, name):
        page.goto(f"{self.url}/lab/tree/{quote(name)}?reset&token={self.token}")

    def close(self):
        self.process.terminate()
        self.process.wait(2 * PATIENCE)


@pytest.fixture(scope="session")
def lab(chromium, tmp_path_factory):
    server = Lab(tmp_path_factory.mktemp("lab"))
    yield server
    server.close()


@pytest.fixture
def run_notebook(lab, page, request):
    """run_notebook(*cells) opens a new notebook in JupyterLab, runs every cell and gives the page.

    Then the page shows `count` elements that the selector `shows` finds.
    """

    import nbformat  # takes seconds: only where it is used

    dialog = page.locator(".jp-Dialog")  # now and then JupyterLab asks for a kernel all the same
    page.add_locator_handler(dialog, lambda found: found.locator("button.jp-mod-accept").click())

    def run(*cells, shows=".jp-OutputArea-output", count=1):
        kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)"}
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(cell) for cell in cells], metadata={"kernelspec": kernel}
        )
        shown = []
        for attempt in range(3):  # JupyterLab may lose what it asks of a kernel that is still starting: then a new one
            name = f"{request.node.name.translate(NO_BRACKETS)}{attempt or ''}.ipynb"
            nbformat.write(notebook, lab.root / name)
            lab.start_session(name)
            lab.open(page, name)
            page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]').wait_for(timeout=2e3 * PATIENCE)
            shown = run_all(page, len(cells), shows, count)
            if not shown:
                return page
            end_sessions(lab)
        pytest.fail(f"JupyterLab never ran the cells: {shown}")

    yield run
    end_sessions(lab)


def end_sessions(lab):
    for session in lab.call("sessions"):
        lab.end_session(session["id"])


@pytest.fixture
def saved_notebook(lab, page, request):
    """saved_notebook(html) shows a stored output that nobody here has run: JupyterLab does not trust it."""
    import nbformat

    def show(html):
        name = f"{request.node.name.translate(NO_BRACKETS)}.ipynb"
        output = nbformat.v4.new_output("display_data", {"text/html": html})
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("", outputs=[output])])
        nbformat.write(notebook, lab.root / name)
        lab.open(page, name)
        page.locator(".jp-OutputArea-output").first.wait_for(timeout=2e3 * PATIENCE)
        return page

    yield show
    end_sessions(lab)

# Each target works on a fresh machine: it makes .venv and installs into it when needed, and needs no network after that.
VENV   ?= .venv
PYTHON ?= python3
REPO   ?=

PY    := $(VENV)/bin/python
# one process of tests more than there are cores: for a third of their time, tests wait for a browser, a kernel or a child
WORKERS = $(shell $(PY) -c 'import os; print((os.cpu_count() or 1) + 1)')
STAMP := $(VENV)/.installed$(if $(filter-out 0,$(COMPILED)),-compiled)
# a busy machine may take its time to start a kernel, and to hand its last output over
EXECUTE := $(PY) -m nbconvert --log-level=WARN --to html --execute --output-dir out \
  --ExecutePreprocessor.startup_timeout=300 --ExecutePreprocessor.iopub_timeout=60

# COMPILED=1 with install, or with any other target, installs the compiled form (hatch_build.py) instead of the checkout
# `make wheel` compiles where there is a C compiler; COMPILED=1 fails where there is none, COMPILED=0 never compiles
ifdef COMPILED
export CODEEXPLORE_COMPILED := $(COMPILED)
endif

.DEFAULT_GOAL := help
.PHONY: help install wheel demo lab test lint front same docs notebooks refresh check beside bench fuzz clean

help: ## show this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

install: $(STAMP) ## make .venv and install everything (the other targets do so themselves)

# Reinstalled only when pyproject.toml changes: the checkout is installed in place.
$(STAMP): pyproject.toml
	@test -x $(PY) || { \
	  $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	    || { echo "codeexplore needs Python 3.11 or newer: make $(MAKECMDGOALS) PYTHON=/path/to/python3.11" >&2; exit 1; }; \
	  $(PYTHON) -m venv $(VENV) \
	    || { echo "Python's venv module is missing (Debian: apt install python3-venv)" >&2; rm -rf $(VENV); exit 1; }; }
	$(PY) -m pip install --disable-pip-version-check --quiet --upgrade pip # the bundled pip resolves at half the speed
	CODEEXPLORE_COMPILED=$(or $(COMPILED),0) $(PY) -m pip install --disable-pip-version-check --quiet --no-compile \
	  $(if $(filter-out 0,$(COMPILED)),,--editable) '.[dev,docs,lab]'
	@$(PY) -m compileall -qq -j 0 -x '/tests/' $(VENV)/lib || true # on every core; some packages hold templates of Python
	@rm -f $(VENV)/.installed*
	@touch $@

wheel: $(STAMP) ## build the wheel into out/, compiled where there is a C compiler (COMPILED=0: plain Python)
	$(PY) -m pip wheel --disable-pip-version-check --quiet --no-deps --wheel-dir out .

demo: $(STAMP) ## ask a sample repository three questions, run the quickstart notebook (yours: make demo REPO=path)
	$(VENV)/bin/codeexplore demo $(if $(REPO),'$(REPO)')
	$(EXECUTE) notebooks/quickstart.ipynb
	@echo "The quickstart notebook, executed: out/quickstart.html. Open it in JupyterLab: make lab"

lab: $(STAMP) ## open the notebooks in JupyterLab
	$(PY) -m jupyterlab notebooks

test: $(STAMP) ## run the tests, but for those marked slow: SLOW=1 runs these too (browser tests need Chromium or Chrome)
	$(PY) -m pytest --numprocesses $(WORKERS) $(if $(SLOW),,-m 'not slow') $(ARGS)

lint: $(STAMP) ## style, types and import contracts
	$(PY) -m ruff check
	$(PY) -m ruff format --check
	$(PY) -m mypy
	$(VENV)/bin/lint-imports --no-logo

front: ## check, test and build the explorer's page, and compare it with what is committed (needs Node and npm's registry)
	@command -v npm >/dev/null || { echo "front: skipped, there is no npm (Debian: apt install npm)"; exit 0; }; \
	cd codeexplore/notebook/front && { npm ci --no-audit --no-fund --silent \
	  || { echo "front: skipped, the packages of package-lock.json can't be had from npm's registry"; exit 0; }; } \
	  && npm run --silent check && npm test --silent && npm run --silent build && git diff --exit-code --stat -- ../static

same: $(STAMP) ## compare every answer with those of a base commit: make same BASE=commit (tests/same/__main__.py lists the settings)
	BASE=$(BASE) $(PY) tests/same

docs: $(STAMP) ## build the documentation into out/site, strictly; open out/site/index.html (no server needed)
	NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --strict --quiet

notebooks: $(STAMP) ## run every notebook anew; fails when one says something else than is committed
	$(PY) notebooks/refresh.py --check

refresh: $(STAMP) ## run the notebooks and keep their outputs, as they are committed
	$(PY) notebooks/refresh.py

check: SLOW := 1
check: test beside ## everything that CI runs, slow tests too

# Each of these uses one core most of the time, so they run side by side.
beside: $(STAMP)
	@+$(MAKE) --no-print-directory --jobs 2 lint front docs notebooks

bench: $(STAMP) ## the short form of every measurement that needs nothing else (benchmarks/RESULTS.md)
	$(PY) benchmarks/load.py --one-core
	$(PY) benchmarks/warm.py --rounds 3
	$(PY) benchmarks/startup.py
	$(PY) benchmarks/refresh.py --rounds 3
	$(PY) benchmarks/search_latency.py --short
	$(PY) benchmarks/explorer.py
	$(PY) benchmarks/growth.py --sizes 250,1000
	$(PY) benchmarks/graph_doubling.py --doublings 2
	$(PY) benchmarks/threads.py --seconds 5
	$(PY) benchmarks/soak.py --queries 500 --edits 50 --checks 2
	$(PY) benchmarks/interrupts.py --interrupts 100
	$(PY) benchmarks/refresh_equals_load.py sample_repos/webshop sample_repos/jobworker --edits 50
	$(PY) benchmarks/callgraph.py
	$(PY) benchmarks/lane_subsets.py --short
	$(PY) benchmarks/fusions.py --short
	$(PY) benchmarks/ablation.py --short
	$(PY) benchmarks/structure.py --short

fuzz: $(STAMP) ## look for inputs that break a promise, a minute for each reader (needs atheris: Linux)
	$(PY) -m pip install --disable-pip-version-check --quiet --editable '.[fuzz]'
	@for name in tokeniser counter planner notebook chunker cache index fixtures remote decoder; do \
	  $(PY) -m fuzz $$name $(or $(SECONDS),60) || exit 1; done
	@test -z "$$(ls fuzz/found)" || { echo "what broke a promise: fuzz/found" >&2; exit 1; }

clean: ## remove what the targets made, .venv included
	rm -rf $(VENV) out .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

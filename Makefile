# `make demo` and `make test` each set up all they need on a machine with Python 3.11+ and make; `make help` lists the rest.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

BIN := .venv/bin
READY := .venv/.ready
# The lock is tested on 3.11 to 3.13, so one of those goes first; a newer Python is taken when there is no other.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null && echo $$p && exit; done; \
	for p in python3 python3.14; do $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && exit; done)
# pyenv's shims do not run a version that is not selected, so its folders are searched themselves
PYENV_BINS := $(wildcard $(or $(PYENV_ROOT),$(HOME)/.pyenv)/versions/*/bin)
SEARCH_PATH := $(subst $(eval ) ,:,$(PYENV_BINS)):$(PATH)
PYTHON_VERSIONS := 3.11 3.12 3.13
export UV_PYTHON_DOWNLOADS := never

PYTEST = $(BIN)/pytest $(PYTEST_OPTIONS)
# fewest: one version of a package for all Pythons, so that types and tests see the same NumPy everywhere
COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest --generate-hashes \
	--no-emit-index-url --custom-compile-command 'make lock' $(if $(UPGRADE),--upgrade)

.PHONY: help
help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# --- set-up ---------------------------------------------------------------------------------------------------------

# uv comes by pip with its own hashes; where Python lacks ensurepip (Debian without python3-venv) a uv on the PATH makes the environment
$(BIN)/uv: requirements/uv.txt
	@$(or $(PYTHON),false) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo 'make: $(or $(PYTHON),python3) is not Python 3.11 or newer: install one, or name it by PYTHON=/path/to/python3' >&2; exit 1; }
	@if $(PYTHON) -c 'import ensurepip' 2>/dev/null; then \
		$(PYTHON) -m venv .venv && $(BIN)/python -m pip install --quiet --require-hashes -r $<; \
	elif command -v uv >/dev/null; then \
		uv venv --quiet --allow-existing --python $(PYTHON) .venv && \
		uv pip install --quiet --python $(BIN)/python --require-hashes -r $<; \
	else echo 'make: $(PYTHON) cannot make virtual environments: install its venv package (python3-venv on Debian)' >&2; exit 1; fi
	@touch $@

# The project itself is linked, not copied: an edit is live. setuptools is in the lock, so building the link asks no index.
$(READY): requirements/dev.txt pyproject.toml $(BIN)/uv
	@echo 'make: installing the locked packages into .venv' >&2
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements/dev.txt
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .
	@touch $@

.PHONY: setup
setup: $(READY)  ## create .venv from the lock (all extras but `gliner` and `semantic`)

# --- the two that a newcomer needs ----------------------------------------------------------------------------------

.PHONY: demo
demo: $(READY)  ## load the sample, build both graphs, ask each one question
	@$(BIN)/graphstore demo

.PHONY: test
test: $(READY)  ## all tests, on a Neo4j that they start themselves
	$(PYTEST)

# --- checks ---------------------------------------------------------------------------------------------------------

.PHONY: check
check: format lint types docs-check  ## format, lint, types, docs: what CI runs beside the tests

.PHONY: format
format: $(READY)  ## is the code formatted (make fix formats it)
	$(BIN)/ruff format --check .

.PHONY: lint
lint: $(READY)  ## ruff's rules
	$(BIN)/ruff check .

.PHONY: fix
fix: $(READY)  ## format, and repair what ruff can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# mypy cannot see `graphstore.loaders` through package-dir: the tree is checked for speed and line numbers,
# then what the wheel ships, where every package has its place
.PHONY: types
types: $(READY)  ## mypy --strict on the tree and on what the wheel ships
	$(BIN)/mypy graphstore loaders tools docs/generate_cli.py
	rm -rf build/shipped build/lib build/bdist.*
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --target build/shipped .
	cd build/shipped && ../../$(BIN)/mypy --config-file ../../pyproject.toml -p graphstore

.PHONY: docs
docs: $(READY)  ## write docs/cli.md from --help
	$(BIN)/python docs/generate_cli.py

.PHONY: docs-check
docs-check: $(READY)  ## is docs/cli.md what --help says, and README's table what was measured
	$(BIN)/python docs/generate_cli.py --check
	$(BIN)/python benchmarks/readme.py --check

# --- longer runs, by hand -------------------------------------------------------------------------------------------

.PHONY: test-all
test-all: check test-lts test-pythons test-semantic  ## both server lines, all Pythons at hand, the `semantic` extra
	GRAPHSTORE_SERVER_LINE=current $(PYTEST)

.PHONY: test-lts
test-lts: $(READY)  ## the tests on Neo4j's long-term line
	GRAPHSTORE_SERVER_LINE=lts $(PYTEST)

.PHONY: test-pythons
test-pythons: $(READY)  ## the tests on every Python at hand
	@for version in $(PYTHON_VERSIONS); do \
		python=$$(PATH="$(SEARCH_PATH)" $(BIN)/uv python find --no-project --system $$version 2>/dev/null) || { echo "make: no Python $$version here, passed over"; continue; }; \
		$(MAKE) --no-print-directory test-in VENV=.venv-$$version PYTHON="$$python" LOCK=requirements/dev.txt; \
	done

.PHONY: test-semantic
test-semantic: $(READY)  ## the tests with sentence-transformers (torch: some GB)
	@$(MAKE) --no-print-directory test-in VENV=.venv-semantic PYTHON=$(abspath $(BIN)/python) LOCK=requirements/semantic.txt

.PHONY: test-in
test-in:
	$(BIN)/uv venv --quiet --allow-existing --python $(PYTHON) $(VENV)
	$(BIN)/uv pip sync --quiet --python $(VENV)/bin/python --require-hashes $(LOCK)
	$(BIN)/uv pip install --quiet --python $(VENV)/bin/python --no-deps --no-build-isolation -e .
	$(VENV)/bin/python -m pytest

.PHONY: test-browser
test-browser: $(READY)  ## Neo4j Browser in headless Chromium (SCREENSHOTS=docs/images photographs it)
	$(BIN)/uv pip install --quiet --python $(BIN)/python --group browser
	GRAPHSTORE_SCREENSHOTS=$(SCREENSHOTS) $(PYTEST) -m browser tests/browser

.PHONY: torture
torture: $(READY)  ## loads killed at random moments, again and again
	$(PYTEST) -m torture

.PHONY: bench
bench: $(READY)  ## the figures in README (QUICK=1: the short ones)
	$(BIN)/python benchmarks/run.py $(if $(QUICK),--quick)

# --- locks ----------------------------------------------------------------------------------------------------------

# Names, versions and hashes for Python 3.11 and newer on every platform; no index address, so any index serves.
# An existing lock is a preference: `make lock UPGRADE=1` takes what is newest.
.PHONY: lock
lock: $(BIN)/uv  ## compile requirements/*.txt from pyproject.toml
	extras=$$($(BIN)/python -c 'import tomllib; print(*(f"--extra={e}" for e in tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"] if e not in ("gliner", "semantic")))'); \
	$(COMPILE) pyproject.toml --group dev $$extras -o requirements/dev.txt
	$(COMPILE) pyproject.toml --group dev --all-extras -c requirements/dev.txt -o requirements/semantic.txt
	$(COMPILE) requirements/uv.in -o requirements/uv.txt

.PHONY: clean
clean:  ## remove what make made, but not the embedded server's home
	rm -rf .venv .venv-* build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

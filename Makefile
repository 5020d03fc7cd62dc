# SPDX-License-Identifier: GPL-3.0-or-later
# Everything that a fresh machine with python3 needs: make run, make test, make setup.

PYTHON ?= python3
BIN := .venv/bin
JOBS ?= auto
# Pinned: an open range would fetch gigabytes for GPUs.
TEST_TORCH ?= torch==2.13.0

.PHONY: run setup test test-web test-slow test-objects lint docs bench fit-wdl openings clean

# The engine at its UCI prompt.
run: .venv/engine.stamp
	@$(BIN)/kingcobra compile >&2
	@$(BIN)/kingcobra

# Installs, and compiles the core for this CPU.
setup: .venv/engine.stamp
	$(BIN)/kingcobra compile

# The text is checked while objects are compiled.
test: .venv/test.stamp
	$(MAKE) --no-print-directory --jobs 2 lint test-objects
	$(BIN)/python -m pytest -n $(JOBS)

# The board in a real browser: apt install chromium chromium-driver, pip install selenium.
test-web: .venv/test.stamp
	$(BIN)/python -m pip install --quiet selenium
	$(BIN)/python -m pytest -n 0 -m web tests/web tests/analysis

test-slow: .venv/test.stamp test-objects
	$(BIN)/python -m pytest -n $(JOBS) -m slow

# What most tests use, compiled ahead by all cores.
test-objects: .venv/test.stamp
	$(BIN)/kingcobra compile --level all
	$(BIN)/kingcobra compile --board --selfplay

lint: .venv/test.stamp
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The generated parts of the documentation: the module tables, and the page of the tunables.
docs: .venv/engine.stamp
	$(BIN)/python -m kingcobra.tools.tunables_page > docs/8-tunables.md
	$(BIN)/python -m kingcobra.tools.docs_tables README.md docs/*.md

# The names of openings, from the tables of https://github.com/lichess-org/chess-openings (CC0).
openings: .venv/engine.stamp
	@test -n "$(ECO)" || { echo "make openings ECO=FOLDER" >&2; exit 2; }
	$(BIN)/python -m kingcobra.tools.opening_names "$(ECO)"

# Speed, start-up and memory, beside other engines where they are installed. ARGS names some of
# the benchmarks, or adds options: make bench ARGS='perft --record'.
bench: .venv/engine.stamp
	$(BIN)/python -m benchmarks $(ARGS)

# Plays an evaluation (default, classical or a file) against itself and fits the scale of its scores
# to the results.
EVALUATION ?= default
GAMES ?= 1000
NODES ?= 20000
fit-wdl: .venv/engine.stamp
	mkdir -p build && rm -f build/fit-wdl.kcp
	$(BIN)/kingcobra selfplay -o build/fit-wdl.kcp --kind games --teacher $(EVALUATION) --nodes $(NODES) \
		--games $(GAMES) --random-move-share 0 --chess960-share 0 $(if $(BOOK),--book $(BOOK))
	$(BIN)/python -m kingcobra.training.fit_wdl build/fit-wdl.kcp

.venv/engine.stamp: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

.venv/test.stamp: .venv/engine.stamp
	$(BIN)/python -m pip install --quiet $(TEST_TORCH)
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	touch $@

clean:
	rm -rf .venv build dist src/*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

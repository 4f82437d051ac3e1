# `make demo` and `make test` are all a newcomer needs; each sets up what it uses.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# the reference files of the field, where they lie beside the checkout
export SFUMATO_DATA ?= $(wildcard $(abspath ../shared/data))

.PHONY: setup demo test tests-of-use tests-of-methods lint check docs papers papers-calibration maps intruder pictures bench bench-full bench-quick clean

$(VENV)/.runtime: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Sfumato needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) --editable .
	touch $@

$(VENV)/.dev: $(VENV)/.runtime
	$(PIP) --editable '.[dev]'
	touch $@

setup: $(VENV)/.dev

demo: $(VENV)/.runtime
	$(BIN)/sfumato demo --output out/demo

# where bytecode is forbidden, each process that a test starts would compile every file anew
test: export PYTHONDONTWRITEBYTECODE =
test: $(VENV)/.dev
	$(MAKE) --no-print-directory --jobs 2 --keep-going tests-of-use tests-of-methods

EXAMPLES := tests/docs/test_pages.py
# two runs side by side, each of which loads the compiled loops of its own rooms only; new rooms are in the second
ROOMS_OF_USE := $(addprefix tests/,assessment cli intruder jobs papers protection recipe reports risk study)
QUIETLY := --quiet --no-header --override-ini console_output_style=classic
tests-of-use:
	$(BIN)/pytest $(QUIETLY) --override-ini cache_dir=.pytest_cache/use $(ROOMS_OF_USE)
tests-of-methods:
	$(BIN)/pytest $(QUIETLY) $(addprefix --ignore=,$(ROOMS_OF_USE) $(EXAMPLES))

lint: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

# a page is published only when what it shows runs
docs: $(VENV)/.dev
	$(BIN)/pytest $(QUIETLY) --override-ini cache_dir=.pytest_cache/docs $(EXAMPLES)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --site-dir site

# writes the figures and pictures of docs/papers.md anew, which takes minutes and the reference files
papers: $(VENV)/.dev
	$(BIN)/python docs/papers_page.py

# measures anew how far runs of the papers' figures differ, which decides what is judged and by which tolerance
papers-calibration: $(VENV)/.dev
	$(BIN)/python docs/papers_calibration.py

# runs the studies of docs/maps.md and writes its maps and tables anew, from the reference files too
maps: $(VENV)/.dev
	$(BIN)/python docs/maps_page.py

# attacks the files of docs/intruder.md, and writes its tables and its picture anew
intruder: $(VENV)/.dev
	$(BIN)/python docs/intruder_page.py

pictures: $(VENV)/.dev
	$(BIN)/python docs/microaggregation_picture.py
	$(BIN)/python docs/report_picture.py
	$(BIN)/python docs/workbench_pictures.py

check: test lint docs bench-quick

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks

# every benchmark once, on small files, so that none of them rots: nothing is timed
bench-quick: export SFUMATO_BENCH_QUICK = 1
bench-quick: $(VENV)/.dev
	$(BIN)/python -m benchmarks

bench-full: $(VENV)/.dev
	$(BIN)/python -m benchmarks --full

clean:
	rm -rf $(VENV) build site out .pytest_cache .mypy_cache .ruff_cache .hypothesis

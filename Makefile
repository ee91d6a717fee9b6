# Two commands on a fresh machine: make demo, make test. Both set up .venv first.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: setup demo test studies test-rounding docs-check golden golden-freeze golden-scatter check docs wheel wheel-check published benchmarks coverage mutants clean

setup: .venv/.ready

.venv/.ready: pyproject.toml packages/published/pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[all,dev]' --editable packages/published
	touch $@

demo: setup
	$(BIN)/identikit demo

# All tests but the long ones.
test: setup
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist loadfile -m 'not study' --durations 40

# The long ones: many seeds, posteriors, real records.
studies: setup
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist load -m study --durations 40

# As on another processor: NAME is an arithmetic of tests/arithmetics.py, or two joined by a +, in an empty kernel store.
NAME ?= nehalem+beside
test-rounding: setup
	$(BIN)/python tests/arithmetics.py $(NAME) -- $(BIN)/python -m pytest -n 2 --dist loadfile

# Every method on every system, and every front door, against the answers frozen in benchmarks/golden.
golden: setup
	PYTHONPATH=benchmarks $(BIN)/python -m golden

# The same, and what differs is frozen: make golden-freeze REASON="..."
golden-freeze: setup
	PYTHONPATH=benchmarks $(BIN)/python -m golden --freeze --reason "$(REASON)"

# How far the other arithmetics are from the native one, which the tolerances follow.
ARITHMETICS ?= haswell skylakex nehalem beside
golden-scatter: setup
	PYTHONPATH=benchmarks $(BIN)/python -m golden
	for name in $(ARITHMETICS); do PYTHONPATH=benchmarks $(BIN)/python -m golden --arithmetic $$name --scatter || exit 1; done

# All pages show what their commands and Python print. One thread of BLAS for each process: two of them get in each other's way.
docs-check: setup
	OPENBLAS_NUM_THREADS=1 $(BIN)/python docs/refresh.py --check

# The site, from docs/ into site/, as mkdocs.yml says; a warning is an error. site/index.html opens as it is, without a server.
docs: .venv/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --clean
	@echo "Open site/index.html"

.venv/.docs: .venv/.ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	touch $@

# Two of them: identikit, and identikit-published, which it works without.
wheel: setup
	rm -rf build dist packages/published/build
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist . ./packages/published
	rm -rf build packages/published/build
	@ls dist/*.whl

# Installs the wheels into an empty environment, one after the other, and uses them there.
wheel-check: wheel
	$(BIN)/python tests/wheel_check.py dist/*.whl

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Every published table and figure done again, half an hour, and their pages in docs/published.
published: setup
	$(BIN)/identikit reproduce all --folder reproduction --quiet
	$(BIN)/python docs/published.py reproduction

benchmarks: setup
	$(BIN)/python benchmarks/speed.py
	$(BIN)/python benchmarks/accuracy.py

# Whether the 95 % intervals hold, over many seeds of four kinds of noise; rewrites the table of docs/coverage.md. Some ten minutes.
coverage: setup
	$(BIN)/python benchmarks/coverage.py --page docs/coverage.md

# Small changes to the code that decides what a user is told: the tests must notice. Half an hour, and as long as make test before the first.
mutants: setup
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks.mutants $(MUTANTS)

clean:
	rm -rf .venv .mutants demo build dist site reproduction .mypy_cache .ruff_cache .pytest_cache .hypothesis

# Two commands on a fresh machine: make demo, make test. Both set up .venv first.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: setup demo test studies test-rounding docs-check check docs wheel wheel-check published benchmarks coverage clean

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

# As on another processor: narrow instructions in XLA, NumPy, BLAS and libm, and every motion started 1e-12 beside.
test-rounding: setup
	XLA_FLAGS=--xla_cpu_max_isa=SSE4_2 OPENBLAS_CORETYPE=Nehalem GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F \
	NPY_DISABLE_CPU_FEATURES="$$($(BIN)/python tests/numpy_dispatch.py)" IDENTIKIT_TEST_PERTURB=1e-12 \
	$(BIN)/python -m pytest -n 2 --dist loadfile

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

clean:
	rm -rf .venv demo build dist site reproduction .mypy_cache .ruff_cache .pytest_cache .hypothesis

# make run     start the app                         make check   ruff and mypy
# make quick   tests of two minutes; ROOM=designs    make test    every check and test
# make golden  update the golden record              make bench   timings next to other programs
# make fuzz    10,000 mutated files for the parsers  make statements  printed coverages, tested (ONLY=key)
# make mutants FILE=path  which small faults tests find      make oldest  make quick with the oldest packages
# make clean   remove the files that these made
PYTHON ?= python3
VENV := .venv
REQUIREMENTS := requirements.txt
BIN := $(VENV)/bin
ROOM ?=
export PIP_DISABLE_PIP_VERSION_CHECK = 1
# Bytecode is kept: without it every process compiles some thousand files again.
unexport PYTHONDONTWRITEBYTECODE

PYTEST := $(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder
# No test that needs a browser, a cluster, over a second, or data that are not in this repository.
QUICK := TOPICSET_REFERENCE_DATA=none $(PYTEST) -m "not browser and not cluster and not slow" --snapshot-warn-unused

# The processes of the tests fill the processors. Threads of linear algebra next to them would only wait for each other.
quick test golden statements: export OPENBLAS_NUM_THREADS = 1

.PHONY: run check quick test golden bench fuzz clean kernels rewritten statements mutants oldest

run: $(VENV)/app-installed
	$(BIN)/python -m topicset_core app

check: $(VENV)/tests-installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --num-workers 2

quick: $(VENV)/tests-installed kernels
	$(QUICK) $(if $(ROOM),tests/$(ROOM))

test: $(VENV)/tests-installed
	$(MAKE) -j2 check kernels rewritten
	$(PYTEST)

golden: $(VENV)/tests-installed
	$(BIN)/python -m tests.golden

bench: $(VENV)/tests-installed
	$(BIN)/python -m benchmarks

ONLY ?=
statements: $(VENV)/tests-installed kernels
	$(BIN)/python -m tests.statements $(ONLY)

N ?= 10000
SEED ?= 0
fuzz: $(VENV)/tests-installed
	$(BIN)/python -m tests.parsing.fuzzing $(N) $(SEED)

mutants: N = 16
mutants: $(VENV)/tests-installed kernels
	$(BIN)/python -m tests.mutants $(FILE) $(N) $(SEED) $(if $(ALL),--all)

# Each package at the lower bound that pyproject.toml names, in an environment of its own.
OLDEST := build/oldest
oldest: export NUMBA_CACHE_DIR = $(abspath $(OLDEST))/kernels
oldest:
	mkdir -p $(OLDEST)
	$(PYTHON) -m tests.oldest_versions > $(OLDEST)/requirements.txt
	$(MAKE) quick VENV=$(OLDEST)/venv REQUIREMENTS=$(OLDEST)/requirements.txt

# In a clean checkout pytest rewrites the tests' assertions, which takes longer than to read them: here once, and not
# in each of its processes.
rewritten: $(VENV)/tests-installed
	@test -e tests/house/__pycache__ || $(BIN)/python -m pytest --collect-only -q --snapshot-warn-unused >/dev/null

# Compiled once, before the processes of the tests start; they and the servers they start share the result.
kernels: $(VENV)/tests-installed
	$(BIN)/python -m topicset_core.analyses.warm_up

clean:
	rm -rf $(VENV) $(OLDEST) .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(VENV)/app-installed: $(REQUIREMENTS)
	@$(PYTHON) -c 'import sys; sys.exit("Topicset needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	@echo "Installing the packages of the app into $(VENV) ..."
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -r $(REQUIREMENTS)
	@touch $@

$(VENV)/tests-installed: tests/requirements.txt $(VENV)/app-installed
	@echo "Installing the packages of the tests into $(VENV) ..."
	$(BIN)/python -m pip install --quiet -r tests/requirements.txt -c $(REQUIREMENTS)
	@touch $@

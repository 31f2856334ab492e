# make run    start the app            make test   every check and test
# make bench  timings beside peers'    make clean  remove what these made
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK = 1

.PHONY: run test bench clean

run: $(VENV)/app-installed
	$(BIN)/python serve.py

test: $(VENV)/tests-installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n auto --dist loadfile

bench: $(VENV)/tests-installed
	$(BIN)/python -m tests.benchmarks

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(VENV)/app-installed: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit("Topicset needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	@echo "Installing what the app needs into $(VENV) ..."
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -r requirements.txt
	@touch $@

$(VENV)/tests-installed: tests/requirements.txt $(VENV)/app-installed
	@echo "Installing what the tests need into $(VENV) ..."
	$(BIN)/python -m pip install --quiet -r tests/requirements.txt
	@touch $@

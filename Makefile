# `make run` and `make test` do all the set-up they need, in .venv, and skip it when nothing changed.

PYTHON ?= python3
BIN := .venv/bin
RUNNABLE := .venv/.runnable
TESTABLE := .venv/.testable
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
# Modules are compiled when they are first imported; without their bytecode every command would take twice as long.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test lint bench setup clean

run: $(RUNNABLE)
	@out=runs/results/quick-$$(date +%Y%m%d-%H%M%S); \
	$(BIN)/evo run quick --out $$out && $(BIN)/evo report $$out

test: lint
	$(BIN)/python -m pytest -n auto --dist worksteal --durations=10

lint: $(TESTABLE)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

bench: $(RUNNABLE)
	$(BIN)/evo bench

setup: $(TESTABLE)

$(RUNNABLE): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is required: make PYTHON=..."; exit 1; }
	@echo "installing what running needs into .venv"
	@$(PYTHON) -m venv .venv
	@$(INSTALL) --editable .
	@touch $@

$(TESTABLE): $(RUNNABLE)
	@echo "installing what testing needs into .venv"
	@$(INSTALL) --editable '.[dev]'
	@touch $@

clean:
	rm -rf .venv build dist *.egg-info runs/results .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

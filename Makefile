# `make run` and `make test` do all the set-up they need, in .venv, and skip it when nothing changed.

PYTHON ?= python3
BIN := .venv/bin
RUNNABLE := .venv/.runnable
TESTABLE := .venv/.testable
DOCUMENTABLE := .venv/.documentable
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
# Modules are compiled when they are first imported; without their bytecode every command would take twice as long.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test lint bench docs notebooks setup clean

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

docs: $(DOCUMENTABLE)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@echo site/index.html

notebooks: $(TESTABLE)
	$(BIN)/python -m tests.notebooks

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

$(DOCUMENTABLE): $(TESTABLE)
	@echo "installing what the documentation needs into .venv"
	@$(INSTALL) --editable '.[docs]'
	@touch $@

clean:
	rm -rf .venv build site dist *.egg-info runs/results .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

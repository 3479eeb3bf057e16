# `make run` and `make test` do all the set-up they need, in .venv, and skip it when nothing changed.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: run test lint bench setup clean

run: $(READY)
	@out=runs/results/quick-$$(date +%Y%m%d-%H%M%S); \
	$(BIN)/evo run quick --out $$out && $(BIN)/evo report $$out

test: lint
	$(BIN)/python -m pytest

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

bench: $(READY)
	$(BIN)/evo bench

setup: $(READY)

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=..."; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@echo "compiling for this machine, once"
	@$(BIN)/python -m evo.experiments.warmup
	@touch $@

clean:
	rm -rf .venv build dist *.egg-info runs/results .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

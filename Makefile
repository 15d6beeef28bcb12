PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help install test check clean

help:  ## This list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

install: $(VENV)/installed  ## Make the environment and install the locked dependencies

$(VENV)/installed: requirements.lock setup.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "$(PYTHON) is older than Python 3.11: set PYTHON to a newer one."; exit 1; }
	@test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV) \
		|| { echo "venv is missing: install the package python3-venv of your system."; exit 1; }
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

test: install  ## Run the tests; the servers they need come with the dependencies
	$(BIN)/python -m pytest -n auto

check: install  ## Lint, format, types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

clean:  ## Remove the environment
	rm -rf $(VENV)

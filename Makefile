PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INI := development.ini

# Without bytecode, each test worker would compile every test, and each process the whole service.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help install programs run demo test full check audit bench migrations wheel lock vendor types reference docs pictures clean

help:  ## Show this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

install: $(VENV)/installed  ## Create the virtual environment and install the locked dependencies

$(VENV)/installed: requirements-dev.lock setup.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "$(PYTHON) is older than Python 3.11. Set PYTHON to a newer one."; exit 1; }
	@test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV) \
		|| { echo "The module venv is missing. Install the package python3-venv of your system."; exit 1; }
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

programs: install  ## Install the browsers and servers that `make full` needs, on Debian as root
	$(BIN)/python -m tests.support.programs

run: install  ## Run the whole service; PORT=7000 WS_PORT=7001 set the ports, PYTHON the interpreter
	@exec $(BIN)/competition up $(INI)

demo: install  ## Play a season on the running service, or on a temporary one
	@exec $(BIN)/python -m tools.demo $(INI)

# Tests enable every installed plugin. This makes the example plugin importable for pytest.
EXAMPLE := build/certificates
PYTEST := $(BIN)/python -m pytest -n auto \
	--durations 30 -o pythonpath=$(CURDIR)/$(EXAMPLE)

test: $(EXAMPLE)  ## Run the tests that every commit needs, about 4 minutes; pip installs the servers
	$(PYTEST) -m "not long" $(ONLY)

full: $(EXAMPLE)  ## Run every test, also in browsers, of killed processes and with random requests
	$(PYTEST) $(ONLY)

.PHONY: $(EXAMPLE)
$(EXAMPLE): install
	@rm -rf $@
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-index --no-deps \
		--no-build-isolation --target $@ examples/competition-certificates

# Without --cache-dir, ruff would write a second cache in the example, which has its own settings.
check: install  ## Check lint, format, types, imports, migrations and the docs; types of the pages need npm
	$(BIN)/ruff check --cache-dir .ruff_cache .
	$(BIN)/ruff format --check --cache-dir .ruff_cache .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tools.page_types --check
	$(MAKE) docs
	$(MAKE) migrations

# Checks what production installs. pip-audit exits with 1 both for a vulnerability and without a network,
# but it writes a report only if it could check.
AUDIT := build/audit
AUDITED := requirements.lock
ADVISORIES := osv
audit:  ## Look for known vulnerabilities in the dependencies; needs a network
	@test -x $(AUDIT)/bin/pip-audit || { $(PYTHON) -m venv $(AUDIT) \
		&& $(AUDIT)/bin/pip install --quiet --disable-pip-version-check "pip-audit>=2.10,<3"; } \
		>/dev/null 2>&1 || { echo "No audit: pip-audit could not be installed."; exit 0; }; \
	$(AUDIT)/bin/pip-audit --vulnerability-service $(ADVISORIES) --disable-pip --no-deps \
		--progress-spinner off --requirement $(AUDITED) >$(AUDIT)/report 2>$(AUDIT)/errors \
		&& { cat $(AUDIT)/errors $(AUDIT)/report; exit 0; }; \
	if test -s $(AUDIT)/report; then cat $(AUDIT)/report; exit 1; fi; \
	echo "No audit: $$(tail -n 1 $(AUDIT)/errors)"

pictures: install  ## Write the documentation's pictures, from the seasons that `make demo` has played on `make run`
	$(BIN)/python -m tools.pictures

bench: install  ## Measure requests, lists, live pushes and results; ARGS="--part requests" selects
	$(BIN)/python -m tools.bench $(ARGS)

migrations:  # Check that the migrations create the tables of the models, for the service and each plugin.
	$(BIN)/competition services --temporary $(INI) -- \
		sh -ec '$(BIN)/competition db upgrade; $(BIN)/competition db check'

wheel: install  ## Build the wheel, in dist/
	$(BIN)/pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

# uv keeps an existing pin if setup.py allows it.
LOCK := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-header --no-strip-extras setup.py

lock:  ## Write both lock files from setup.py; needs uv
	$(LOCK) --output-file requirements.lock
	$(LOCK) --output-file requirements-dev.lock --all-extras --constraints requirements.lock

# fonttools removes unused characters from the math font. The version is fixed, because other
# versions produce different files.
VENDOR := build/vendor
vendor:  ## Download the vendored files again, in the versions of tools/vendor.py; needs npm
	@test -x $(VENDOR)/bin/python || $(PYTHON) -m venv $(VENDOR)
	$(VENDOR)/bin/pip install --quiet --disable-pip-version-check "fonttools[woff]==4.68.0" \
		tree-sitter==0.26.1 tree-sitter-javascript==0.25.0
	$(VENDOR)/bin/python tools/vendor.py

types: install  ## Write the types of the API for the pages, which git ignores; needs npm
	$(BIN)/python -m tools.page_types

reference: install  ## Write the pages in docs/reference from the code
	$(BIN)/python -m tools.reference

# The folder of a version, and the list from which its pages offer the other versions.
RELEASE := $(shell sed -n 's/^    version="\(.*\)",$$/\1/p' setup.py)
docs: install  ## Build the documentation as a static site, in build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --site-dir build/site/$(RELEASE)
	@echo '[{"version": "$(RELEASE)", "title": "$(RELEASE)", "aliases": []}]' > build/site/versions.json

clean:  ## Remove the virtual environment
	rm -rf $(VENV)

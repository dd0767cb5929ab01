# Barem. `make` alone lists the targets.
SHELL := /bin/bash
PORT ?= 8000
HOST ?= 127.0.0.1
VENV := .venv
PY := $(VENV)/bin/python
# The first interpreter that is new enough; a name that only pretends to exist is passed over.
PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11; do \
	if $$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then echo $$name; break; fi; done)
SERVICES := postgresql or redis or worker or browser

.DEFAULT_GOAL := help
.PHONY: help run demo-users setup setup-dev lint format test test-all test-services bench messages messages-compile lock clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 20

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "Barem needs Python 3.11 or newer. Install it, or say PYTHON=/path/to/python3."; exit 1; }
	@$(PYTHON) -m venv $(VENV) 2>/dev/null || { rm -rf $(VENV); $(PYTHON) -m venv --without-pip $(VENV); }
	@$(PY) -m pip --version >/dev/null 2>&1 || $(PYTHON) -m pip --version >/dev/null 2>&1 || \
		{ rm -rf $(VENV); echo "pip is missing. On Debian: apt-get install python3-venv"; exit 1; }

# Where the new environment has no pip of its own, the one of the interpreter installs into it.
define install
	@echo "Installing $(1) …"
	@if $(PY) -m pip --version >/dev/null 2>&1; then $(PY) -m pip install -q --disable-pip-version-check --require-hashes -r $(1); \
	else $(PYTHON) -m pip --python $(PY) install -q --disable-pip-version-check --require-hashes -r $(1); fi
	@touch $@
endef

$(VENV)/.base: requirements/base.txt | $(VENV)/bin/python
	$(call install,requirements/base.txt)

$(VENV)/.dev: requirements/dev.txt | $(VENV)/bin/python
	$(call install,requirements/dev.txt)
	@touch $(VENV)/.base

setup: $(VENV)/.base ## make .venv with what the site needs

setup-dev: $(VENV)/.dev

# Static files are collected again only when they, or the packages that bring some, changed.
STATIC_DONE := $(or $(BAREM_DATA_DIR),var)/static/staticfiles.json
$(STATIC_DONE): $(VENV)/.base $(shell find static -type f)
	@$(PY) manage.py collectstatic --noinput --verbosity 0
	@touch $@

run: $(VENV)/.base $(STATIC_DONE) ## serve the site with the sample federation on http://127.0.0.1:8000 (PORT=9000 for another port)
	@$(PY) manage.py prepare_site --address http://$(HOST):$(PORT)/
	@BAREM_BASE_URL=$${BAREM_BASE_URL:-http://$(HOST):$(PORT)} exec $(VENV)/bin/gunicorn federation.wsgi:application \
		--bind $(HOST):$(PORT) --worker-class gthread --workers 1 --threads 8 --timeout 120 --graceful-timeout 20

lint: $(VENV)/.dev ## style, templates, types, import contracts, migrations
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/djlint --lint templates --quiet
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports
	$(PY) manage.py makemigrations --check --dry-run

format: $(VENV)/.dev ## format the code
	$(VENV)/bin/ruff check --fix-only .
	$(VENV)/bin/ruff format .

test: $(VENV)/.dev ## the suite that needs no service, on SQLite
	$(PY) -m pytest -n 2 -m "not ($(SERVICES) or benchmark)"

test-services: $(VENV)/.dev ## the tests that need PostgreSQL, Redis, a worker or Chromium
	$(PY) -m pytest -m "($(SERVICES)) and not benchmark"

test-all: test test-services ## everything; what is missing on this machine is skipped with a reason

bench: $(VENV)/.dev ## measure speed, print ratios
	$(PY) -m pytest tests/benchmarks --bench -s -p no:randomly

messages: $(VENV)/.dev ## collect the texts for translation (needs gettext) and compile the catalogues
	$(PY) manage.py makemessages --all --no-obsolete --no-wrap --add-location file --ignore '.venv/*' --ignore 'tests/*' --ignore 'var/*'
	$(PY) manage.py compilemessages --ignore .venv --verbosity 0

lock: $(VENV)/.dev ## compile requirements/*.txt anew (needs uv)
	uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url -q -o requirements/base.txt
	uv pip compile pyproject.toml --group dev --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url -q -o requirements/dev.txt

clean: ## remove .venv and everything generated; data in var/ stays
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis

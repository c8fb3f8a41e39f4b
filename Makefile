# Every target sets up .venv by itself when it has to; `make` alone lists the targets.
.DEFAULT_GOAL := help
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PYTEST ?= -n 2
BENCH ?=

.PHONY: help install play run migrate test fmt texts cover bench crash soak audit lock clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 20

install: $(STAMP) ## create .venv and leave .venv/bin/kems in it

$(STAMP): requirements.txt pyproject.toml .ci/venv.sh
	@sh .ci/venv.sh $(VENV)
	@touch $@

play: $(STAMP) ## play in the browser against robots: no token, no account
	@$(BIN)/kems play

run: $(STAMP) ## start the bot on Discord with the token from .env
	@$(BIN)/kems run

migrate: $(STAMP) ## bring the database to this version's tables
	@$(BIN)/kems migrate

test: $(STAMP) ## the gate: lint, types, import contracts, tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest $(PYTEST)

fmt: $(STAMP) ## format the code and mend what the linter can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

texts: $(STAMP) ## bring the translations up to date with the sentences of the code
	@$(BIN)/python -m tests.ui.catalogues

cover: $(STAMP) ## run the tests and list the lines they miss
	$(BIN)/pytest $(PYTEST) --cov --cov-report=term-missing:skip-covered

bench: $(STAMP) ## measure the core, the ladder, and what people see at ten busy tables
	$(BIN)/python -m tests.bench $(BENCH)

crash: $(STAMP) ## kill the bot a hundred times while people play, and hold it to what it acknowledged
	$(BIN)/python -m tests.rig.crash

soak: $(STAMP) ## let robots play 500 matches in one process, and watch its memory
	$(BIN)/python -m tests.rig.soak

audit: $(STAMP) ## look the locked packages up among the known vulnerabilities
	@sh .ci/audit.sh $(BIN)

# One lock for Python 3.11 and later on Linux and macOS; wheels only, so nothing is ever compiled.
lock: $(STAMP) ## pin the newest allowed packages in requirements.txt
	$(BIN)/uv pip compile pyproject.toml --extra sandbox --extra dev --universal --python-version 3.11 --upgrade \
	  --only-binary :all: --generate-hashes --strip-extras --no-annotate --no-header \
	  --no-emit-index-url --no-emit-find-links --quiet --output-file requirements.txt

clean: ## remove .venv and the caches
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis .coverage *.egg-info

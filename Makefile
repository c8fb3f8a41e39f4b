# Every target sets up .venv by itself when it has to; `make` alone lists the targets.
.DEFAULT_GOAL := help
VENV := .venv
BIN := $(VENV)/bin
BOT := $(VENV)/.bot
DEV := $(VENV)/.dev
CHESS := $(VENV)/.chess
INSTALL := @sh .ci/venv.sh $(VENV)
PYTEST ?= -n 4
BENCH ?= --page
SEED := $(or $(SEED),$(shell od -An -N4 -tu4 /dev/urandom | tr -d " "))
# Compiled files are kept, also where the environment says otherwise: each worker and each process of a test needs them.
export PYTHONDONTWRITEBYTECODE :=
export PYTHONPYCACHEPREFIX := $(CURDIR)/$(VENV)/pycache

.PHONY: help install play run migrate lint check test times mutants screens wheel fmt texts schema cover bench duels balance long crash soak pictures drill release audit wheels lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { \
	  line = sprintf("  make %-13s", $$1); \
	  count = split($$2, words, " "); \
	  for (i = 1; i <= count; i++) { \
	    if (length(line words[i]) > 59) { print line; line = sprintf("%20s", "") } \
	    line = line words[i] " " \
	  } \
	  print line }' $(MAKEFILE_LIST)

install: $(BOT) ## create .venv and leave .venv/bin/kems in it

# Each lock holds all of the one before it, so a target installs only what it needs and removes nothing.
$(BOT): requirements.txt pyproject.toml .ci/venv.sh
	$(INSTALL) requirements.txt
	@touch $(BOT)

$(DEV): requirements-dev.txt pyproject.toml .ci/venv.sh
	$(INSTALL) requirements-dev.txt
	@touch $(BOT) $(DEV)

# python-chess has no wheel; it is pure Python.
$(CHESS): requirements-bench.txt $(DEV)
	@$(BIN)/python -m pip --disable-pip-version-check install --quiet --require-hashes --requirement requirements-bench.txt
	@touch $(CHESS)

play: $(BOT) ## play in the browser against robots: no token, no account
	@$(BIN)/kems play

run: $(BOT) ## start the bot on Discord with the token from .env
	@$(BIN)/kems run

migrate: $(BOT) ## bring the database to this version's tables
	@$(BIN)/kems migrate

lint: $(DEV)
	$(BIN)/codespell bot docs migrations *.md
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check: lint ## the first minute of the gate: lint, types, import contracts, the rules, all screens
	$(BIN)/pytest $(PYTEST) tests/game tests/rules tests/ui/screens

test: $(if $(ROOM),$(DEV),lint) ## the gate: lint, types, import contracts, tests; ROOM=ui/night runs the own tests of a room, NEAR=1 also those that depend on it
ifdef ROOM
	@$(BIN)/python -m tests.rooms $(ROOM) $(if $(NEAR),--near) $(PYTEST)
else
	$(BIN)/pytest $(PYTEST)
endif

times: $(DEV) ## run the tests and list what they cost, in CPU seconds: rooms, files, tests
	$(BIN)/pytest $(PYTEST) -p tests.times

screens: $(DEV) ## tell what has changed on the screens, and record them
	@$(BIN)/python -m tests.ui.screens.record

wheel: $(DEV) ## build the wheel and try it in an environment of its own
	@sh .ci/wheel.sh $(BIN)

fmt: $(DEV) ## format the code and mend what the linter can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

texts: $(DEV) ## bring the translations up to date with the sentences of the code
	@$(BIN)/python -m tests.ui.catalogues

schema: $(DEV) ## write a revision of what has changed in the row classes, WHAT="nights have a colour"
	@$(BIN)/python -m tests.store.revisions $(WHAT)

cover: $(DEV) ## run the tests and list the lines they miss
	$(BIN)/pytest $(PYTEST) --cov --cov-report=term-missing:skip-covered

bench: $(DEV) $(CHESS) ## measure everything and renew docs/performance.md; BENCH="core panel" measures parts
	$(BIN)/python -m tests.bench $(or $(BENCH),--page)

duels: $(DEV) ## let each level of robots play the one below, by PRESETS="classic yokai"; make bench tells the result
	$(BIN)/python -m tests.bench.duels $(PRESETS)

balance: $(DEV) ## let robots play every preset, and renew the figures of docs/balance.md
	$(BIN)/python -m tests.bench.balance
	$(BIN)/python -m tests.bench.tricks
	$(BIN)/python -m tests.bench.counters

mutants: $(DEV) ## plant faults in ROOM=ladder, one at a time, and list those that its own tests do not find; SAMPLE=100 of them, chosen by SEED=1
	$(BIN)/python -m tests.mutants $(ROOM) --sample $(or $(SAMPLE),100) --seed $(SEED)

long: $(DEV) ## run what is too long for the gate, and all properties with other examples: the store on PostgreSQL, several processes, all seeds, sizes and combinations, the first match, the load of a night
	$(BIN)/pytest $(PYTEST) -m "long or hypothesis" --hypothesis-seed=$(SEED)

crash: $(DEV) ## kill the bot a hundred times while people play, and hold it to what it acknowledged; then several processes
	$(BIN)/python -m tests.rig.crash
	$(BIN)/python -m tests.rig.crash 50 1 1
	$(BIN)/python -m tests.rig.several
	$(BIN)/python -m tests.rig.faults

soak: $(DEV) ## let robots play 1,000 matches in one process, and watch its memory
	$(BIN)/python -m tests.rig.soak

pictures: $(DEV) ## take the pictures of docs/ from the sandbox, in Chromium; PICTURES=folder takes all
	$(BIN)/python -m tests.browser.pictures $(PICTURES)
	$(BIN)/python -m tests.browser.night_pictures $(PICTURES)
	$(BIN)/python -m tests.browser.moving_picture $(PICTURES)

drill: $(DEV) ## run the drills of docs/operating.md while people play, and renew their table there
	@$(shell for own in -m -rm; do unshare $$own true 2>/dev/null && echo unshare $$own && break; done) \
	  $(BIN)/python -m tests.rig.drill

release: $(DEV) ## date the changelog, tag, build the wheel and the image, where the tree is clean and the gate green
	@$(BIN)/python .ci/release.py

audit: $(DEV) ## look the locked packages up among the known vulnerabilities
	@sh .ci/audit.sh $(BIN)

wheels: $(DEV) ## look for the wheels of all locked packages, for both machines and every Python of a release
	@sh .ci/wheels.sh $(BIN)

# Locks for Python 3.11 and later on Linux and macOS; wheels only, so nothing is ever compiled.
PIN := $(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-strip-extras --no-annotate --no-header \
  --no-emit-index-url --no-emit-find-links --quiet
COMPILE := $(PIN) pyproject.toml --group build --only-binary :all:

lock: $(DEV) ## pin the newest allowed packages in requirements*.txt
	$(COMPILE) --group dev --upgrade --output-file requirements-dev.txt
	$(COMPILE) --constraint requirements-dev.txt --output-file requirements.txt
	$(PIN) --group bench --upgrade --output-file requirements-bench.txt

clean: ## remove .venv and the caches
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis .coverage *.egg-info

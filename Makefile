# Two commands for everybody: `make course` and `make test`. Both set up .venv first.
.DEFAULT_GOAL := help
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.PHONY: help setup course book test first-tests test-all pytest ci bare gpu-test newer-cuda fuzz outputs lint format lock bench coverage pdf epub links release upload clean

# Hundreds of processes import the same libraries: without the files of bytecode, each would compile them anew.
unexport PYTHONDONTWRITEBYTECODE

VENV := .venv
BIN := $(VENV)/bin
COLAB := .venv-colab
BENCH := .venv-bench
RELEASE := .venv-release
PIP = $(BIN)/python -m pip install --disable-pip-version-check --progress-bar off
# What pip said on standard error, in a sentence that says what to do. pip itself repeats each attempt at a connection, and
# ends with a version that it could not find.
EXPLAIN_PIP = case "$$said" in \
	*"No space left on device"*) why="the disk is full: $(VENV) needs 2 GB";; \
	*CERTIFICATE_VERIFY_FAILED*) why="this network has a certificate that pip does not know: set PIP_CERT and NODE_EXTRA_CA_CERTS to its file";; \
	*"onnection broken"*) why="pip reaches no package index: connect this machine, and behind a proxy set HTTPS_PROXY to its address";; \
	*) why=$$(tail -n 3 <<<"$$said");; esac; \
	printf '\nThe packages were not installed: %s. Then run make again, which goes on from here.\n' "$$why"
# The tests, and what the solution notebooks print.
TESTS := tests solutions
PYTEST = $(BIN)/python -m pytest -n 3 --dist loadscope --no-loadscope-reorder --reruns 1 --rerun-show-tracebacks \
	--nbval --nbval-sanitize-with tests/nbval_sanitize.cfg $(TESTS)
# The versions of Python that all is tested on, the oldest first.
TESTED := $(shell sed -n 's/.*Python :: \(3\.[0-9]*\)".*/\1/p' pyproject.toml)
OLDEST := $(firstword $(TESTED))
# `python3` where it is new enough, or else the newest tested one.
PYTHON := $(firstword $(foreach p,python3 $(shell printf 'python%s\n' $(TESTED) | sort -rV),$(shell \
	$(p) -c 'import sys; sys.exit("%d.%02d" % sys.version_info[:2] < "$(OLDEST)")' 2>/dev/null && echo $(p))))

help:
	@echo "make course   set up, build the book, release the exercises, grade a sample class"
	@echo "make test     set up, then run the tests whose verdict may have changed"
	@echo "make test-all everything, also what is rare and slow; nightly, and before a release"
	@echo "make book     set up, then build the book alone, with warnings as errors"
	@echo "make fuzz     random kernels, modules, answers, notebooks and archives, for ten minutes"
	@echo "make gpu-test set up, then run the tests that need a GPU; fails where none can be used"
	@echo "make newer-cuda  set up, then replace CuPy for CUDA 12 by that for CUDA 13"
	@echo "make ci       what .ci/run does: system packages, make test, and make bare beside it"
	@echo "make bare SUITE=trixie   make course and whole programs on a Debian with nothing on it (as root, with debootstrap)"
	@echo "make outputs  run the solution notebooks anew (or those of NAMES=\"saxpy ...\"), keep what they print, release the exercises"
	@echo "make lint     ruff, clang-format and mypy"
	@echo "make format   format Python and C++"
	@echo "make lock     write requirements.txt anew from pyproject.toml"
	@echo "make bench    time the emulator, beside Numba's simulator, and grading, beside nbgrader's own, and the book"
	@echo "make coverage which lines of the emulator's runtime the tests run (wants g++ and gcov)"
	@echo "make pdf      the whole book as one file, _build/book.pdf (wants Chromium)"
	@echo "make epub     the whole book for e-readers, _build/epub/how-cuda-threads-cooperate.epub"
	@echo "make links    whether the book's links to other hosts still lead somewhere (wants a network)"
	@echo "make release  build, try and describe the release of this commit in dist/; uploads nothing"
	@echo "make upload   upload what make release has made to PyPI: for whoever may, or in the workflow"
	@echo "make clean    remove what the commands above made; refuses where a class's work lies"

setup: $(VENV)/ready

$(VENV)/ready: requirements.txt pyproject.toml
	@test -n "$(PYTHON)" || { echo "This needs Python $(OLDEST) or later: install it (on Debian: apt install python3 python3-venv) and run make again."; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "This needs Python's venv module: install it (on Debian: apt install python3-venv) and run make again."; exit 1; }
	@echo "Setting up $(VENV) with $$($(PYTHON) --version): about a minute, once."
	@here=$$($(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])'); case " $(TESTED) " in *" $$here "*) ;; *) \
		left=$$(sed -n "s/^ *\"\([a-z0-9-]*\)==.* python_version < '$$here'.*/\1/p" pyproject.toml | paste -sd '|' | sed 's/|/, /g'); \
		echo "The course is tested on Python $(OLDEST) to $(lastword $(TESTED)), and this is $$here$${left:+, for which there is no package yet of $$left: they are left out}.";; esac
	@$(PYTHON) -m venv $(VENV)  # one that is there keeps what is right in it
	@for package in $(VENV)/lib/python*/site-packages/*.dist-info; do \
		test ! -d $$package -o -e $$package/RECORD || rm -r $$package; done  # pip was killed, and would take this for complete
	@exec 3>&1; halves() { for half in 0 1; do $(PIP) --no-compile --no-deps \
		-r <(awk -v half=$$half '/^[^ ]/ { n++ } n % 2 == half' requirements.txt) & done; wait -n && wait -n; }; \
	said=$$({ halves | awk -v all="$$(grep -c == requirements.txt)" \
		'/^(Collecting|Processing)/ { printf "\r  %d of about %d packages", ++n, all; fflush() } \
		/^Installing/ && !m++ { printf "\n  installing\n"; fflush() }' >&3; } 2>&1) || { $(EXPLAIN_PIP); exit 1; }
	@said=$$($(PIP) --quiet --no-deps --no-build-isolation --editable . 2>&1) || { $(EXPLAIN_PIP); exit 1; }
	@touch $@

# Colab's notebook packages, without the course: tests/test_colab.py installs that as a notebook does.
$(COLAB)/ready: tests/requirements-colab.txt | setup
	@echo "Setting up $(COLAB)"
	@rm -rf $(COLAB) && $(PYTHON) -m venv $(COLAB)
	@$(COLAB)/bin/python -m pip install --disable-pip-version-check --quiet -r $<
	@touch $@

course: setup
	@$(BIN)/autograder course

# Leaves out rare tests, those for which others stand, and those whose inputs have not changed since they passed:
# tests/sampling.py, tests/result_cache.py. What can run side by side does: pip and mypy each use one core.
test: setup
	@$(MAKE) --no-print-directory -j 2 lint pytest

# Everything, whatever has passed before: each night, and before a release.
test-all: setup
	@$(MAKE) --no-print-directory -j 2 $(COLAB)/ready lint
	@$(MAKE) --no-print-directory pytest OPTIONS=--all

pytest: setup
	$(BIN)/autograder release --check
	env -u MAKEFLAGS $(PYTEST) $(OPTIONS)  # which call make themselves

# What `test` leaves out then, since it has passed.
first-tests: lint
	$(BIN)/python -m pytest --reruns 1 tests/exercises/authoring/test_exercises.py -k "solution_passes or stub"

book: setup
	$(BIN)/jupyter-book build . -W --keep-going

ci:
	@.ci/run

# tests/bare/bare_machine.py lists the suites, and runs any other command there, such as `make test`.
SUITE := forky
bare:
	@$(PYTHON) tests/bare/bare_machine.py $(SUITE) tests/bare/prove.sh

# With whichever CuPy is in .venv: the one of CUDA 12, or after `make newer-cuda` that of CUDA 13.
gpu-test: setup
	@$(BIN)/python -c 'import sys; from autograder.cuda.backends import gpu; sys.exit(gpu.problem() or print(gpu.device_name(), gpu.versions(), sep="; "))'
	$(BIN)/python -m pytest --all tests/cuda/backends/test_gpu.py tests/cuda/backends/test_ptx_warpgroups.py tests/classroom/test_gpu_grading.py tests/cuda/performance/test_timing.py \
		tests/cuda/nvrtc tests/book/test_lecture_kernels.py tests/exercises/authoring/test_exercises.py

newer-cuda: setup
	$(BIN)/python -m pip uninstall --disable-pip-version-check --yes cupy-cuda12x
	$(PIP) --quiet --no-build-isolation --editable ".[gpu13]"

# docs/fuzzing.md says what must hold, and how to try one case again.
fuzz: setup
	PYTHONPATH=tests:tests/cuda/backends $(BIN)/python tests/fuzzing/fuzz.py

# After a change of a solution notebook, or of what a check prints.
outputs: setup
	$(BIN)/python -m autograder.exercises.authoring.outputs $(NAMES)
	$(BIN)/autograder release

# The emulator's C++; .clang-format-ignore says which tables are aligned by hand.
RUNTIME = $(shell git ls-files "autograder/cuda/emulator/*.h" "autograder/cuda/emulator/*.cpp" "autograder/cuda/programs/*.h" "autograder/cuda/programs/*.cpp")

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(RUNTIME)
	$(BIN)/mypy

format: setup
	$(BIN)/ruff check --select I --fix --quiet .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(RUNTIME)

# Needs uv (pip install uv), which locks for every supported Python at once. The hashes are those of every file of a
# version, so that pip takes nothing else, from whatever index.
# Left out: rfc3987-syntax (with its lark), which jsonschema uses if installed, for international addresses, of which
# there are none here. It builds a parser on import, two seconds in every process of nbgrader and Jupyter.
lock:
	uv pip compile pyproject.toml --extra course --universal --python-version $(OLDEST) \
		--no-header --no-emit-index-url --no-annotate --upgrade --generate-hashes \
		--no-emit-package rfc3987-syntax --no-emit-package lark -o requirements.txt

# Numba is installed besides the course, which does not need it.
$(BENCH)/ready: | setup
	@echo "Setting up $(BENCH)"
	@rm -rf $(BENCH) && $(PYTHON) -m venv --system-site-packages $(BENCH)
	@echo "$(abspath $(VENV))/lib/python$$($(BIN)/python -c 'import sys; print("%d.%d" % sys.version_info[:2])')/site-packages" \
		> $$($(BENCH)/bin/python -c 'import site; print(site.getsitepackages()[0])')/course.pth
	@$(BENCH)/bin/python -m pip install --disable-pip-version-check --quiet numba
	@touch $@

bench: setup $(BENCH)/ready
	@PYTHONPATH=$(CURDIR) $(BENCH)/bin/python tests/bench_emulator.py
	@$(BIN)/python tests/bench_grading.py
	@PYTHONPATH=$(CURDIR):$(CURDIR)/tests/book $(BIN)/python tests/bench_book.py

# The whole book as one file, printed by Chromium.
pdf: setup
	$(BIN)/jupyter-book build --quiet -W --keep-going .
	$(BIN)/python book/_ext/print_book.py _build/html _build/book.pdf

# The whole book for e-readers, without what needs scripts. Its own folder: the pages' one would be read anew each time.
epub: setup
	$(BIN)/jupyter-book build --quiet -W --builder custom --custom-builder epub --path-output _build/epub .
	cp _build/epub/_build/epub/*.epub _build/epub

# Checks the book's links to other hosts: once a week, since they may fail through no fault of ours.
links: setup
	$(BIN)/jupyter-book build --quiet --keep-going --builder linkcheck --path-output _build/links .

coverage: setup
	PYTHONPATH=$(CURDIR)/tests $(BIN)/python tests/cuda/backends/runtime_coverage.py

# The builder is the locked one, so that a release comes out the same for anybody.
$(RELEASE)/ready: requirements.txt
	@echo "Setting up $(RELEASE)"
	@rm -rf $(RELEASE) && $(PYTHON) -m venv $(RELEASE)
	@$(RELEASE)/bin/python -m pip install --disable-pip-version-check --quiet build twine $$(grep -o '^flit-core==[0-9.]*' $<)
	@touch $@

release: setup $(RELEASE)/ready
	@$(BIN)/python tests/release/make_release.py

upload: $(RELEASE)/ready
	$(RELEASE)/bin/twine upload dist/*.whl dist/cooperating_threads-*.tar.gz

# Removes only the sample class's gradebook and submissions, and refuses others. Copies of a gradebook stay.
clean:
	@for name in gradebook.db submitted autograded feedback _build/grading; do \
		test ! -e $$name || test -e $(VENV)/ready || { echo "Nothing was removed, since $(VENV), which could tell" \
			"a class's work from the sample class, is not ready: run \`make setup\` first."; exit 1; }; done
	@test ! -e $(VENV)/ready || $(BIN)/python -m autograder.classroom.commands.clean
	rm -rf $(VENV) $(COLAB) $(BENCH) $(RELEASE) _build dist gradebook.db submitted autograded feedback

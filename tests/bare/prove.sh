#!/usr/bin/env bash
# Proves what the README promises of a machine that has Python, venv, make and git but no compiler, CUDA or GPU:
# the first command, whole programs, the exercises whose answer is a whole program, and the README's example.
# Run it on such a machine: bare_machine.py makes one, and so does each image in .github/workflows/bare.yml.
set -euo pipefail
shopt -s globstar nullglob
cd "$(dirname "$0")/../.."

fail() {
    printf 'bare machine: %s\n' "$*" >&2
    exit 1
}

step() { printf '\n== %s (after %d s)\n' "$*" "$SECONDS"; }

# expect CODE WORDS COMMAND ...: the command ends with this code and prints these words.
expect() {
    local code=0 printed
    printed=$("${@:3}" 2>&1) || code=$?
    [ "$code" = "$1" ] || fail "\`${*:3}\` ended with $code and not with $1: $printed"
    grep -qF -- "$2" <<<"$printed" || fail "\`${*:3}\` does not say \"$2\": $printed"
    printf '%s: exit code %s, "%s"\n' "${*:3}" "$1" "$2"
}

step 'Nothing is here that would prove nothing'
tools='cc|c\+\+|gcc|g\+\+|clang|clang\+\+|tcc|zig|nvcc|ptxas|ld|ld\.lld|node|nvidia-smi'
found=$(compgen -c | grep -xE "($tools)(-[0-9.]+)?" | sort -u | paste -sd ' ') || true
[ -z "$found" ] || fail "this machine has $found, which a student's may not have."
found=$(compgen -G '/usr/local/cuda*' || compgen -G '/opt/cuda*' || compgen -G '/usr/lib/*/libcuda*' || true)
[ -z "$found" ] || fail "this machine has $found, which a student's may not have."

step 'The tool alone, in an empty environment'
alone=$(mktemp -d)
python3 -m venv "$alone"
"$alone/bin/pip" install --quiet --disable-pip-version-check .
found=$("$alone/bin/pip" list --format freeze | grep -vE '^(cooperating-threads|numpy|ziglang|pip|setuptools)==') || true
[ -z "$found" ] || fail "the wheel installs $found, too."
expect 0 'nothing was found' "$alone/bin/autograder" run tests/cuda/programs/right/vector_add.cu
expect 3 "pip install 'cooperating-threads[mcp]'" "$alone/bin/autograder" mcp
rm -r "$alone"

step 'make course'
log=$(mktemp)
make course | tee "$log"
for words in 'Emulator runtime: ready' 'Exercises and sample class: done' 'Book: done' 'Run on    the CPU emulator'; do
    grep -qF -- "$words" "$log" || fail "make course does not say \"$words\"."
done
! grep -F 'Exercises cannot be checked in the page' "$log" || fail 'make course could not install npm packages.'
[ -e _build/html/index.html ] || fail 'make course made no book.'
autograder=.venv/bin/autograder

step 'autograder run: a whole program that is right, one that is wrong, and one that does not compile'
programs=tests/cuda/programs
expect 0 'c[0] = 5, c[999] = 5' "$autograder" run $programs/right/vector_add.cu
expect 0 'nothing was found' "$autograder" run $programs/right/vector_add.cu
expect 1 'BarrierDivergence in shift, launched in line 11' "$autograder" run $programs/wrong/barrier_that_half_the_block_skips.cu
sed 's/cudaMalloc/cudaMaloc/' $programs/right/vector_add.cu >"$log.cu"
expect 2 'line 18 does not compile: use of undeclared identifier' "$autograder" run "$log.cu"

# The four wrong answers that verify asks for, and as many other right ones: `make test-all` tries them all, in many minutes.
step 'autograder verify: each exercise whose answer is a whole program'
solutions=$(mktemp -d)/solutions
cp -r solutions "$solutions"
for folder in "$solutions"/**/; do
    answers=("$folder"*.cu)
    rm -f "${answers[@]:4}"
done
mapfile -t notebooks < <(grep -lF '"int main(' "$solutions"/*/*.ipynb)
[ ${#notebooks[@]} -ge 4 ] || fail "only ${#notebooks[@]} exercises have a whole program as the answer."
"$autograder" verify "${notebooks[@]}"

step "The README's example, and an exercise that fails and passes"
.venv/bin/python -m pytest -q tests/test_readme.py

step 'autograder doctor'
"$autograder" doctor

printf '\nbare machine: proven in %d s, with %s and %s\n' "$SECONDS" "$(.venv/bin/python --version)" \
    "$(. /etc/os-release && echo "$PRETTY_NAME")"

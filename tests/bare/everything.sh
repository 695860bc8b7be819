#!/usr/bin/env bash
# Runs the README's two commands on a machine with nothing on it, and prints how long each took:
#     sudo tests/bare/bare_machine.py trixie tests/bare/everything.sh
set -uo pipefail
cd "$(dirname "$0")/../.."
codes=0
for command in 'make course' 'make test'; do
    begun=$SECONDS
    $command
    code=$?
    printf '\nbare machine: %s ended with %d after %d s, with %s and %s\n' "$command" "$code" "$((SECONDS - begun))" \
        "$(.venv/bin/python --version)" "$(. /etc/os-release && echo "$PRETTY_NAME")"
    codes=$((codes + code))
done
exit $((codes > 0))

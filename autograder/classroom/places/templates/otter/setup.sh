#!/usr/bin/env bash
# First Otter, in an environment that is not the grader's: it only reads the results.
set -e
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y python3.12-venv
python3.12 -m venv /opt/otter
/opt/otter/bin/pip install --no-cache-dir "otter-grader>=6"
/opt/otter/bin/python -m zipfile -e /autograder/source/requirements.zip /autograder/source/early

#!/usr/bin/env bash
# Installs the grader when the image is built, and tries it, so that the first submission waits for nothing.
set -e
export DEBIAN_FRONTEND=noninteractive XDG_CACHE_HOME=/var/cache
apt-get update
apt-get install -y python3.12-venv
python3.12 -m venv /opt/autograder
/opt/autograder/bin/pip install --no-cache-dir "{{ folder }}/{{ wheel }}[grading]"
/opt/autograder/bin/autograder check "{{ folder }}/released.ipynb" --bundle "{{ folder }}/bundle.txt" \
    --format json --output /tmp/tried.json || [ $? -eq 1 ]  # 1: the unsolved exercise earns no points, as it should

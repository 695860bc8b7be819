"""Notebooks run: behind a sandbox, in forks of one process, on this machine or on a cluster."""

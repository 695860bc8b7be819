"""Run notebooks: in a sandbox, in forks of one process, on this machine or on a cluster.

Imports `attacks`, `submission` and the rooms below them.
"""

"""Run notebooks: in a sandbox, in forks of one process, on this machine or on a cluster."""

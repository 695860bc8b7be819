"""The memory of a running program: what is allocated, what it holds, and who accesses it when."""

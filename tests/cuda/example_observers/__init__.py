"""An observer of another package, as `tests/cuda/backends/test_registered_observers.py` registers it."""

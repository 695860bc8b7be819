"""Start with the modules that take longest, so that no core waits for another one in the end.

`starts_early` marks a module that takes long for its number of tests. The first of them builds the book, for which the
others that need it would wait.
"""

from __future__ import annotations

from collections import Counter

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "starts_early: takes long for its number of tests, so its module comes first")


@pytest.hookimpl(trylast=True)  # after what leaves tests out
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    tests = Counter(item.path for item in items)
    early = {item.path for item in items if item.get_closest_marker("starts_early")}
    items.sort(key=lambda item: (item.path not in early, -tests[item.path]))

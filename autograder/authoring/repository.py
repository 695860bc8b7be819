"""Addresses that follow from the one place that says where the course's repository is: `_config.yml`."""

from __future__ import annotations

from pathlib import Path

import yaml

from ..errors import UsageError

CONFIG = "_config.yml"


def course_address(root: Path) -> str:
    """Where people find the repository of the course at `root`, and `git clone` does.

    Raises:
        UsageError: as `archive_address`.
    """
    return _repository(root)[0]


def archive_address(root: Path) -> str:
    """Where a zip file of the repository is to be had, as GitHub has it, for the course at `root`.

    Raises:
        UsageError: `_config.yml` is missing, or does not name the repository.
    """
    url, branch = _repository(root)
    return f"{url}/archive/refs/heads/{branch}.zip"


def colab_address(root: Path, notebook: str) -> str:
    """Where Colab opens `notebook`, a path in the repository of the course at `root`.

    Raises:
        UsageError: as `archive_address`.
    """
    url, branch = _repository(root)
    return (
        f"https://colab.research.google.com/github/{url.removeprefix('https://github.com/')}/blob/{branch}/{notebook}"
    )


def _repository(root: Path) -> tuple[str, str]:
    try:
        repository = yaml.safe_load((root / CONFIG).read_text())["repository"]
        return repository["url"].rstrip("/"), repository["branch"]
    except (OSError, yaml.YAMLError, LookupError, TypeError, AttributeError):
        raise UsageError(
            f"{CONFIG} does not say where the course's repository is: give it `repository:` with `url:` "
            "(such as https://github.com/owner/name) and `branch:`."
        ) from None

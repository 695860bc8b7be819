"""The course's repository: its address stands in `_config.yml` alone, and all links follow from that."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import yaml

from ...cuda.errors import UsageError

CONFIG = "_config.yml"
#: The owner in `_config.yml` until there is one. Nobody can have this name on GitHub.
NOT_SET = "OWNER_NOT_SET"
_PROJECT = "pyproject.toml"
#: The files that link to the repository and cannot read `_config.yml`. The project's file comes last, because it
#: says which address to replace in all of them: if a release stops halfway, the next one finishes it.
LINKING = ("README.md", "CITATION.cff", "CHANGELOG.md", "SECURITY.md", ".github/ISSUE_TEMPLATE/config.yml", _PROJECT)


def course_address(root: Path) -> str:
    """The address of the repository of the course at `root`, for people and for `git clone`.

    Raises:
        UsageError: as `archive_address`.
    """
    return _repository(root)[0]


def book_address(root: Path) -> str:
    """The address at which GitHub publishes the book of the course at `root`.

    Raises:
        UsageError: as `archive_address`.
    """
    return _pages(course_address(root))


def archive_address(root: Path) -> str:
    """The address of GitHub's zip file of the repository, for the course at `root`.

    Raises:
        UsageError: `_config.yml` is missing, or does not name the repository.
    """
    url, branch = _repository(root)
    return f"{url}/archive/refs/heads/{branch}.zip"


def colab_address(root: Path, notebook: str) -> str:
    """The address at which Colab opens `notebook`, a path in the repository of the course at `root`.

    Raises:
        UsageError: as `archive_address`.
    """
    url, branch = _repository(root)
    return (
        f"https://colab.research.google.com/github/{url.removeprefix('https://github.com/')}/blob/{branch}/{notebook}"
    )


def file_address(root: Path, path: str) -> str:
    """The address at which GitHub shows the file `path` of the repository of the course at `root`.

    Raises:
        UsageError: as `archive_address`.
    """
    url, branch = _repository(root)
    return f"{url}/blob/{branch}/{path}"


def raw_address(root: Path, notebook: str) -> str:
    """The address of the text of `notebook`, a path in the repository, as it was pushed by the course at `root`.

    Raises:
        UsageError: as `archive_address`.
    """
    url, branch = _repository(root)
    return f"{url}/raw/{branch}/{notebook}"


def owner_problem(root: Path) -> str | None:
    """What to do if the course at `root` names no owner yet, in one sentence; None if it names one.

    Raises:
        UsageError: as `archive_address`.
    """
    if NOT_SET not in course_address(root):
        return None
    return (
        f"{CONFIG} names no owner yet, so links to the repository lead nowhere: put its address there "
        "(`repository:`, `url:`, such as https://github.com/owner/name) and run `autograder release`."
    )


def check_links(root: Path) -> tuple[str, ...]:
    """One line for each file of `LINKING` that links to another repository than `_config.yml` names.

    Raises:
        UsageError: as `archive_address`.
    """
    return tuple(f"{name} links to another repository than {CONFIG} names" for name in _linked(root))


def write_links(root: Path) -> tuple[str, ...]:
    """Make the links of `LINKING` follow `_config.yml`; return what `check_links` said before.

    Raises:
        UsageError: as `archive_address`.
    """
    lines = check_links(root)
    for name, text in _linked(root).items():
        (root / name).write_text(text)
    return lines


def _linked(root: Path) -> dict[str, str]:
    """The files whose links are wrong, in the order of `LINKING`, with the right text."""
    new = course_address(root)
    if not (root / _PROJECT).exists():
        return {}  # a class's own folder, with the exercises alone
    old = tomllib.loads((root / _PROJECT).read_text())["project"]["urls"]["Repository"]
    if old == new:
        return {}
    texts = {name: (root / name).read_text() for name in LINKING if (root / name).exists()}
    return {name: text.replace(old, new).replace(_pages(old), _pages(new)) for name, text in texts.items()}


def _pages(url: str) -> str:
    """The address at which GitHub publishes the book of the repository at `url`."""
    owner, name = url.split("/")[-2:]
    return f"https://{owner}.github.io/{name}"


def _repository(root: Path) -> tuple[str, str]:
    try:
        return _stated((root / CONFIG).read_text())
    except (OSError, yaml.YAMLError, LookupError, TypeError, AttributeError):
        raise UsageError(
            f"{CONFIG} does not say where the course's repository is: give it `repository:` with `url:` "
            "(such as https://github.com/owner/name) and `branch:`."
        ) from None


@cache  # every page of the book asks
def _stated(config: str) -> tuple[str, str]:
    repository = yaml.safe_load(config)["repository"]
    return repository["url"].rstrip("/"), repository["branch"]

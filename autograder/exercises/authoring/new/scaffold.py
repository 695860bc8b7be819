"""Make a new part of the course from templates.

Each folder of `templates/` is a kind of part. Its `recipe.toml` lists what belongs to one:

- `example`, `pattern`: a name that fits, and the regular expression of names, whose groups become words;
- `taken`: a pattern of other files whose existence means that the name is taken;
- `answered`: words in the JSON of a source notebook that mean the same;
- `[[file]]`: a file to make at `path`, from the template of the same folder that is called `template`;
- `[[insert]]`: lines to add to `file`, in the first of its `ways` that is possible: `text` before or after the first
  line that is equal to `before` or `after`; after the last line that begins with `last`; or in the bracket that the
  line `within` opens, whose lines are sorted; `missing` says what to do if none is possible;
- `steps`: what to do next, and `proof`: the command that shows whether it is done.

All of these are templates of `string.Template`, whose words `_words` lists.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any

import nbformat

from ....cuda.errors import UsageError
from ...files import write_text
from .notebook import to_notebook

TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class Made:
    """A new part: the paths of files that were `made` and `changed`, the `steps` that follow, and the command that
    shows whether it is done, the `proof`."""

    made: tuple[str, ...]
    changed: tuple[str, ...]
    steps: tuple[str, ...]
    proof: str

    @property
    def undo(self) -> str:
        """The command that removes the files that were made, and restores the others as git last saw them."""
        restored = f"git checkout -- {' '.join(self.changed)}; " if self.changed else ""
        return f"{restored}rm {' '.join(self.made)}"


def kinds() -> tuple[str, ...]:
    """Return the kinds of parts that can be made, sorted."""
    return tuple(sorted(path.parent.name for path in TEMPLATES.glob("*/recipe.toml")))


def make(root: Path, kind: str, name: str) -> Made:
    """Make all files of a new part of the course at `root`, and add its lines to those that list parts.

    Raises:
        UsageError: the name does not fit or is taken, or `root` is not the course's folder. Nothing was written then.
    """
    if kind not in kinds():
        raise UsageError(f"There is no kind {kind} of part: name one of {', '.join(kinds())}.")
    folder = TEMPLATES / kind
    recipe = tomllib.loads((folder / "recipe.toml").read_text())
    words = _words(recipe, kind, name)

    def fill(text: str) -> str:
        return Template(text).substitute(words)

    taken = [str(path.relative_to(root)) for path in root.glob(fill(recipe["taken"]))] if "taken" in recipe else []
    for word in map(fill, recipe.get("answered", ())):
        notebooks = (path for path in sorted(root.glob("solutions/*/*.ipynb")) if word in path.read_text())
        taken += [f"An answer to {name.rpartition('/')[2]} in {path.relative_to(root)}" for path in notebooks]
    texts: dict[str, str] = {}
    for file in recipe["file"]:
        path = fill(file["path"])
        if (root / path).exists():
            taken.append(path)
        text = fill((folder / file["template"]).read_text())
        texts[path] = nbformat.writes(to_notebook(text)) + "\n" if path.endswith(".ipynb") else text
    if taken:
        raise UsageError(f"{taken[0]} exists: choose another name than {name}.")
    made = tuple(texts)
    for insert in recipe.get("insert", ()):
        path = fill(insert["file"])
        if path not in texts:
            texts[path] = _read(root, path)
        missing = fill(insert.get("missing", f"{path} has changed: adapt {kind}/recipe.toml, which adds lines to it."))
        texts[path] = _insert(
            texts[path], [{key: fill(text) for key, text in way.items()} for way in insert["ways"]], missing
        )
    for path, text in texts.items():
        write_text(root / path, text)
    changed = tuple(path for path in texts if path not in made)
    return Made(made, changed, tuple(map(fill, recipe["steps"])), fill(recipe["proof"]))


def _words(recipe: Mapping[str, Any], kind: str, name: str) -> dict[str, str]:
    """Return the words of templates: the pattern's groups, and other spellings of the group `name`."""
    match = re.fullmatch(recipe["pattern"], name)
    if match is None:
        raise UsageError(f"{name} is not the name of a new {kind}: give one such as {recipe['example']}.")
    words = match.groupdict()
    plain = words["name"].replace("_", " ").replace("-", " ")
    return {
        **words,
        "snake": plain.replace(" ", "_"),
        "dashed": plain.replace(" ", "-"),
        "words": plain,
        "title": plain[0].upper() + plain[1:],
        "class_name": plain.title().replace(" ", ""),
        "constant": plain.upper().replace(" ", "_"),
        **{f"{group}_dashed": text.replace("_", "-") for group, text in words.items()},
    }


def _read(root: Path, path: str) -> str:
    try:
        return (root / path).read_text()
    except FileNotFoundError:
        raise UsageError(f"There is no {path} here: run this in the course's folder.") from None


def _insert(text: str, ways: Sequence[Mapping[str, str]], missing: str) -> str:
    """Add lines in the first of `ways` whose place is in `text`."""
    lines = text.splitlines(keepends=True)
    for way in ways:
        at = _place([line.rstrip("\n") for line in lines], way)
        if at is not None:
            return "".join([*lines[:at], way["text"], *lines[at:]])
    raise UsageError(missing)


def _place(lines: Sequence[str], way: Mapping[str, str]) -> int | None:
    """Return the number of lines before the place of a way's text; None if there is no such place."""
    if "last" in way:
        return max((at for at, line in enumerate(lines, 1) if line.startswith(way["last"])), default=None)
    (how,) = way.keys() - {"text"}
    if way[how] not in lines:
        return None
    at = lines.index(way[how])
    if how == "before":
        return at
    at += 1
    while how == "within" and lines[at][:1] == " " and lines[at] < way["text"].rstrip("\n"):
        at += 1
    return at

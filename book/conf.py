"""Sphinx's configuration, read from `_config.yml`: what Jupyter Book 1 makes of that file, without Jupyter Book.

    sphinx-build -c book -d _build/.doctrees . _build/html

Jupyter Book itself never reads this file, since it takes the book's root for the folder of the configuration.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import yaml

_ROOT = Path(__file__).resolve().parents[1]
_BOOK: dict[str, Any] = yaml.safe_load((_ROOT / "_config.yml").read_text())
_SPHINX: dict[str, Any] = _BOOK["sphinx"]["config"]
#: The settings of paths that Sphinx takes from this file's folder, and Jupyter Book from the book's root.
_PATHS = ("templates_path", "html_static_path", "html_extra_path")

sys.path += [str(_ROOT / folder) for folder in dict.fromkeys(_BOOK["sphinx"]["local_extensions"].values())]
extensions = [
    "sphinx_togglebutton",
    "sphinx_copybutton",
    "sphinx_design",
    "myst_nb",
    "sphinx_external_toc",
    "sphinx_book_theme",
    *_BOOK["sphinx"]["local_extensions"],
]
html_theme = "sphinx_book_theme"
pygments_style = "sphinx"
html_title = _BOOK["title"]
author, copyright = _BOOK["author"], _BOOK["copyright"]
html_favicon = str(_ROOT / _BOOK["html"]["favicon"])
html_sourcelink_suffix = ""
exclude_patterns = [*_BOOK["exclude_patterns"], "_build"]
external_toc_path = str(_ROOT / "_toc.yml")
external_toc_exclude_missing = _BOOK["only_build_toc_files"]
myst_enable_extensions = _BOOK["parse"]["myst_enable_extensions"]
myst_url_schemes = ["mailto", "http", "https"]
nb_execution_mode = "off"
suppress_warnings = ["myst.domains"]
globals().update(_SPHINX)
globals().update({name: [str(_ROOT / path) for path in _SPHINX[name]] for name in _PATHS})

"""The book as an EPUB, which Sphinx's own builder makes: of a page, what works without scripts, as XML."""

from __future__ import annotations

import re
from typing import Any

from bs4 import BeautifulSoup
from sphinx.application import Sphinx


def make_xml(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Make a page's text what an EPUB must be. (Elements with `hidden` wait for a script.)"""
    if "body" in context:
        context["body"] = as_xml(context["body"])


def as_xml(html: str) -> str:
    """HTML, without scripts and what they show, as XML. Names of SVG such as `viewBox` stay as they are."""
    soup = BeautifulSoup(html, "html.parser")
    for tag in soup.select("script, [hidden]"):
        tag.decompose()
    for drawing in soup("svg"):
        drawing["xmlns"] = "http://www.w3.org/2000/svg"  # HTML knows it by its name, XML does not
    xml = soup.decode(formatter="minimal")
    for name in set(re.findall(r"(?<=[<\s])[a-z]+[A-Z]\w*(?==)", html)):
        xml = re.sub(rf"(?<=\s){name.lower()}(?==)", name, xml)
    return xml

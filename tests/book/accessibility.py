"""axe's verdict on a page in a browser: the rules of WCAG 2 and of good practice that a program can check.

axe compares every letter's color with its background, which takes seconds on a page of listings. All pages have the
same style, so each look (color, large or not, a link or not, and the backgrounds below) is judged in one place, once
a site. For the other rules axe builds a model of all elements. Many of these are the colored words of listings, to
which no such rule applies, so they are removed first.
"""

from importlib.resources import files

from playwright.sync_api import Page

_COLORS = ["color-contrast", "link-in-text-block"]
_SCROLL = ["scrollable-region-focusable"]
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text()

#: One element for each new look. Drawings are left out: axe does not know shapes as backgrounds.
_NEW_LOOKS = """(seen) => {
  document.getAnimations().forEach((one) => one.finish()); // no color on its way to another
  const known = new Set(seen), places = [], fresh = [], after = new Map([[null, ""]]);
  const lies = (one) => { // the backgrounds down to the first that hides what lies below it
    if (!after.has(one)) {
      const {backgroundColor: color, backgroundImage: image, opacity} = getComputedStyle(one);
      const clear = /, 0\\)$/.test(color), below = color.startsWith("rgb(") ? "" : lies(one.parentElement);
      after.set(one, below + (clear ? "" : ` ${color}`) + (image === "none" ? "" : ` ${image}`)
        + (opacity === "1" ? "" : ` opacity ${opacity}`));
    }
    return after.get(one);
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const one = texts.currentNode.parentElement;
    if (texts.currentNode.data.trim().length < 2 /* which axe does not judge */ || one.closest("svg, script, style")
      || !one.checkVisibility()) continue;
    const {color, fontSize, fontWeight} = getComputedStyle(one);
    const large = parseFloat(fontSize) >= (fontWeight >= 700 ? 18.66 : 24); // as WCAG draws the line
    const look = [color, large, Boolean(one.closest("a")), lies(one)].join(" ");
    if (known.has(look)) continue;
    known.add(look);
    fresh.push(look);
    places.push(one);
  }
  window.places = places;
  return fresh;
}"""
#: Words of a listing that have only a color; those with a width of their own stay.
_JOIN_LISTINGS = """() => {
  for (const pre of document.querySelectorAll("pre")) {
    for (const one of pre.querySelectorAll("span:not(.linenos):not(:has(*))"))
      if (one.getAttributeNames().every((name) => name === "class")) one.replaceWith(one.textContent);
    pre.normalize();
  }
}"""
#: Scrolling elements that no key reaches: only these can break axe's rule.
_SCROLLING = """() => {
  const scrolls = (one) => /auto|scroll/.test(getComputedStyle(one).overflow);
  window.places = [...document.body.querySelectorAll(":not([tabindex])")].filter((one) =>
    (one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight) && scrolls(one));
  return window.places.length;
}"""
_RUN = """async (options) => {
  const {only, ...rest} = options;
  const what = only ? {include: window.places} : document;
  const {violations} = await axe.run(what, {resultTypes: ["violations"], preload: false, ...rest});
  const words = ({failureSummary: text}) => text.split("\\n").slice(1).join(" ").trim();
  return violations.flatMap(({impact, id, nodes}) =>
    nodes.map((one) => `${impact}: ${id}: ${one.target.join(" ")}: ${words(one)}`));
}"""


def find_violations(page: Page) -> list[str]:
    """Everything but colors, each as "impact: rule: where: what to do"; the words of listings have no color then."""
    _load(page)
    page.evaluate(_JOIN_LISTINGS)
    return _run(page, {"rules": {rule: {"enabled": False} for rule in _COLORS}})


def find_unreachable(page: Page) -> list[str]:
    """Scrolling elements that no key reaches; a narrow page has more of them."""
    _load(page)
    return _run(page, {"only": True, "runOnly": _SCROLL}) if page.evaluate(_SCROLLING) else []


def find_faint_text(page: Page, seen: set[str]) -> list[str]:
    """Text too faint on its background; its looks join `seen` and are not judged again."""
    _load(page)
    looks = page.evaluate(_NEW_LOOKS, list(seen))
    seen.update(looks)
    return _run(page, {"only": True, "runOnly": _COLORS}) if looks else []


def _run(page: Page, options: dict[str, object]) -> list[str]:
    found: list[str] = page.evaluate(_RUN, options)
    return found


def _load(page: Page) -> None:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)

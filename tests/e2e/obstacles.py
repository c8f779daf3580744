"""What stands in a reader’s way on a page: found by axe-core, and by asking what it does not ask."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from babel.messages.pofile import read_po
from playwright.sync_api import Page, ViewportSize

import talleyrand.web

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
WEB = Path(talleyrand.web.__file__).parent
NARROW: ViewportSize = {"width": 320, "height": 844}
LOOK = """async () => {
  for (const folded of document.querySelectorAll("details:not(.phase-list):not(.look)")) folded.open = true;
  const found = await axe.run(document, { resultTypes: ["violations"] });
  return found.violations.map((one) => [one.id, one.help, one.nodes.map((node) => node.target.join(" "))]);
}"""
HEAD = """() => {
  const titles = [...document.querySelectorAll("h1")].filter((one) => one.checkVisibility());
  return [titles.length, document.title];
}"""
# What reaches beyond the right edge though nothing around it scrolls or cuts it off.
WIDE = """() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  const kept = (one) => one.parentElement && (getComputedStyle(one.parentElement).overflowX !== "visible"
    && one.parentElement !== document.body && one.parentElement !== document.documentElement
    || kept(one.parentElement));
  const found = [...document.body.querySelectorAll("*")]
    .filter((one) => one.getBoundingClientRect().right > width + 0.5 && !kept(one));
  const named = found.map((one) => `${one.tagName.toLowerCase()}#${one.id}.${one.getAttribute("class")}`);
  return [`${document.documentElement.scrollWidth} wide`, ...named];
}"""
# Places are called as in the database of time zones, and codes are for programs.
SAID = """() => {
  const APART = "script, style, textarea, code, option[value*='/']";
  const french = (one) => (one.closest("[lang]")?.getAttribute("lang") ?? "fr") === "fr";
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [document.title];
  while (walker.nextNode()) {
    const one = walker.currentNode.parentElement;
    if (french(one) && !one.closest(APART)) found.push(walker.currentNode.data);
  }
  for (const one of document.body.querySelectorAll("*"))
    for (const name of ["aria-label", "title", "alt", "placeholder", "label"])
      if (one.hasAttribute(name) && french(one)) found.push(one.getAttribute(name));
  return [...new Set(found.map((text) => text.replace(/\\s+/g, " ").trim()).filter(Boolean))];
}"""
ENGLISH = re.compile(
    r"\b(the|and|of|your|with|this|is|has|have|not|you|from|which|was|were|been|will)\b", re.IGNORECASE
)


def obstacles(page: Page, axe: str) -> list[str]:
    """What axe-core finds on the page as it stands, with everything that is folded opened."""
    page.evaluate("document.fonts.ready.then(() => null)")
    page.evaluate(axe)
    found = page.evaluate(LOOK)
    return [f"{page.url}: {rule}: {told}: {' | '.join(places[:4])}" for rule, told, places in found]


def shortcomings(page: Page) -> list[str]:
    """Not one title, a page wider than the narrowest telephone, English where French is spoken."""
    headings, title = page.evaluate(HEAD)
    found = [] if headings == 1 and title else [f"{headings} main headings, title “{title}”"]
    found += [f"beyond the edge: {' | '.join(wide[:5])}" for wide in [_wide(page)] if wide]
    if page.get_attribute("html", "lang") == "fr":
        found += [f"English: {text}" for text in page.evaluate(SAID) if is_english(text)]
    return [f"{page.url}: {one}" for one in found]


def _wide(page: Page) -> list[str]:
    size = page.viewport_size
    assert size is not None
    page.set_viewport_size(NARROW)
    found: list[str] = page.evaluate(WIDE)
    page.set_viewport_size(size)
    return found


def is_english(text: str) -> bool:
    """Whether a sentence is one that the catalogues say in another way in French, or looks like one."""
    return bool(ENGLISH.search(text)) or text in _untranslated()


@cache
def _untranslated() -> frozenset[str]:
    """What the site says in English, but for what may also be French."""
    english, french = set[str](), set[str]()
    for path in WEB.rglob("locale/fr/LC_MESSAGES/django.po"):
        with path.open("rb") as file:
            for message in read_po(file, locale="fr"):
                english.update(_forms(message.id))
                french.update(_forms(message.string))
    return frozenset(english - french - {one.strip() for one in french})


def _forms(told: str | Sequence[str] | None) -> Sequence[str]:
    return [told] if isinstance(told, str) else told or ()

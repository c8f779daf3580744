"""The page of threats names tests that there are, the same in both languages."""

import re
from pathlib import Path

WEB = Path(__file__).parents[1]
DOCS = WEB.parents[1] / "docs"
NAMED = re.compile(r"`((?:\w+/)?\w+\.py)`")


def test_each_claim_has_its_test() -> None:
    pages = (DOCS / "fr/explanation/menaces.md", DOCS / "en/explanation/threats.md")
    french, english = (NAMED.findall(page.read_text("utf-8")) for page in pages)
    assert french == english
    assert all((WEB / name).is_file() for name in french), french
    own = {f"security/{file.name}" for file in Path(__file__).parent.glob("test_*.py")}
    assert own - set(french) == {"security/test_threats.py"}

"""Every setting of the site stands in its reference, in both languages, and nothing else does."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SETTING = re.compile(r"TALLEYRAND_[A-Z_]+")


@pytest.mark.parametrize("page", ["fr", "en"])
def test_the_settings_are_in_the_reference(page: str) -> None:
    folder = ROOT / "src/talleyrand/web/settings"
    settings = "".join((folder / name).read_text("utf-8") for name in ("__init__.py", "kept_settings.py"))
    reference = (ROOT / f"docs/{page}/reference/site.md").read_text("utf-8")
    assert set(SETTING.findall(reference)) == set(SETTING.findall(settings))

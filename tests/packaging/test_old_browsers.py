"""What a phone at a table loads is read by browsers of 2018: ES2018, and nothing that came after it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from talleyrand.web.common.static_files import script_with_imports

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "src/talleyrand/web/static/js"
COMPILER = ROOT / "node_modules/.bin/tsc"
AS_MODULES = (
    "--ignoreConfig",
    "--allowJs",
    "--module",
    "esnext",
    "--moduleResolution",
    "bundler",
)
OF_A_PHONE = (
    "phone.js",
    "kept_shown.js",
    "news.js",
    "table_clock.js",
    "class_phone.js",
    "fresh.js",
    "referee.js",
    "hand.js",
)
# Firefox reads these only since 78, in a module that it otherwise refuses whole.
YOUNG_PATTERN = re.compile(r"/[gimuy]*s[gimuy]*(?=[.,;)])|\\p\{|\(\?<[=!]")
YOUNG_NAMES = (
    "structuredClone",
    "replaceChildren",
    "replaceAll",
    "requestSubmit",
    "AbortSignal",
    "crypto.subtle",
    "serviceWorker",
    "showPopover",
)


def compiled(target: str, folder: Path) -> dict[str, str]:
    """The scripts of a phone with what they import, written for one version of the language."""
    asked = [
        str(COMPILER),
        *AS_MODULES,
        "--removeComments",
        "--target",
        target,
        "--outDir",
        str(folder),
        *OF_A_PHONE,
    ]
    subprocess.run(asked, cwd=SCRIPTS, check=True, capture_output=True)
    return {one.name: one.read_text() for one in folder.glob("*.js")}


@pytest.mark.skipif(not COMPILER.exists(), reason="npm ci has not been run")
def test_a_phone_loads_no_syntax_after_es2018(tmp_path: Path) -> None:
    """What the compiler would have to rewrite for ES2018 is newer than that."""
    old, new = compiled("es2018", tmp_path / "old"), compiled("esnext", tmp_path / "new")
    assert {"phone.js", "ordering.js", "viewport.js", "leader.js"} <= old.keys()
    assert [name for name in old if old[name] != new[name]] == []


@pytest.mark.long
@pytest.mark.skipif(not COMPILER.exists(), reason="npm ci has not been run")
def test_the_compiler_finds_newer_syntax(tmp_path: Path) -> None:
    newer = tmp_path / "newer.js"
    newer.write_text("class A { #b = 1; c(d) { return d?.e ?? this.#b; } }\n")
    written = []
    for target in ("es2018", "esnext"):
        asked = [COMPILER, *AS_MODULES, "--target", target, "--outDir", tmp_path / target, newer]
        subprocess.run(asked, cwd=tmp_path, check=True, capture_output=True)
        written.append((tmp_path / target / newer.name).read_text())
    assert written[0] != written[1]


@pytest.mark.skipif(not COMPILER.exists(), reason="npm ci has not been run")
def test_a_phone_calls_no_function_of_the_language_after_es2018() -> None:
    known = ["--target", "es2018", "--lib", "es2018,dom,dom.iterable", "--types", ""]
    asked = [str(COMPILER), *AS_MODULES, *known, "--checkJs", "--noEmit", *OF_A_PHONE]
    told = subprocess.run(asked, cwd=SCRIPTS, check=False, capture_output=True, text=True)
    assert told.returncode == 0, told.stdout


def test_a_phone_loads_nothing_that_a_browser_of_2018_lacks() -> None:
    loaded = {name for script in OF_A_PHONE for name in script_with_imports(f"js/{script}")}
    assert "js/ordering.js" in loaded
    for name in loaded:
        text = (SCRIPTS.parent / name).read_text()
        assert not YOUNG_PATTERN.search(text), (name, YOUNG_PATTERN.search(text))
        assert [one for one in YOUNG_NAMES if one in text] == [], name

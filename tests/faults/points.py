"""The points at which a process may end, as the sources name them."""

from __future__ import annotations

import ast
from pathlib import Path

import talleyrand

SOURCES = Path(talleyrand.__file__).parent
DOOR = "talleyrand.web.common.failpoints"
# There the server of others has taken something, and it is not written down here yet: nobody can know of it.
IN_DOUBT = {
    "mail": ("mail out: handed over", "mail out: noted, not committed"),
    "hook": ("webhooks: answered, not noted",),
    "push": ("push: answered, not noted",),
}
# Who stands still there until others have his claims, and goes on, sends once more what he had in hand.
IN_HAND = {"mail": ("mail out: sealed", "mail out: half handed over"), "push": ("push: claimed",)}
HANDFUL = 16  # pushes that are in hand at once


def declared() -> dict[str, str]:
    """Each point with the module that it stands in. Raises ValueError for a name that stands twice."""
    found: dict[str, str] = {}
    for path in sorted(SOURCES.rglob("*.py")):
        for name in named(path.read_text("utf-8")):
            if name in found:
                raise ValueError(name)
            found[name] = path.relative_to(SOURCES).as_posix()
    return found


def named(source: str) -> list[str]:
    """The failpoints of a module that imports them. Raises TypeError for one without a literal name."""
    if DOOR not in source:
        return []
    tree = ast.parse(source)
    if not any(isinstance(one, ast.ImportFrom) and one.module == DOOR for one in tree.body):
        return []
    calls = (one for one in ast.walk(tree) if isinstance(one, ast.Call) and isinstance(one.func, ast.Name))
    return [
        _literal(call) for call in calls if isinstance(call.func, ast.Name) and call.func.id == "failpoint"
    ]


def _literal(call: ast.Call) -> str:
    (name,) = call.args
    if not isinstance(name, ast.Constant) or not isinstance(name.value, str):
        raise TypeError(f"line {call.lineno}: a point is named by a literal")
    return name.value

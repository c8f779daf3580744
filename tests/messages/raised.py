"""Finds every place in the source where a refusal, an error or a note is made, and its code.

The source is read, not run: what needs an extra is looked at as well.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import talleyrand
from talleyrand.engine.errors import OrderRefusal

ROOT = Path(talleyrand.__file__).parent
FAMILIES = {
    "OrderRefusal": "refusal",
    "TalleyrandError": "error",
    "AdjudicationNote": "note",
    "ShardError": "simulate",
}
SITE = "talleyrand.web"
CODE = re.compile(r"(act|event|sound|archive|import)_\w*[a-z]")


class Site(NamedTuple):
    """One place where something is made: its family, its code and the facts named there."""

    where: str
    family: str
    code: str
    facts: frozenset[str]


Nodes = dict[type[ast.AST], list[Any]]


class Source(NamedTuple):
    """One file, and the words in all files that stand for a family or a code."""

    path: str
    nodes: Nodes  # of each kind
    families: dict[str, str]
    members: dict[str, str]


@cache
def sites() -> tuple[Site, ...]:
    files = {str(path.relative_to(ROOT)): _nodes(path) for path in sorted(ROOT.rglob("*.py"))}
    classes = [node for nodes in files.values() for node in nodes[ast.ClassDef]]
    families, members = _families(classes), _members(classes)
    return tuple(
        site
        for path, nodes in files.items()
        for site in _sites(Source(path, nodes, _within(path, nodes, families), members))
    )


def _nodes(path: Path) -> Nodes:
    """What stands in a file, by its kind: it is walked once, there are five hundred of them."""
    found: Nodes = defaultdict(list)
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        found[type(node)].append(node)
    return found


@cache
def written() -> tuple[str, ...]:
    """Every code of tournaments that stands in their source, wherever it is handed to."""
    files = [_nodes(path) for path in sorted((ROOT / "tournament").rglob("*.py"))]
    texts = {str(node.value) for nodes in files for node in nodes[ast.Constant]}
    return tuple(sorted(text for text in texts if CODE.fullmatch(text)))


def _within(path: str, nodes: Nodes, families: dict[str, str]) -> dict[str, str]:
    """The families of the names in a file: in the site, of those it has from outside.

    What the site itself names a refusal carries its own sentence.
    """
    if not path.startswith("web/"):
        return families
    imports = [node for node in nodes[ast.ImportFrom] if not node.level]
    outside = [node for node in imports if not f"{node.module}.".startswith(f"{SITE}.")]
    names = {one.name for node in outside for one in node.names}
    return {name: family for name, family in families.items() if name in names}


def _families(classes: list[ast.ClassDef]) -> dict[str, str]:
    """Each class of refusals, errors and notes with its family."""
    found = dict(FAMILIES)
    for _ in range(4):
        for one in classes:
            for base in one.bases:
                if isinstance(base, ast.Name) and base.id in found:
                    found.setdefault(one.name, found[base.id])
    return found


def _members(classes: list[ast.ClassDef]) -> dict[str, str]:
    """`Reason.EMPTY` and its like with the words they stand for."""
    return {
        f"{one.name}.{line.targets[0].id}": line.value.value
        for one in classes
        for line in one.body
        if isinstance(line, ast.Assign)
        and isinstance(line.targets[0], ast.Name)
        and isinstance(line.value, ast.Constant)
        and isinstance(line.value.value, str)
    }


def _sites(source: Source) -> Iterator[Site]:
    for call in source.nodes[ast.Call]:
        family = source.families.get(call.func.id) if isinstance(call.func, ast.Name) else None
        if family and call.args:
            where = f"{source.path}:{call.lineno}"
            for code in _codes(call.args[0], source):
                assert code or _enumerates(source), f"{where}: the code cannot be told"
                if code:
                    yield Site(where, family, code, _facts(call, family))


def _facts(call: ast.Call, family: str) -> frozenset[str]:
    ordered = tuple(field.name for field in fields(OrderRefusal)) if family == "refusal" else ()
    positional = ordered[: len(call.args)]
    return frozenset((*positional, *(word.arg or "**" for word in call.keywords)))


def _enumerates(source: Source) -> bool:
    """Whether the codes of a file are checked as a whole: the reader's by their enumeration, those of
    tournaments wherever they are written."""
    imports = source.nodes[ast.ImportFrom]
    return source.path.startswith("tournament/") or any(node.module == "reasons" for node in imports)


def _codes(node: ast.expr, source: Source) -> Iterator[str]:
    """The codes an expression may stand for; "" where it cannot be told."""
    if isinstance(node, ast.Constant):
        yield str(node.value)
    elif isinstance(node, ast.IfExp):
        yield from _codes(node.body, source)
        yield from _codes(node.orelse, source)
    elif isinstance(node, ast.Attribute):
        yield source.members.get(ast.unparse(node), "")
    elif isinstance(node, ast.JoinedStr):
        yield from _begun(node)
    elif isinstance(node, ast.Name):
        yield from _handed_down(node, source)
    else:
        yield ""


def _begun(node: ast.JoinedStr) -> Iterator[str]:
    """Codes that end with a value: each of tournaments that begins so."""
    begin = ast.literal_eval(node.values[0]) if isinstance(node.values[0], ast.Constant) else ""
    text = (ROOT / "messages/locale/fr/LC_MESSAGES/tournament.po").read_text("utf-8")
    yield from re.findall(rf'^msgid "refusal\.({begin}\w+)"$', text, re.MULTILINE) if begin else [""]


def _handed_down(node: ast.Name, source: Source) -> Iterator[str]:
    """The codes given to the function whose parameter this name is."""
    functions: list[ast.FunctionDef] = source.nodes[ast.FunctionDef]
    holders = [one for one in functions if any(child is node for child in ast.walk(one))]
    holder = holders[-1] if holders else None
    parameters = [parameter.arg for parameter in holder.args.args] if holder else []
    if holder is None or node.id not in parameters:
        yield ""
        return
    place = parameters.index(node.id)
    for call in source.nodes[ast.Call]:
        if isinstance(call.func, ast.Name) and call.func.id == holder.name and len(call.args) > place:
            yield from _codes(call.args[place], source)

"""What a field is filled with that no keyboard types, drawn by a seed: as a form has it, and as JSON."""

from __future__ import annotations

from random import Random
from typing import Any
from urllib.parse import quote_plus

# As a form holds them: bytes of an address.
BYTES = (
    "",
    "+",
    "%00",
    "A%00b",
    "%ED%A0%80",
    "%FF%FE",
    "%C3",
    "%0D%0A",
    "%EF%BF%BF",
    "%F0%9F%8F%B0",
    "%E2%80%AE",
    "%CC%81" * 60,
    "0",
    "1",
    "2",
    "3",
    "-1",
    "1.5",
    "1e9",
    "1e999",
    "NaN",
    "inf",
    "%D9%A1%D9%A2",  # digits of another script
    "%C2%B2",
    "32768",
    "2147483648",
    "9223372036854775808",
    "9" * 30,
    "-" + "9" * 5000,
    "0x10",
    "on",
    "true",
    "null",
    "None",
    "{}",
    "%5B%5D",
    "%5B" * 3000,
    "%7B%22a%22%3A%22%5Cu0000%5Cud800%22%7D",
    "%7B%22units%22%3A%7B%22PAR%22%3A1%7D%7D",
    "0000-00-00",
    "0001-01-01",
    "0001-01-01T00%3A00",
    "9999-12-31",
    "9999-12-31T23%3A59",
    "2026-02-30",
    "2026-03-29T02%3A30",
    "99%3A99",
    "24%3A00",
    "P1D",
    "Europe/Paris",
    "Etc/GMT%2B12",
    "../../etc/passwd",
    "fr",
    "xx",
    "FRANCE",
    "GERMANY",
    "france,germany",
    "PAR",
    "classic",
    "datc",
    "own",
    "flora%40exemple.fr",
    "a%40b",
    "%22a%0D%0AB%22%40exemple.fr",
    "https%3A%2F%2F127.0.0.1%2F",
    "https%3A%2F%2Fexemple.org%2Fa",
    "%3Cscript%3E",
    "%7B%7B+settings+%7D%7D",
    "%25s%25(a)s%7B0%7D",
    "A+Par+-+Bur",
    "x" * 41,
    "x" * 81,
    "x" * 256,
    "x" * 3000,
    "%C3%A9" * 200,
    "x" * 70000,
    "a%0A" * 3000,
)
JSON: tuple[Any, ...] = (
    None,
    True,
    0,
    1,
    -1,
    1.5,
    2**31,
    2**63,
    10**40,
    1e308,
    "",
    "\0",
    "a\0b",
    "\ud800",
    "\udfff\ud800",
    "FRANCE",
    "GERMANY",
    "A Par - Bur",
    "A Par\0",
    "A \ud83d",
    "2026-02-30",
    "9999-12-31T23:59:59Z",
    "0001-01-01T00:00:00+14:00",
    "x" * 41,
    "x" * 300,
    "x" * 20_000,
    [],
    {},
    [[]],
    {"": ""},
    {"\0": "\0"},
    {"\ud800": "\ud800"},
    ["A Par - Bur"] * 500,
    {"FRANCE": ["A Par - Bur", "\ud800"]},
    {"PAR": 1},
    [None],
    [1, "a", {}],
)


def typed(lot: Random, known: list[str]) -> str:
    """A value of a form: hostile, or one that stands somewhere on the site."""
    return quote_plus(lot.choice(known)) if known and lot.random() < 0.35 else lot.choice(BYTES)


def told(lot: Random, schema: Any, root: dict[str, Any], deep: int = 0) -> Any:
    """JSON that is now and then what a schema asks for."""
    while isinstance(schema, dict) and "$ref" in schema:
        schema = root["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    if not isinstance(schema, dict) or deep > 4 or lot.random() < 0.25:
        return lot.choice(JSON)
    if several := schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf"):
        return told(lot, lot.choice(several), root, deep)
    if "enum" in schema:
        return lot.choice(schema["enum"])
    if schema.get("type") == "object" or "properties" in schema:
        return _table(lot, schema, root, deep)
    if schema.get("type") == "array":
        return [told(lot, schema.get("items"), root, deep + 1) for _ in range(lot.choice((0, 1, 2)))]
    kind = {"string": str, "integer": int, "number": float, "boolean": bool}.get(schema.get("type", ""))
    fitting = [one for one in JSON if kind is not None and type(one) is kind]
    return lot.choice(fitting or list(JSON))


def _table(lot: Random, schema: dict[str, Any], root: dict[str, Any], deep: int) -> dict[str, Any]:
    asked = set(schema.get("required", ()))
    made = {
        name: told(lot, one, root, deep + 1)
        for name, one in schema.get("properties", {}).items()
        if name in asked or lot.random() < 0.6
    }
    more = schema.get("additionalProperties")
    if isinstance(more, dict):
        made[lot.choice(("FRANCE", "PAR", "a", "\0", "\ud800"))] = told(lot, more, root, deep + 1)
    return made

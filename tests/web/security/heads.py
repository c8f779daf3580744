"""What is wrong with the head of an answer, or with a page that its content policy would break."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

from talleyrand.web.common.security_headers import FIXED

EVENT = re.compile(r"<[a-z][^<>]*\son[a-z]+\s*=", re.I)
STYLED = re.compile(r"<[a-z][^<>]*\sstyle\s*=", re.I)
SCRIPT = re.compile(r"<script\b([^>]*)>(.)", re.I | re.S)
STYLE = re.compile(r"<style\b([^>]*)>", re.I)
ABROAD = re.compile(
    r"""<(?:script|link|img|iframe|form|object|embed)\b[^>]*\s(?:src|href|action|data)=["'](?:https?:)?//""",
    re.I,
)
FORMULA = ("=", "+", "-", "@", "\t", "\r")
UNSAFE = ("'unsafe-inline'", "'unsafe-eval'", "*", "http:", "https:")


def amiss(answer: Any) -> list[str]:
    """What is wrong with an answer; nothing for a good one."""
    return [*_head(answer), *_page(answer), *_table(answer)]


def policy(answer: Any) -> dict[str, list[str]]:
    """The content policy by directive."""
    parts = answer.headers.get("Content-Security-Policy", "").split(";")
    return {words[0]: words[1:] for words in (part.split() for part in parts) if words}


def _head(answer: Any) -> list[str]:
    wrong = [name for name, value in FIXED.items() if answer.headers.get(name) != value]
    told = policy(answer)
    wrong += [name for name in ("default-src", "base-uri", "frame-ancestors") if told.get(name) != ["'none'"]]
    if told.get("script-src") not in (["'self'"], None):
        wrong.append("script-src")
    wrong += [f"{name} {word}" for name, words in told.items() for word in words if word in UNSAFE]
    return wrong


def _table(answer: Any) -> list[str]:
    """No cell of a table is taken for a formula by whoever opens it."""
    if answer.streaming or "csv" not in answer.headers.get("Content-Type", ""):
        return []
    rows = csv.reader(io.StringIO(answer.content.decode("utf-8-sig")))
    return [f"formula {cell!r}" for row in rows for cell in row if cell.startswith(FORMULA)]


def _page(answer: Any) -> list[str]:
    """A page works under the policy: no script, style or handler within it, nothing from elsewhere."""
    if answer.streaming or "html" not in answer.headers.get("Content-Type", ""):
        return []
    text = answer.content.decode()
    nonce = next((word for word in policy(answer).get("style-src", []) if "nonce-" in word), "")[7:-1]
    inline = [
        part
        for attributes, part in SCRIPT.findall(text)
        if "src=" not in attributes and "json" not in attributes
    ]
    styles = [attributes for attributes in STYLE.findall(text) if f'nonce="{nonce}"' not in attributes]
    found = {
        "handler": EVENT.findall(text),
        "style attribute": STYLED.findall(text),
        "script": inline,
        "style": styles,
        "from elsewhere": ABROAD.findall(text),
        "javascript:": re.findall(r"""=["']?\s*javascript:""", text, re.I),
    }
    return [name for name, what in found.items() if what]

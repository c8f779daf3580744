"""The bot for Discord that readers copy: what it writes, for whom, and what it refuses."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import ports
from tests.waiting import PATIENCE, wait_until
from tests.web.webhooks.program import Program, listening

DOCS = Path(__file__).parents[3] / "docs"
KEY = b"a secret of twenty-four b"
BODY = {"game": "h7Kq2", "phase": "S1901M", "page": "https://example.org/parties/h7Kq2/"}
Call = Callable[..., int]


@pytest.fixture(params=["fr", "en"])
def call(request: Any, tmp_path: Path, discord: Program) -> Iterator[Call]:
    """Calls the bot of a page of the documentation; gives the status that it answers."""
    text = (DOCS / request.param / "howto/discord.md").read_text("utf-8")
    file = tmp_path / "discord_bot.py"
    file.write_text(text.partition("```python\n")[2].partition("```")[0], "utf-8")
    port = ports.free_port()
    told = {
        "WEBHOOK_SECRET": "whsec_" + base64.b64encode(KEY).decode(),
        "DISCORD_TOKEN": "zz-token",
        "DISCORD_CHANNEL": "42",
        "DISCORD_API": f"http://127.0.0.1:{discord.port}",
        "PORT": str(port),
        "HOST": "127.0.0.1",
    }
    with subprocess.Popen([sys.executable, str(file)], env={**os.environ, **told}) as process:
        try:
            wait_until(lambda: ports.is_open(port), "the bot did not start")
            yield lambda kind, number="1", key=KEY, **data: _call(port, kind, number, key, data)
        finally:
            process.terminate()


@pytest.fixture
def discord() -> Iterator[Program]:
    with listening() as program:
        program.status, program.said = 200, b"{}"
        yield program


def _call(port: int, kind: str, number: str, key: bytes, data: dict[str, Any]) -> int:
    body = json.dumps({"type": kind, "data": {**BODY, **data}}).encode()
    moment = str(int(time.time()))
    mine = base64.b64encode(hmac.new(key, f"{number}.{moment}.".encode() + body, hashlib.sha256).digest())
    heads = {"webhook-id": number, "webhook-timestamp": moment, "webhook-signature": f"v1,{mine.decode()}"}
    request = urllib.request.Request(f"http://127.0.0.1:{port}/", body, heads)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        return refused.code


def heard(discord: Program, count: int) -> list[Any]:
    wait_until(lambda: len(discord.heard) >= count)
    return discord.heard


def test_it_writes_what_everybody_may_know_once(call: Call, discord: Program) -> None:
    assert call("published") == 204
    assert call("published") == 204  # the answer was lost: the same delivery again
    assert call("due_soon", "2", powers=["FRANCE"]) == 204
    assert call("given", "3", power="FRANCE") == 204
    assert call("trial", "4") == 204
    assert call("extended", "5", due="2026-11-30T20:00:00+00:00") == 204
    first, second = sorted(heard(discord, 2), key=lambda post: "S1901M" not in post.told["content"])
    assert first.path == "/channels/42/messages"
    assert first.head["authorization"] == "Bot zz-token"
    assert "S1901M" in first.told["content"]
    assert BODY["page"] in first.told["content"]
    assert first.told["allowed_mentions"] == {"parse": []}
    assert "<t:1796068800:f>" in second.told["content"]


def test_it_takes_nothing_of_others(call: Call, discord: Program) -> None:
    assert call("published", key=b"of somebody else") == 403
    assert call("ended", "2") == 204
    assert len(heard(discord, 1)) == 1


def test_it_waits_when_discord_says_so(call: Call, discord: Program) -> None:
    discord.status, discord.head = 429, {"Retry-After": "0.3"}
    assert call("published") == 204
    heard(discord, 1)
    discord.status = 200
    assert len(heard(discord, 2)) >= 2

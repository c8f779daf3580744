"""Secrets: none in the sources, none in another's reach, none in the log."""

from __future__ import annotations

import logging
import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from talleyrand.web.common.logging_format import LineFormatter, RedactSecrets
from tests.web import cast
from tests.web.security.broken import SECRET

ROOT = Path(__file__).parents[3]
BESIDES = {
    ".git",
    "node_modules",
    "__pycache__",
    "test-results",
    ".mypy_cache",
    ".ruff_cache",
    ".pytest_cache",
}
TEXTS = {
    ".py",
    ".toml",
    ".md",
    ".sh",
    ".txt",
    ".json",
    ".yml",
    ".yaml",
    ".ini",
    ".cfg",
    ".html",
    ".js",
    ".sql",
    ".env",
    ".service",
    "",
}
# What keys of the usual kinds look like.
KEYS = {
    "a private key": r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----",
    "a cloud's key": r"\bAKIA[0-9A-Z]{16}\b",
    "a forge's token": r"\bgh[pousr]_[A-Za-z0-9]{36}|\bgithub_pat_\w{22,}|\bglpat-[\w-]{20}",
    "a signed token": r"\beyJ[\w-]{20,}\.eyJ[\w-]{20,}\.[\w-]{20,}",
    "a service's key": r"\bsk-(?:[a-z]+-)?[A-Za-z0-9_-]{32,}|\bxox[baprs]-[\w-]{20,}",
    "a secret key": r"(?i)\bsecret_key\s*=\s*[\"'][^\"'{}]{24,}[\"']",
    "a password in an address": r"(?i)\b(?:smtps?|postgres(?:ql)?|imaps?|https?)://[^\s:/@\"'{}<>`]+:[^\s@/\"'{}<>`]{6,}@",
}
# Words that stand for a password in what explains and tests an address.
SPOKEN = re.compile(
    r"(?i):(?:password|mot-de-passe|motdepasse|p%40ss|hush|(?:12#)?se-?cret|geheim|\$[A-Z_]+|zz)[\w%.*…-]*@"
)


def sources() -> list[Path]:
    """Every text of the tree but what was installed or made."""
    found = []
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [
            name for name in folders if name not in BESIDES and not name.startswith((".venv", "data"))
        ]
        found += [Path(folder) / name for name in files if Path(name).suffix in TEXTS]
    return found


@pytest.mark.long
def test_no_key_is_in_the_sources(record_property: Any) -> None:
    wrong = []
    files = sources()
    for file in files:
        text = file.read_text("utf-8", "replace")
        for kind, looks in KEYS.items():
            found = [one[0] for one in re.finditer(looks, text) if not SPOKEN.search(one[0])]
            wrong += [f"{file.relative_to(ROOT)}: {kind}" for _one in found]
    assert wrong == []
    assert len(files) > 500
    record_property("read", f"security: {len(files)} files of the tree hold no key")


def test_the_patterns_find_a_key() -> None:
    """Put together here, so that this file holds none."""
    for kind, example in {
        "a private key": "-----BEGIN " + "RSA PRIVATE KEY-----",
        "a cloud's key": "AKIA" + "ABCDEFGHIJKLMNOP",
        "a forge's token": "ghp_" + "a" * 36,
        "a secret key": "SECRET_KEY" + " = '" + "q8" * 20 + "'",
        "a password in an address": "smtp://" + "me:Tr0ub4dor&3@mail.example.org",
    }.items():
        assert re.search(KEYS[kind], example), kind


MADE = """
import django
django.setup()
from pathlib import Path
from django.conf import settings
from talleyrand.web.backup import create, upgrade
upgrade.lock_and_upgrade(Path(settings.DATA), settings.DATABASES["default"]).release()
copy = Path(settings.DATA).parent / "copy.zip"
print(create.create_backup(Path(settings.DATA), copy, settings.DATABASES["default"])[0])
"""


@pytest.mark.long
def test_what_holds_secrets_is_its_owner_s_alone(tmp_path: Path) -> None:
    """The key, and a copy of the whole site: passwords’ hashes and open orders are in it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TALLEYRAND_")}
    more = {"TALLEYRAND_DATA": str(tmp_path / "data"), "DJANGO_SETTINGS_MODULE": "talleyrand.web.settings"}
    done = subprocess.run(
        [sys.executable, "-c", MADE], env={**kept, **more}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    for file in (tmp_path / "data" / "secret_key", Path(done.stdout.strip())):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file


@pytest.mark.django_db
def test_the_log_of_a_fault_holds_no_secret(client: Any, settings: Any) -> None:
    """Neither the path that opens something, nor what a form held, nor a cookie."""
    lines: list[str] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            assert RedactSecrets().filter(record)
            lines.append(LineFormatter().format(record))

    handler, root = Kept(), logging.getLogger()
    root.addHandler(handler)
    settings.ROOT_URLCONF = "tests.web.security.broken"
    client.raise_request_exception = False
    client.force_login(cast.person("Flora"), backend="django.contrib.auth.backends.ModelBackend")
    sent = {"password": "zz-password", "text": "zz-orders"}
    client.post("/broken/?next=zz-query", sent, headers={"x": "zz-head"})
    root.removeHandler(handler)
    told = "\n".join(lines)
    assert "RuntimeError" in told
    assert SECRET in told
    cookie = client.cookies["sessionid"].value
    assert not any(secret in told for secret in ("zz-query", "zz-password", "zz-orders", "zz-head", cookie))

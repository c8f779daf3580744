"""A data folder of the test's own, settings that end with it, and an administrator."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from talleyrand.web.settings import environment, kept_settings
from tests.web.cast import client_of, person


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for name in kept_settings.KEPT:
        monkeypatch.delenv(name, raising=False)
    settings.DATA = tmp_path
    kept_settings.refresh()
    yield tmp_path
    environment.kept.clear()


@pytest.fixture
def chief(db: None) -> Client:
    one = person("Adèle")
    one.is_administrator = True
    one.save()
    return client_of("Adèle")

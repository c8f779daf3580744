"""What an administrator has set in the browser: kept in the data folder, in force without a restart.

A variable of the environment wins over what is kept.
"""

from __future__ import annotations

import json
import logging
import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponse

from . import environment
from .mail_server import SENDS, game_mail_domain, mail_settings

FILE = "settings.json"
NAME, LANGUAGE, SIGNUP, GAMES, SMTP, SENDER = (
    "TALLEYRAND_SITE_NAME",
    "TALLEYRAND_LANGUAGE",
    "TALLEYRAND_SIGNUP",
    "TALLEYRAND_GAMES",
    "TALLEYRAND_SMTP",
    "TALLEYRAND_MAIL_FROM",
)
RULES = {"fr": "TALLEYRAND_HOUSE_RULES_FR", "en": "TALLEYRAND_HOUSE_RULES_EN"}
MAIL_DOMAIN = "TALLEYRAND_MAIL_DOMAIN"
KEPT = (NAME, LANGUAGE, SIGNUP, GAMES, SMTP, SENDER, *RULES.values())
USUAL_NAME, LONGEST_NAME, LONGEST_RULES = "Talleyrand", 40, 2000
LANGUAGES = {"fr": "Français", "en": "English"}
SIGNUPS = ("open", "invitation")
MAKERS = ("everyone", "approved", "organisers")
Stamp = tuple[int, int] | None
logger = logging.getLogger(__name__)
_seen: list[Stamp] = [None]


def adjustable_settings() -> dict[str, Any]:
    """Django's settings that follow from what can be set in the browser. Raises ImproperlyConfigured."""
    mail = mail_settings(SMTP, SENDER)
    has_mail = mail["EMAIL_BACKEND"] == SENDS
    return {
        "SITE_NAME": environment.line(NAME, USUAL_NAME, LONGEST_NAME),
        "DOMAIN_LANGUAGES": environment.domain_languages(LANGUAGE, tuple(LANGUAGES)),
        "SIGNUP": environment.choice(SIGNUP, SIGNUPS),
        "GAME_MAKERS": environment.choice(GAMES, MAKERS),
        "HOUSE_RULES": {
            language: environment.paragraphs(name, LONGEST_RULES) for language, name in RULES.items()
        },
        **mail,
        "HAS_MAIL": has_mail,
        "HAS_PLAY_BY_MAIL": has_mail and bool(game_mail_domain(MAIL_DOMAIN)[0]),
        "ACCOUNT_SIGNUP_FIELDS": ["username*", *(["email"] if has_mail else []), "password1*", "password2*"],
        "ACCOUNT_EMAIL_VERIFICATION": "optional" if has_mail else "none",
        "ACCOUNT_EMAIL_NOTIFICATIONS": has_mail,
    }


def set_by_variable(name: str) -> bool:
    return bool(os.environ.get(name, "").strip())


def load_kept(folder: Path) -> None:
    """Read what is kept in a data folder, if anything. Raises ImproperlyConfigured where it is damaged."""
    _seen[0] = _stamp(folder / FILE)
    found = _read_file(folder / FILE)
    environment.kept.clear()
    environment.kept.update(found)


def _read_file(file: Path) -> dict[str, str]:
    try:
        found = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError):
        raise environment.setting_error(FILE, "damaged", file=file) from None
    if not isinstance(found, dict) or not all(isinstance(one, str) for one in found.values()):
        raise environment.setting_error(FILE, "damaged", file=file)
    return {name: text for name, text in found.items() if name in KEPT}


def _stamp(file: Path) -> Stamp:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino


def refresh() -> None:
    """Take over what was saved meanwhile, by this process or another; what cannot be read changes nothing."""
    from django.conf import settings

    if _stamp(settings.DATA / FILE) == _seen[0]:
        return
    before = dict(environment.kept)
    try:
        load_kept(settings.DATA)
        found = adjustable_settings()
    except ImproperlyConfigured as problem:
        environment.kept.clear()
        environment.kept.update(before)
        logger.error("the settings that were saved are not in force: %s", problem)  # noqa: TRY400 one line
        return
    for name, value in found.items():
        setattr(settings, name, value)


def save(changes: Mapping[str, str]) -> None:
    """Keep these, whole or not at all, and have them in force. Raises ImproperlyConfigured for wrong ones."""
    from django.conf import settings

    file = settings.DATA / FILE
    kept = {name: text for name, text in {**_read_file(file), **changes}.items() if text}
    _check(kept)
    descriptor, part = tempfile.mkstemp(prefix=f".{FILE}.", dir=settings.DATA)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as out:
            json.dump(kept, out, ensure_ascii=False, indent=1)
            out.flush()
            os.fsync(out.fileno())
        Path(part).replace(file)
    finally:
        Path(part).unlink(missing_ok=True)
    refresh()


def _check(wanted: Mapping[str, str]) -> None:
    before = dict(environment.kept)
    try:
        environment.kept.clear()
        environment.kept.update(wanted)
        adjustable_settings()
    finally:
        environment.kept.clear()
        environment.kept.update(before)


def refresh_middleware(get_response: Callable[[HttpRequest], HttpResponse]) -> Any:
    """Each request is answered by the settings of now: a look at one file."""

    def middleware(request: HttpRequest) -> HttpResponse:
        refresh()
        return get_response(request)

    return middleware

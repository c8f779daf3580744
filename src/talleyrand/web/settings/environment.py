"""Reads the environment: a missing variable means the default, a wrong one refuses to start."""

from __future__ import annotations

import os
import re
import secrets
import tempfile
import tomllib
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from talleyrand.formats.visible_text import is_visible_character

SWITCH = {
    "1": True,
    "true": True,
    "on": True,
    "yes": True,
    "0": False,
    "false": False,
    "off": False,
    "no": False,
}

SHORTEST_TOKEN, SHORTEST_SECRET = 24, 32
kept: dict[str, str] = {}  # what an administrator has set in the browser, by the name of its variable


def given(name: str) -> str:
    """What a variable says, or else what was set in the browser; "" for neither."""
    return os.environ.get(name, "").strip() or kept.get(name, "")


def setting_error(name: str, code: str, **facts: object) -> ImproperlyConfigured:
    """The one line a wrong variable is refused with; `code` is one of `setting_errors.toml`."""
    known = tomllib.loads(Path(__file__).with_name("setting_errors.toml").read_text("utf-8"))
    french, english = (known[code][language].format(**facts) for language in ("fr", "en"))
    return ImproperlyConfigured(f"{name} : {french} / {name}: {english}")


def switch(name: str, default: bool) -> bool:
    text = given(name).lower()
    if not text:
        return default
    if text not in SWITCH:
        raise setting_error(name, "switch", text=text)
    return SWITCH[text]


def count(name: str, default: int, least: int, most: int) -> int:
    """A whole number between two others."""
    text = given(name)
    if not text:
        return default
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and least <= int(text) <= most):
        raise setting_error(name, "whole_number", text=text, least=least, most=most)
    return int(text)


def choice(name: str, known: tuple[str, ...]) -> str:
    """One of some words; the first where nothing is said."""
    text = given(name).lower() or known[0]
    if text not in known:
        raise setting_error(name, "values", known=", ".join(known))
    return text


def line(name: str, default: str, most: int) -> str:
    """A few words on one line."""
    text = given(name) or default
    if len(text) > most or not text.isprintable():
        raise setting_error(name, "line", most=most)
    return text


def paragraphs(name: str, most: int) -> str:
    """A short text of several lines; "" where nothing is said."""
    text = given(name)
    if len(text) > most or not all(map(is_visible_character, text)):
        raise setting_error(name, "paragraphs", most=most)
    return text


def word_list(name: str, default: tuple[str, ...]) -> list[str]:
    """A list separated by commas."""
    text = given(name)
    found = [word.strip() for word in text.split(",") if word.strip()] if text else list(default)
    if any(" " in word for word in found):
        raise setting_error(name, "commas")
    return found


def hosts(name: str, default: tuple[str, ...]) -> tuple[list[str], list[int]]:
    """The names that a site answers to, and the ports that stand behind some: `club.example.org:8443`."""
    names, ports = [], []
    for word in word_list(name, default):
        host, port = _parted(name, word, f"//{word}")
        names.append(host)
        ports += [port] if port is not None else []
    return names, ports


def _parted(name: str, word: str, address: str) -> tuple[str, int | None]:
    """What an address says before its port, and the port."""
    try:
        place = urlsplit(address)
        host = place.netloc.removesuffix(f":{place.port}") if place.port is not None else place.netloc
    except ValueError:
        raise setting_error(name, "port", word=word) from None
    return host, place.port


def origins(name: str) -> list[str]:
    """Addresses with their scheme, for a site behind a proxy."""
    found = word_list(name, ())
    for address in found:
        if not address.startswith(("http://", "https://")):
            raise setting_error(name, "scheme", address=address)
        _parted(name, address, address)
    return found


def address(name: str) -> str:
    """The site's own address as the world knows it, without a path; "" where it is not said."""
    text = given(name).rstrip("/")
    if text and not re.fullmatch(r"https?://[A-Za-z0-9.:\[\]-]+", text):
        raise setting_error(name, "site_address", text=text)
    _parted(name, text, text)
    return text


def domain_languages(name: str, known: tuple[str, ...]) -> dict[str, str]:
    """The language of each domain, `fr, club.example.org=en`; "" stands for those that are not named."""
    found = {"": known[0]}
    for word in word_list(name, ()):
        domain, _, language = word.rpartition("=")
        if language not in known:
            raise setting_error(name, "domain_languages", text=word)
        found[domain.lower()] = language
    return found


def token(name: str) -> str:
    """What another program shows to be let in; "" where nobody is."""
    text = given(name)
    if text and not (len(text) >= SHORTEST_TOKEN and text.isascii() and text.isprintable()):
        raise setting_error(name, "token", least=SHORTEST_TOKEN)
    return text


def level(name: str, default: str) -> str:
    text = given(name).upper() or default
    known = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
    if text not in known:
        raise setting_error(name, "values", known=", ".join(known))
    return text


def data_folder(name: str) -> Path:
    """Where everything that must last is kept; made if it is missing.

    Whatever this process makes from now on, there or elsewhere, is for its owner alone.
    """
    os.umask(0o077)
    folder = Path(os.environ.get(name, "").strip() or _usual_folder()).expanduser().resolve()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise setting_error(name, "folder", folder=folder) from problem
    if not os.access(folder, os.W_OK | os.X_OK):
        raise setting_error(name, "folder", folder=folder)
    return folder


def _usual_folder() -> Path:
    home = os.environ.get("XDG_DATA_HOME", "").strip()
    return (Path(home) if home else Path.home() / ".local" / "share") / "talleyrand"


def secret(name: str, file: Path) -> str:
    """The key that signs cookies: given, or kept in a file only its owner reads."""
    given = os.environ.get(name, "").strip()
    if given and len(given) < SHORTEST_SECRET:
        raise setting_error(name, "secret", least=SHORTEST_SECRET)
    return given or kept_secret(name, file, lambda: secrets.token_urlsafe(48), _is_secret)


def _is_secret(text: str) -> bool:
    return len(text) >= SHORTEST_SECRET and text.isascii() and text.isprintable()


def kept_secret(name: str, file: Path, make: Callable[[], str], is_sound: Callable[[str], bool]) -> str:
    """What a file keeps, which only its owner reads; made if it is missing.

    It is whole from the moment it has its name, whoever else starts at the same time.
    """
    if not file.exists():
        descriptor, name_of_part = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
        part = Path(name_of_part)
        with os.fdopen(descriptor, "w", encoding="ascii") as out:
            out.write(make() + "\n")
        try:
            os.link(part, file)
        except FileExistsError:
            pass
        except OSError:  # a file system without links
            part.replace(file)
        finally:
            part.unlink(missing_ok=True)
    text = file.read_text("ascii", "replace").strip()
    if not is_sound(text):
        raise setting_error(name, "damaged", file=file)
    return text

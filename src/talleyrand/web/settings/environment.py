"""Reads the environment: a missing variable means the default, a wrong one refuses to start."""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

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

SHORTEST_TOKEN = 24


def setting_error(name: str, french: str, english: str) -> ImproperlyConfigured:
    """The one line a wrong variable is refused with."""
    return ImproperlyConfigured(f"{name} : {french} / {name}: {english}")


def switch(name: str, default: bool) -> bool:
    text = os.environ.get(name, "").strip().lower()
    if not text:
        return default
    if text not in SWITCH:
        raise setting_error(name, f"« {text} » n’est ni on ni off.", f"“{text}” is neither on nor off.")
    return SWITCH[text]


def count(name: str, default: int, least: int, most: int) -> int:
    """A whole number between two others."""
    text = os.environ.get(name, "").strip()
    if not text:
        return default
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and least <= int(text) <= most):
        french = f"« {text} » n’est pas un nombre entier de {least} à {most}."
        raise setting_error(name, french, f"“{text}” is not a whole number from {least} to {most}.")
    return int(text)


def choice(name: str, known: tuple[str, ...]) -> str:
    """One of some words; the first where nothing is said."""
    text = os.environ.get(name, "").strip().lower() or known[0]
    if text not in known:
        listed = ", ".join(known)
        raise setting_error(name, f"valeurs : {listed}.", f"values: {listed}.")
    return text


def word_list(name: str, default: tuple[str, ...]) -> list[str]:
    """A list separated by commas."""
    text = os.environ.get(name, "").strip()
    found = [word.strip() for word in text.split(",") if word.strip()] if text else list(default)
    if any(" " in word for word in found):
        raise setting_error(name, "séparer par des virgules.", "separate by commas.")
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
        french = f"« {word} » n’a pas de port entre 0 et 65535."
        raise setting_error(name, french, f"“{word}” has no port between 0 and 65535.") from None
    return host, place.port


def origins(name: str) -> list[str]:
    """Addresses with their scheme, for a site behind a proxy."""
    found = word_list(name, ())
    for address in found:
        if not address.startswith(("http://", "https://")):
            raise setting_error(
                name, f"« {address} » n’a pas de http(s)://.", f"“{address}” lacks http(s)://."
            )
        _parted(name, address, address)
    return found


def address(name: str) -> str:
    """The site's own address as the world knows it, without a path; "" where it is not said."""
    text = os.environ.get(name, "").strip().rstrip("/")
    if text and not re.fullmatch(r"https?://[A-Za-z0-9.:\[\]-]+", text):
        french = f"« {text} » n’est pas une adresse comme https://exemple.org."
        raise setting_error(name, french, f"“{text}” is not an address like https://example.org.")
    _parted(name, text, text)
    return text


def token(name: str) -> str:
    """What another program shows to be let in; "" where nobody is."""
    text = os.environ.get(name, "").strip()
    if text and not (len(text) >= SHORTEST_TOKEN and text.isascii() and text.isprintable()):
        french = f"au moins {SHORTEST_TOKEN} caractères, sans accent."
        raise setting_error(name, french, f"at least {SHORTEST_TOKEN} characters, without accents.")
    return text


def level(name: str, default: str) -> str:
    text = os.environ.get(name, "").strip().upper() or default
    known = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
    if text not in known:
        raise setting_error(name, f"valeurs : {', '.join(known)}.", f"values: {', '.join(known)}.")
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
        raise _unusable(name, folder) from problem
    if not os.access(folder, os.W_OK | os.X_OK):
        raise _unusable(name, folder)
    return folder


def _usual_folder() -> Path:
    home = os.environ.get("XDG_DATA_HOME", "").strip()
    return (Path(home) if home else Path.home() / ".local" / "share") / "talleyrand"


def _unusable(name: str, folder: Path) -> ImproperlyConfigured:
    return setting_error(name, f"impossible d’écrire dans {folder}.", f"cannot write to {folder}.")


def secret(name: str, file: Path) -> str:
    """The key that signs cookies: given, or kept in a file only its owner reads."""
    given = os.environ.get(name, "").strip()
    if given and len(given) < 32:
        raise setting_error(name, "au moins 32 caractères.", "at least 32 characters.")
    return given or _kept_secret(name, file)


def _kept_secret(name: str, file: Path) -> str:
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        text = file.read_text("ascii").strip()
        if len(text) < 32:
            message = f"{file} est abîmé : l’effacer.", f"{file} is damaged: delete it."
            raise setting_error(name, *message) from None
        return text
    with os.fdopen(descriptor, "w", encoding="ascii") as out:
        text = secrets.token_urlsafe(48)
        out.write(text + "\n")
    return text

"""What `talleyrand serve` says once it listens: where the site is, for this machine and for a room."""

from __future__ import annotations

import sys

from talleyrand.web import network


def announce(host: str, port: int, mail: str = "") -> None:
    """Say where the site is, and how to stop it."""
    tell_addresses(host, port)
    if host in network.EVERYWHERE:
        _show_to_phones(port)
    if mail:
        print(f"Courrier / mail : {mail}", flush=True)
    _announce_first_administrator(f"http://{_addresses(host)[0]}:{port}")
    print("Ctrl+C pour arrêter / to stop", flush=True)


def tell_addresses(host: str, port: int) -> None:
    for address in _addresses(host):
        print(f"Talleyrand : http://{address}:{port}/", flush=True)


def _show_to_phones(port: int) -> None:
    """The first address as a square, for the phones of a room; the page has it large."""
    outer = network.addresses()
    if not outer:
        print("Pas de réseau pour l’instant. / No network for now.", flush=True)
        return
    from talleyrand.web import qr

    print("Pour les téléphones du même réseau / for phones on the same network :", flush=True)
    qr.show(f"http://{network.written(outer[0])}:{port}/", sys.stdout)
    print(f"En grand / large : http://localhost:{port}/reseau/", flush=True)


def _addresses(host: str) -> list[str]:
    """What to type in a browser: every address of this machine where it listens on all."""
    if host not in network.EVERYWHERE:
        return [network.written(host)]
    return ["127.0.0.1", *map(network.written, network.addresses())]


def _announce_first_administrator(here: str) -> None:
    """A link that works once, as long as nobody is administrator. Printed, never logged."""
    from django.conf import settings

    from talleyrand.web.accounts import announcing

    path = announcing.first_administrator()
    if path:
        print(f"Administrateur / administrator : {settings.ADDRESS or here}{path}", flush=True)

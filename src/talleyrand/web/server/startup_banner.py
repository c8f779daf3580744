"""What `talleyrand serve` says once it listens: where the site is, for this machine and for a room."""

from __future__ import annotations

import sys

from talleyrand.web.common import network


def print_banner(host: str, port: int, mail: str = "") -> None:
    """Say where the site is, and how to stop it."""
    print_addresses(host, port)
    if host in network.ALL_INTERFACES:
        _show_to_phones(port)
    if mail:
        print(f"Courrier / mail : {mail}", flush=True)
    _announce_first_administrator(f"http://{_addresses(host)[0]}:{port}")
    print("Ctrl+C pour arrêter / to stop", flush=True)


def print_addresses(host: str, port: int) -> None:
    for address in _addresses(host):
        print(f"Talleyrand : http://{address}:{port}/", flush=True)


def _show_to_phones(port: int) -> None:
    """The first address as a square, for the phones of a room; the page has it large."""
    outer = network.lan_addresses()
    if not outer:
        print("Pas de réseau pour l’instant. / No network for now.", flush=True)
        return
    from talleyrand.web.common import qr_codes

    print("Pour les téléphones du même réseau / for phones on the same network :", flush=True)
    qr_codes.print_qr(f"http://{network.host_in_url(outer[0])}:{port}/", sys.stdout)
    print(f"En grand / large : http://localhost:{port}/reseau/", flush=True)


def _addresses(host: str) -> list[str]:
    """What to type in a browser: every address of this machine where it listens on all."""
    if host not in network.ALL_INTERFACES:
        return [network.host_in_url(host)]
    return ["127.0.0.1", *map(network.host_in_url, network.lan_addresses())]


def _announce_first_administrator(here: str) -> None:
    """A link that works once, as long as nobody is administrator. Printed, never logged."""
    from django.conf import settings

    from talleyrand.web.accounts import one_time_links

    path = one_time_links.first_administrator_path()
    if path:
        print(f"Administrateur / administrator : {settings.SITE_URL or here}{path}", flush=True)

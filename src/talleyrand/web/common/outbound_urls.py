"""Where a hook may lead: out into the world, never into a network of ours.

What is written is checked when a hook is added; what its name stands for, at each call, and the connection
is made to the very address that was checked.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from dataclasses import dataclass
from urllib.parse import SplitResult, quote, urlsplit

from django.conf import settings

LONGEST_ADDRESS = 500
PORTS = (443, 4443, 8443)
HERE = ("localhost", "127.0.0.1", "::1")
# Names that are never of the world: of one machine, one house, one company.
INNER_NAMES = (
    "localhost",
    "local",
    "localdomain",
    "internal",
    "intranet",
    "lan",
    "home",
    "corp",
    "home.arpa",
)
NAME = re.compile(r"(?=.{1,253}$)(?!-)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})+")
NUMBER = re.compile(r"(?:0x[0-9a-f]*|[0-9]+)")
UNWRITTEN = re.compile(r"[\x00-\x20\x7f\\]")  # what an address never holds
SAFE = "%/:=&?~+!$,;'@()*[]|-._"

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
# What IANA sets apart, clouds keep for themselves, or wraps another address; Pythons differ on some of it.
INNER = [
    ipaddress.ip_network(one)
    for one in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "168.63.129.16/32",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/3",
        "2001::/23",
        "2001:db8::/32",
        "2002::/16",
        "3fff::/20",
    )
]
WORLD = ipaddress.ip_network("2000::/3")


class UrlNotAllowed(Exception):
    """Why a hook may not lead there: `shape`, `long`, `scheme`, `user`, `port` or `may_be_internal`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class HostNotAllowed(Exception):
    """A name stands for nothing, or for something of ours: whoever asks does not learn which."""


@dataclass(frozen=True)
class OutboundUrl:
    """An address taken apart; `is_this_machine`: of this machine, `may_be_internal`: of its network, where
    that is allowed.
    """

    host: str
    port: int
    target: str
    is_https: bool
    is_this_machine: bool
    may_be_internal: bool = False

    @property
    def host_header(self) -> str:
        """The host as the head of a request says it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        usual = 443 if self.is_https else 80
        return host if self.port == usual else f"{host}:{self.port}"


def parse_public_url(written: str) -> OutboundUrl:
    """Take an address apart. Raises UrlNotAllowed for one that no hook may have."""
    parts, host, port = _taken_apart(written)
    here = settings.WEBHOOKS_LOCAL and host in HERE
    if parts.scheme.lower() != "https" and not (here and parts.scheme.lower() == "http"):
        raise UrlNotAllowed("scheme")
    return _checked(parts, host, port, here=here)


def parse_any_url(written: str) -> OutboundUrl:
    """The same for what may lead into our network too. Raises UrlNotAllowed for what is no address."""
    parts, host, port = _taken_apart(written)
    if parts.scheme.lower() not in ("https", "http"):
        raise UrlNotAllowed("scheme")
    if not host:
        raise UrlNotAllowed("shape")
    return _checked(parts, host, port, here=True)


def _taken_apart(written: str) -> tuple[SplitResult, str, int | None]:
    text = written.strip()
    if len(text) > LONGEST_ADDRESS:
        raise UrlNotAllowed("long")
    if UNWRITTEN.search(text):
        raise UrlNotAllowed("shape")
    try:
        parts = urlsplit(text)
        port, host = parts.port, _host(parts)
    except (ValueError, UnicodeError) as problem:
        raise UrlNotAllowed("shape") from problem
    return parts, host, port


def _checked(parts: SplitResult, host: str, port: int | None, *, here: bool) -> OutboundUrl:
    if parts.username is not None or parts.password is not None:
        raise UrlNotAllowed("user")
    secure = parts.scheme.lower() == "https"
    number = port if port is not None else (443 if secure else 80)
    if not here:
        _check_host(host)
        if number not in PORTS:
            raise UrlNotAllowed("port")
    target = quote(parts.path or "/", safe=SAFE) + (
        f"?{quote(parts.query, safe=SAFE)}" if parts.query else ""
    )
    return OutboundUrl(host, number, target, secure, here)


def _host(parts: SplitResult) -> str:
    """The name in small ASCII letters, without the dot that may end it. Raises UnicodeError."""
    host = (parts.hostname or "").removesuffix(".")
    return host if host.isascii() else host.encode("idna").decode("ascii").lower()


def _check_host(host: str) -> None:
    try:
        literal = ipaddress.ip_address(host)
    except ValueError:
        _check_name(host)
        return
    if not is_public_ip(literal):
        raise UrlNotAllowed("inner")


def _check_name(host: str) -> None:
    if any(host == name or host.endswith(f".{name}") for name in INNER_NAMES):
        raise UrlNotAllowed("inner")
    # 127.1, 0x7f000001 and the like are numbers of machines too
    if not NAME.fullmatch(host) or NUMBER.fullmatch(host.rpartition(".")[2]):
        raise UrlNotAllowed("shape")


def is_public_ip(address: Address) -> bool:
    """Whether an address is one of the world’s, and wraps no other."""
    if getattr(address, "scope_id", None) or not address.is_global:
        return False
    if any(address in network for network in INNER if network.version == address.version):
        return False
    return address.version == 4 or address in WORLD


def resolve_checked(to: OutboundUrl) -> list[str]:
    """The addresses that a name stands for now, each of them checked. Raises HostNotAllowed."""
    try:
        found = socket.getaddrinfo(to.host, to.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as problem:
        raise HostNotAllowed from problem
    texts = list(dict.fromkeys(str(one[4][0]) for one in found))
    if not texts or not all(_may_be_called(text, to) for text in texts):
        raise HostNotAllowed
    return texts


def _may_be_called(text: str, to: OutboundUrl) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    if to.may_be_internal:
        return not (address.is_multicast or address.is_unspecified)
    return address.is_loopback if to.is_this_machine else is_public_ip(address)

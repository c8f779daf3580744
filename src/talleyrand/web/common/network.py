"""The addresses of this machine on the networks it is part of. Nothing is sent to find them."""

from __future__ import annotations

import ipaddress
import os
import platform
import socket
import struct
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

LINUX = platform.system() == "Linux"
LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "[::1]")
ALL_INTERFACES = ("0.0.0.0", "::")  # noqa: S104 compared, and bound where the local network was asked for
LAN_WORD = "lan"  # among the names of a site: every address of this machine, whichever they are just now
FRESH = 5.0  # seconds: a laptop that joins a network is answered there soon
# Where a network of its own often lies. Asked which way leads there, the system names its own address.
PROBES = (
    "192.0.2.1",
    "192.168.0.1",
    "192.168.1.1",
    "192.168.2.1",
    "192.168.43.1",
    "192.168.137.1",
    "10.0.0.1",
    "10.42.0.1",
    "172.16.0.1",
)
INNER = ("lo", "docker", "veth", "br-", "virbr", "cni", "vmnet")  # interfaces that no phone reaches
GET_ADDRESS = 0x8915  # SIOCGIFADDR
GLOBAL, DEPRECATED = 0x00, 0x20


def lan_addresses() -> tuple[str, ...]:
    """What others on the same networks reach this machine by, the most likely first; none without network."""
    found = [*_by_route(), *_by_interface(), *_by_name()]
    return tuple(sorted(dict.fromkeys(filter(_reachable, found)), key=_last_resort))


def _reachable(address: str) -> bool:
    parsed = ipaddress.ip_address(address)
    aside = parsed.is_loopback or parsed.is_unspecified or parsed.is_multicast
    return not aside and not (parsed.version == 6 and parsed.is_link_local)


def _last_resort(address: str) -> tuple[bool, bool]:
    """Addresses that a machine gave itself, and long ones, which nobody types, come last."""
    parsed = ipaddress.ip_address(address)
    return parsed.version == 6, parsed.is_link_local


def _by_route() -> Iterator[str]:
    for goal in PROBES if not LINUX else PROBES[:1]:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((goal, 9))
            except OSError:
                continue
            yield str(probe.getsockname()[0])


def _by_interface() -> Iterator[str]:
    """Every address of every interface, where the system is Linux: a laptop may be its own access point."""
    if not LINUX:
        return
    names = [name for _number, name in socket.if_nameindex() if not name.startswith(INNER)]
    yield from filter(None, map(_of_interface, names))
    yield from _long_ones(names)


def _of_interface(name: str) -> str:
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            told = fcntl.ioctl(asking.fileno(), GET_ADDRESS, struct.pack("256s", os.fsencode(name)[:15]))
        except OSError:  # it has none
            return ""
    return socket.inet_ntoa(told[20:24])


def _long_ones(names: Iterable[str], table: Path = Path("/proc/net/if_inet6")) -> Iterator[str]:
    """Addresses of IPv6: `fd00…01 02 40 00 80 eth0`, a line each."""
    try:
        lines = table.read_text("ascii").splitlines()
    except OSError:
        return
    for digits, _number, _prefix, scope, flags, name in (line.split() for line in lines):
        if name in names and int(scope, 16) == GLOBAL and not int(flags, 16) & DEPRECATED:
            yield str(ipaddress.IPv6Address(int(digits, 16)))


@cache
def _by_name() -> tuple[str, ...]:
    """What the machine's own name leads to, asked once: an answer may take its time without a network."""
    if LINUX:
        return ()
    try:
        told = socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM)
    except OSError:
        return ()
    return tuple(str(place[0]).partition("%")[0] for *_rest, place in told)


def is_ip_address(host: str) -> bool:
    """Whether a host is named by its number."""
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


def client_network(address: str) -> str:
    """An address as it is counted: of the many that one line has under IPv6, what they share; "" for what is
    none, as of a local socket.
    """
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(found, ipaddress.IPv6Address):
        found = found.ipv4_mapped or found
    if isinstance(found, ipaddress.IPv6Address) and not found.is_loopback:
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)


def host_in_url(address: str) -> str:
    """An address as it stands before a port: `[fd00::1]`."""
    return f"[{address}]" if ":" in address else address


def mdns_name() -> str:
    """The name by which neighbours may find this machine without any server: `laptop.local`."""
    name = socket.gethostname().strip(".").lower()
    return name if name.endswith(".local") else f"{name.partition('.')[0]}.local"


class AllowedHosts(list[str]):
    """The names a site answers to. With `lan` among them, every address of this machine as it is now."""

    def __init__(self, names: Iterable[str], asked: Callable[[], tuple[str, ...]] = lan_addresses) -> None:
        given = list(names)
        super().__init__(name for name in given if name != LAN_WORD)
        self.everywhere, self._asked = LAN_WORD in given, asked
        self._now: tuple[str, ...] = ()
        self._until = 0.0

    def __iter__(self) -> Iterator[str]:
        yield from super().__iter__()
        if self.everywhere:
            yield from (*LOOPBACK_HOSTS, socket.gethostname().lower(), mdns_name())
            yield from self._outer()

    def _outer(self) -> tuple[str, ...]:
        if time.monotonic() >= self._until:
            self._now, self._until = tuple(map(host_in_url, self._asked())), time.monotonic() + FRESH
        return self._now

"""Ports for servers that have to be told theirs before they begin."""

from __future__ import annotations

import socket
from random import SystemRandom

# Below those that the system gives to whoever asks for any: such a one may be gone before its server begins.
LOWEST, HIGHEST = 20_000, 32_000


def free_port() -> int:
    """A port of this machine at which nobody listens."""
    for _ in range(100):
        port = SystemRandom().randint(LOWEST, HIGHEST)
        if not is_open(port):
            return port
    raise AssertionError("no port is free")


def is_open(port: int) -> bool:
    """Whether somebody listens at a port of this machine."""
    with socket.socket() as probe:
        return not probe.connect_ex(("127.0.0.1", port))

"""What keeps games from being played, kept or counted."""

from __future__ import annotations

from talleyrand.engine.errors import TalleyrandError


class ShardError(TalleyrandError):
    """`code` names the fault, `facts` what it is about; processes can hand it to one another."""

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (type(self), self.code, self.facts)


class ShardStopped(Exception):
    """Somebody asked for an end before the shard was played."""


def _again(kind: type[ShardError], code: str, facts: dict[str, str]) -> ShardError:
    return kind(code, **facts)

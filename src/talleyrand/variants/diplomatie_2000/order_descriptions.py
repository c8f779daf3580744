"""What a measure says, part by part, for whoever puts it into words."""

from __future__ import annotations

from collections.abc import Mapping

Part = tuple[str, Mapping[str, str]]


def describe_order(words: str) -> tuple[Part, ...]:
    """The parts of a normal form with their blanks; one that is not known is told as it stands."""
    head, _, rest = words.partition(" ")
    if head == "2" and rest.startswith("M "):
        return (("programme", {"orders": ",".join(rest.split(" / "))}),)
    if head == "SET":
        by, _, motion = rest.partition(" ")
        amount = motion.rpartition(" ")[2]
        return (("amount", {"by": by, "amount": amount}), *describe_order(motion))
    if head == "RANK":
        vote, _, names = rest.partition(" ")
        return ((f"ranking_{vote}", {"names": ",".join(names.split())}),)
    if head == "AID":
        return tuple(_aid(part) for part in rest.split(" / "))
    if head == "AS":
        return (("subversion", {"sector": rest}),)
    return tuple(_told(part) for part in words.split(" / "))


def _aid(part: str) -> Part:
    place, _, state = part.partition(" ")
    return "aid", {"place": place, "state": _nobody(state)}


def _nobody(state: str) -> str:
    return "NOBODY" if state == "NONE" else state


def _told(part: str) -> Part:
    head, *rest = part.split()
    if head in "123" and rest:
        return f"ballot_{head}", {"names": ",".join(rest)}
    if head == "HOST" and rest:
        return ("hosting_there" if rest[1:] else "hosting"), {"guest": rest[0], "sector": "".join(rest[1:])}
    if head[:1] in "13" and len(head) == 2 and rest:
        one = "_one" if head == "1D" and rest[1:] == ["1"] else ""
        return f"{head}{one}", {"state": _nobody(rest[0]), "amount": "".join(rest[1:])}
    return "", {"words": part}

"""Numbers, lists and structures in the compact protocol of Thrift, which Parquet's headers are written in."""

from __future__ import annotations

from collections.abc import Iterable

I32, I64, TEXT, LIST, STRUCT = 5, 6, 8, 9, 12
Field = tuple[int, int, int | bytes]  # number, type and value, which is written already unless it is a number


def varint(number: int) -> bytes:
    """A number that is not negative, seven bits a byte."""
    written = bytearray()
    while number > 0x7F:
        written.append(number & 0x7F | 0x80)
        number >>= 7
    written.append(number)
    return bytes(written)


def struct(*fields: Field) -> bytes:
    """A structure; fields come by their numbers, none of them more than 15 after the one before."""
    written, last = bytearray(), 0
    for number, kind, value in fields:
        written.append((number - last) << 4 | kind)
        written += value if isinstance(value, bytes) else varint(value << 1)
        last = number
    return bytes(written) + b"\0"


def list_of(kind: int, entries: Iterable[bytes]) -> bytes:
    """A list of what is written already."""
    listed = list(entries)
    head = (
        bytes((len(listed) << 4 | kind,)) if len(listed) < 15 else bytes((0xF0 | kind,)) + varint(len(listed))
    )
    return head + b"".join(listed)

"""Files of an event that hold several: zips that are the same each time, and that are not trusted.

What is read may have been cut off, changed, or made to fill a machine's memory.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Mapping
from io import BytesIO
from typing import Any, cast
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

from talleyrand.formats.json_checks import InvalidQuestion, Json
from talleyrand.formats.json_lines import read_json
from talleyrand.tournament.event_errors import InvalidEvent

MAX_FILE_BYTES = 5 << 20  # bytes of a file that is sent
MAX_UNPACKED_BYTES = 32 << 20  # bytes of all that is in it
FIXED_DATE = (1980, 1, 1, 0, 0, 0)  # the hour of each file: the same event gives the same archive
Limit = Callable[[str], int]  # bytes of a file of this name unpacked, 0 where it has no business here
BROKEN = (BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError, RuntimeError)


class InvalidArchive(InvalidEvent):
    """A file that is no archive of an event, or not one that can be trusted: `archive_*`."""


def pack_zip(files: Mapping[str, bytes]) -> bytes:
    """A zip of these files."""
    made = BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as file:
        for name, content in files.items():
            file.writestr(_dated(name), content, ZIP_DEFLATED)
    return made.getvalue()


def _dated(name: str) -> ZipInfo:
    info = ZipInfo(name, FIXED_DATE)
    info.external_attr = 0o644 << 16
    return info


def unpack_zip(content: bytes, limit: Limit, *, otherwise: str = "archive_not_one") -> dict[str, bytes]:
    """The files of a zip by their names; raises BadArchive, `otherwise` for a file of another kind."""
    if len(content) > MAX_FILE_BYTES:
        raise InvalidArchive("archive_too_large", most=str(MAX_FILE_BYTES >> 20))
    try:
        with ZipFile(BytesIO(content)) as file:
            found = _checked(file.infolist(), limit, otherwise)
            return {one.filename: _one(file, one, limit) for one in found}
    except BROKEN as error:
        if isinstance(error, InvalidArchive):
            raise
        if isinstance(error, BadZipFile) and not content.startswith(b"PK"):
            raise InvalidArchive(otherwise) from None
        raise InvalidArchive("archive_damaged", where="zip") from None


def _checked(found: list[ZipInfo], limit: Limit, otherwise: str) -> list[ZipInfo]:
    if len({one.filename for one in found}) < len(found):
        raise InvalidArchive(otherwise)
    if sum(one.file_size for one in found) > MAX_UNPACKED_BYTES:
        raise InvalidArchive("archive_damaged", where="zip")
    for one in found:
        if not limit(one.filename):
            raise InvalidArchive(otherwise)
        if one.file_size > limit(one.filename):
            raise InvalidArchive("archive_damaged", where=one.filename)
    return found


def _one(file: ZipFile, info: ZipInfo, limit: Limit) -> bytes:
    """No more than it said is ever unpacked."""
    most = min(limit(info.filename), info.file_size)
    with file.open(info) as stream:
        content = stream.read(most + 1)
    if len(content) > most:
        raise InvalidArchive("archive_damaged", where=info.filename)
    return content


def json_bytes(told: Any) -> bytes:
    """JSON as it is kept in a file."""
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def parse_member(packed: Mapping[str, bytes], name: str) -> Json:
    """The JSON of one of the files; raises BadArchive."""
    try:
        return read_json(packed[name].decode("utf-8"))
    except (UnicodeDecodeError, InvalidQuestion):
        raise InvalidArchive("archive_damaged", where=name) from None


def require_object(told: Json, where: str) -> dict[str, Json]:
    """What has to be a table; raises BadArchive."""
    if not isinstance(told, dict):
        raise InvalidArchive("archive_damaged", where=where)
    return cast(dict[str, Json], told)


def sha256_hex(content: bytes) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(content).hexdigest()

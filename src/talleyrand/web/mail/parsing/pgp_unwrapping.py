"""Takes a text signed with PGP out of its wrapping."""

from __future__ import annotations

from collections.abc import Iterable

from .text_lines import TextLine

_BEGIN = "-----BEGIN PGP SIGNED MESSAGE-----"
_SIGNATURE = "-----BEGIN PGP SIGNATURE-----"
_KEY = "-----BEGIN PGP PUBLIC KEY BLOCK-----"
_ENDS = ("-----END PGP SIGNATURE-----", "-----END PGP PUBLIC KEY BLOCK-----")


def unwrap_pgp(lines: Iterable[TextLine]) -> list[TextLine]:
    """The lines without the wrapping of RFC 9580, 7: "- " before a dash, the headers, the signature, keys."""
    found: list[TextLine] = []
    state = ""
    for line in lines:
        bare = line.text.rstrip()
        if bare == _BEGIN:
            state = "headers"
        elif bare in (_SIGNATURE, _KEY):
            state = "signature"
        elif bare in _ENDS:
            state = ""
        elif state == "headers":
            state = "text" if not bare else state
        elif state == "text" and line.text.startswith("- "):
            found.append(TextLine(line.text[2:], line.piece, line.on_page))
        elif state != "signature":
            found.append(line)
    return found

"""Names people go by: what one may hold, and when two of them are too much alike."""

from __future__ import annotations

import re
import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from talleyrand.formats.visible_text import ZERO_WIDTH_JOINERS

LEAST, MOST = 2, 40
MARKS_IN_A_ROW = 2
BETWEEN = " -_.'’"
SCRIPTS = ("LATIN", "GREEK", "CYRILLIC")
HIDDEN = ("Cc", "Cf", "Co", "Cn", "Cs")
# Between two letters of the Arabic script or of those of India, where a joint changes how both are written.
JOINED = re.compile(
    f"(?<=[\u0620-\u06ff\u0900-\u0dff])[{ZERO_WIDTH_JOINERS}](?=[\u0620-\u06ff\u0900-\u0dff])"
)
RESERVED = ("admin", "administrateur", "administrator", "root", "talleyrand")
# What a reader takes for another letter: digits, then small letters of Cyrillic and of Greek.
CYRILLIC = "\u0430\u0432\u0435\u0455\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0456\u0458\u04cf"
GREEK = "\u03b1\u03b2\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c3\u03c4\u03c5\u03c7"
ALIKE = str.maketrans(
    "1l\u0131’0" + CYRILLIC + GREEK, "iii'o" + "abeskmhopctyxiji" + "abeikvopotux", ZERO_WIDTH_JOINERS
)


def normalized_name(name: str) -> str:
    """A name as it is kept: one way of writing each letter, single blanks."""
    return " ".join(unicodedata.normalize("NFKC", name).split())


def folded_name(name: str) -> str:
    """A name as it is compared: case, and what looks the same on a screen, make no difference."""
    return unicodedata.normalize("NFKC", normalized_name(name).casefold()).translate(ALIKE)


def check_name(name: str) -> str:
    """The name as it is to be kept; refused (ValidationError, a sentence) where nobody should go by it."""
    if any(unicodedata.category(sign) in HIDDEN for sign in _unjoined(name.strip())):
        raise ValidationError(_("This name contains invisible characters. Type it again by hand."))
    found = normalized_name(name)
    if not LEAST <= len(found) <= MOST:
        limits = {"least": LEAST, "most": MOST}
        raise ValidationError(_("A name must have %(least)s to %(most)s characters.") % limits)
    _check_signs(_unjoined(found))
    if folded_name(found) in {folded_name(word) for word in RESERVED}:
        raise ValidationError(_("This name is reserved. Choose another."))
    return found


def _unjoined(name: str) -> str:
    """Without the joints that its script needs: anywhere else nobody sees them."""
    return JOINED.sub("", name)


def _check_signs(name: str) -> None:
    kinds = [unicodedata.category(sign)[0] for sign in name]
    strange = any(kind not in "LMN" and sign not in BETWEEN for kind, sign in zip(kinds, name, strict=True))
    if strange or _heaped(kinds):
        raise ValidationError(
            _(
                "A name may contain letters and digits, with spaces, hyphens, dots or "
                "apostrophes between them."
            )
        )
    if kinds[0] not in "LN" or name[-1] in BETWEEN or re.search(r"([^\w\s]|_)\1", name):
        raise ValidationError(_("A name must begin and end with a letter or a digit."))
    if "L" not in kinds:
        raise ValidationError(_("A name must contain at least one letter."))
    if len(_scripts(name)) > 1:
        raise ValidationError(
            _("A name must use a single alphabet: letters from different ones look too much alike.")
        )


def _heaped(kinds: list[str]) -> bool:
    """Whether accents are heaped on one letter."""
    return "M" * (MARKS_IN_A_ROW + 1) in "".join(kinds)


def _scripts(name: str) -> set[str]:
    words = (unicodedata.name(sign, "").split(" ")[0] for sign in name if sign.isalpha())
    return {word for word in words if word in SCRIPTS}

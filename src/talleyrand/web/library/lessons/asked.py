"""What a browser asks of a board to learn on: the address holds the orders, nothing is kept here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _

from talleyrand.web.boards import drafts, incoming, wording
from talleyrand.web.boards.drafts import Unfit
from talleyrand.web.boards.incoming import Refused
from talleyrand.web.boards.preparation import Preparation
from talleyrand.web.boards.referee import Lines, Question

from .course import Slip

LARGEST_SHEET = 4_000  # an address must hold it
MENUS = ("order-", "waive-")
SLIP = "slip-"
BEFORE = "-before"


def by_menus(query: QueryDict) -> bool:
    """Whether a page without scripts sent its menus, too."""
    return any(name.startswith(MENUS) for name in query)


def by_slips(query: QueryDict) -> bool:
    """Whether a page sent its slips along with the sheet."""
    return any(name.startswith(SLIP) for name in query)


def lines(query: QueryDict, question: Question, power: str, slips: Sequence[Slip] = ()) -> list[str]:
    """The lines of the learner: the sheet, and what was changed beside it on menus and slips; raises
    Refused."""
    draft = _read(query.get("sheet", ""), question, power)
    if by_menus(query):
        before = Preparation(question, _read(query.get("base", ""), question, power), power)
        draft = incoming.menu_change(_changed(query, before))(question, draft)
    found = list(draft.get(power, ()))
    for number, slip in enumerate(slips):
        chosen = query.get(f"{SLIP}{number}")
        if chosen is not None and chosen != query.get(f"{SLIP}{number}{BEFORE}", ""):
            found = _with_slip(question, power, found, slip, chosen)
    return found


def _with_slip(question: Question, power: str, given: list[str], slip: Slip, chosen: str) -> list[str]:
    """The lines with another answer on a slip, none for ""."""
    kept = [
        reading.line
        for reading in drafts.readings(question, {power: given})
        if reading.order not in slip.orders
    ]
    if not chosen:
        return kept
    choice = next((one for one in slip.choices if one.order == chosen), None)
    if choice is None:
        raise incoming.meaningless()
    return [*kept, choice.line[wording.language()]]


def _changed(query: QueryDict, before: Preparation) -> QueryDict:
    """The menus that no longer show what they showed."""
    shown = {f"order-{province}": order for province, order in before.given.items()}
    shown |= {f"waive-{power}": str(number) for power, number in before.waived.items()}
    found = QueryDict(mutable=True)
    for name, value in query.items():
        if name.startswith(MENUS) and str(value) != shown.get(name, ""):
            found[name] = str(value)
    return found


def _read(sheet: str, question: Question, power: str) -> Lines:
    if len(sheet) > LARGEST_SHEET:
        raise _too_long()
    try:
        return incoming.sheet_change(sheet, None, power)(question, {})
    except Unfit as unfit:
        raise _refused(unfit) from None


def redrafted(request: HttpRequest, question: Question, power: str) -> Lines:
    """The draft after a change that the scripts of a page send along with what it is made to."""
    sent = incoming.table(request)
    sent.pop("base", None)  # nothing is kept, so nothing can have changed meanwhile
    try:
        before = _before(sent.get("from"), power)
        changed = incoming.draft_change(sent, power)(question, before)
    except Unfit as unfit:
        raise _refused(unfit) from None
    kept = list(changed.get(power, ()))
    if sum(map(len, kept)) + len(kept) > LARGEST_SHEET:
        raise _too_long()
    return {power: kept}


def _before(sent: Any, power: str) -> Lines:
    if not isinstance(sent, Mapping):
        raise incoming.meaningless()
    kept = sent.get(power, [])
    if not isinstance(kept, list) or not all(isinstance(line, str) for line in kept):
        raise incoming.meaningless()
    drafts.check_text("\n".join(kept))
    return {power: kept} if kept else {}


def _too_long() -> Refused:
    return Refused(_("This sheet is too long: 4,000 characters at most on these boards."))


def _refused(unfit: Unfit) -> Refused:
    if unfit.code == "other_power":
        return Refused(
            _("You only order your own units here, and this line is another power’s: “%(line)s”.")
            % {"line": unfit.line}
        )
    return Refused(incoming.unfit(unfit))


def address(path: str, lines: list[str], **more: str | int | list[str]) -> str:
    """The address of a page with these orders on it."""
    sheet = {"sheet": "\n".join(lines)} if lines else {}
    query = urlencode({**more, **sheet}, doseq=True)
    return f"{path}?{query}" if query else path


def number(query: QueryDict, name: str, most: int) -> int:
    """A small number of the address; 0 where it is missing or none."""
    text = query.get(name, "")
    return min(int(text), most) if text.isascii() and text.isdigit() and len(text) <= 3 else 0

"""What a browser asks of a board to learn on: the address holds the orders, nothing is kept here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _

from talleyrand.web.boards import display_names, order_drafts, order_requests
from talleyrand.web.boards.adjudicator import Lines, Question
from talleyrand.web.boards.order_drafts import DraftRefusal
from talleyrand.web.boards.order_preparation import OrderPreparation
from talleyrand.web.boards.order_requests import RequestRefusal

from .lesson_courses import LessonSlip

LARGEST_SHEET = 4_000  # an address must hold it
MENUS = ("order-", "waive-")
SLIP = "slip-"
BEFORE = "-before"


def has_menus(query: QueryDict) -> bool:
    """Whether a page without scripts sent its menus, too."""
    return any(name.startswith(MENUS) for name in query)


def has_slips(query: QueryDict) -> bool:
    """Whether a page sent its slips along with the sheet."""
    return any(name.startswith(SLIP) for name in query)


def lines_from_query(
    query: QueryDict, question: Question, power: str, slips: Sequence[LessonSlip] = ()
) -> list[str]:
    """The lines of the learner: the sheet, and what was changed beside it on menus and slips; raises
    Refused."""
    draft = _read_lines(query.get("sheet", ""), question, power)
    if has_menus(query):
        before = OrderPreparation(question, _read_lines(query.get("base", ""), question, power), power)
        draft = order_requests.change_from_menus(_changed(query, before))(question, draft)
    found = list(draft.get(power, ()))
    for number, slip in enumerate(slips):
        chosen = query.get(f"{SLIP}{number}")
        if chosen is not None and chosen != query.get(f"{SLIP}{number}{BEFORE}", ""):
            found = _with_slip(question, power, found, slip, chosen)
    return found


def _with_slip(question: Question, power: str, given: list[str], slip: LessonSlip, chosen: str) -> list[str]:
    """The lines with another answer on a slip, none for ""."""
    kept = [
        reading.line
        for reading in order_drafts.read_draft(question, {power: given})
        if reading.order not in slip.orders
    ]
    if not chosen:
        return kept
    choice = next((one for one in slip.choices if one.order == chosen), None)
    if choice is None:
        raise order_requests.meaningless_request()
    return [*kept, choice.line[display_names.reader_language()]]


def _changed(query: QueryDict, before: OrderPreparation) -> QueryDict:
    """The menus that no longer show what they showed."""
    shown = {f"order-{province}": order for province, order in before.followed_orders.items()}
    shown |= {f"waive-{power}": str(number) for power, number in before.waived_builds.items()}
    found = QueryDict(mutable=True)
    for name, value in query.items():
        if name.startswith(MENUS) and str(value) != shown.get(name, ""):
            found[name] = str(value)
    return found


def _read_lines(sheet: str, question: Question, power: str) -> Lines:
    if len(sheet) > LARGEST_SHEET:
        raise _too_long()
    try:
        return order_requests.change_from_text(sheet, None, power)(question, {})
    except DraftRefusal as unfit:
        raise _refused(unfit) from None


def draft_from_json(request: HttpRequest, question: Question, power: str) -> Lines:
    """The draft after a change that the scripts of a page send along with what it is made to."""
    sent = order_requests.json_body(request)
    sent.pop("base", None)  # nothing is kept, so nothing can have changed meanwhile
    try:
        before = _before(sent.get("from"), power)
        changed = order_requests.change_from_json(sent, power)(question, before)
    except DraftRefusal as unfit:
        raise _refused(unfit) from None
    kept = list(changed.get(power, ()))
    if sum(map(len, kept)) + len(kept) > LARGEST_SHEET:
        raise _too_long()
    return {power: kept}


def _before(sent: Any, power: str) -> Lines:
    if not isinstance(sent, Mapping):
        raise order_requests.meaningless_request()
    kept = sent.get(power, [])
    if not isinstance(kept, list) or not all(isinstance(line, str) for line in kept):
        raise order_requests.meaningless_request()
    order_drafts.check_order_text("\n".join(kept))
    return {power: kept} if kept else {}


def _too_long() -> RequestRefusal:
    return RequestRefusal(_("Text too long: 4,000 characters at most here."))


def _refused(unfit: DraftRefusal) -> RequestRefusal:
    if unfit.code == "other_power":
        return RequestRefusal(
            _("This line is for another power: “%(line)s”. You only order your own units here.")
            % {"line": unfit.line}
        )
    return RequestRefusal(order_requests.draft_refusal_text(unfit))


def lesson_url_with_orders(path: str, lines: list[str], **more: str | int | list[str]) -> str:
    """The address of a page with these orders on it."""
    sheet = {"sheet": "\n".join(lines)} if lines else {}
    query = urlencode({**more, **sheet}, doseq=True)
    return f"{path}?{query}" if query else path


def small_number(query: QueryDict, name: str, most: int) -> int:
    """A small number of the address; 0 where it is missing or none."""
    text = query.get(name, "")
    return min(int(text), most) if text.isascii() and text.isdigit() and len(text) <= 3 else 0

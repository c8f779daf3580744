"""What a browser sends, made sure of before anything is changed."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from django.http import HttpRequest, JsonResponse, QueryDict
from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.formats import question_input

from . import display_names, order_drafts, order_menus, politics_context
from .adjudicator import Lines, Question, QuestionRefusal
from .order_drafts import DraftRefusal

DraftChange = Callable[[Question, Lines], Lines]
LARGEST_JSON = 600_000
MOST_WAIVES = 100


class RequestRefusal(Exception):
    """A request that is refused, with a sentence for whoever sent it."""

    def __init__(self, sentence: str, status: int = 400) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.status = status


def submission_id_of(request: HttpRequest) -> str:
    """What makes a form sent twice one action; "" where it is missing or cut."""
    text = request.POST.get("submission", "")
    return text if 16 <= len(text) <= 64 and text.isascii() and text.isprintable() else ""


def whole_number_of(text: str) -> int:
    """A number of at most nine digits; 0, which names nothing, for whatever else was sent."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0


def json_body(request: HttpRequest) -> dict[str, Any]:
    """The body as a JSON object; raises RequestRefusal."""
    body = request.body
    if len(body) > LARGEST_JSON:
        raise RequestRefusal(_("Text too long: 100,000 characters at most. Nothing was changed."), 413)
    try:
        value = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        raise RequestRefusal(_("The data could not be read (UTF-8, JSON). Nothing was changed.")) from None
    if not isinstance(value, dict):
        raise meaningless_request()
    return value


def meaningless_request() -> RequestRefusal:
    """What is said of a request that no page of ours makes."""
    return RequestRefusal(_("Invalid request. Nothing was changed."))


def draft_refusal_text(problem: DraftRefusal) -> str:
    """Why a sheet cannot be kept."""
    sentences = {
        "too_long": _("Text too long: 100,000 characters at most. Nothing was changed."),
        "too_many_lines": _("Too many lines: 400 at most. Nothing was changed."),
        "line_too_long": _("Line too long: 1000 characters at most. It begins: “%(line)s”."),
        "control": _("The orders contain invalid characters. Nothing was changed."),
        "other_power": _(
            "This line is for another power: “%(line)s”. Nothing was changed; choose “all "
            "powers” to write for several."
        ),
        "computer": _(
            "A bot plays this power: “%(line)s”. Nothing was changed; you can take the power "
            "back under “Who plays”."
        ),
        "changed": _(
            "These orders were changed in another window. Your text is still here; save "
            "again to replace them."
        ),
    }
    return sentences[problem.code] % {"line": problem.line}


REFUSALS = (RequestRefusal, DraftRefusal, QuestionRefusal)


def refusal_text(refused: RequestRefusal | DraftRefusal | QuestionRefusal) -> str:
    """Why orders were not taken, one of REFUSALS."""
    return draft_refusal_text(refused) if isinstance(refused, DraftRefusal) else refused.sentence


def refusal_json(refused: RequestRefusal | DraftRefusal | QuestionRefusal) -> JsonResponse:
    """The same for the script of a board."""
    return JsonResponse({"message": refusal_text(refused)}, status=getattr(refused, "status", 400))


def change_from_json(sent: Mapping[str, Any], plays: str) -> DraftChange:
    """One order of a menu, a sheet, or whole lines put back by “undo”; raises RequestRefusal."""
    if isinstance(sent.get("sheet"), str):
        base = sent.get("base")
        return change_from_text(sent["sheet"], base if isinstance(base, str) else None, plays)
    if isinstance(sent.get("lines"), dict):
        return _lines_change(sent["lines"])
    if isinstance(sent.get("orders"), dict):
        return _orders_change(_texts(sent["orders"]), plays)
    if isinstance(sent.get("leaflets"), dict):
        return _leaflets_change(sent["leaflets"])
    if isinstance(sent.get("waives"), dict):
        return _waives_change(sent["waives"])
    raise meaningless_request()


def _texts(orders: Mapping[Any, Any]) -> dict[str, str]:
    if not all(isinstance(order, str) and len(order) <= 100 for order in orders.values()):
        raise meaningless_request()
    return dict(orders)


def _lines_change(lines: Mapping[Any, Any]) -> DraftChange:
    for sheet in lines.values():
        if not isinstance(sheet, list) or not all(isinstance(line, str) for line in sheet):
            raise meaningless_request()
    order_drafts.check_order_text("\n".join(line for sheet in lines.values() for line in sheet))

    def change(question: Question, _draft: Lines) -> Lines:
        powers = question_input.read_question(dict(question)).variant.board.seats
        if not set(lines) <= {*powers, order_drafts.NO_POWER}:
            raise meaningless_request()
        return {power: list(sheet) for power, sheet in lines.items() if sheet}

    return change


def _orders_change(orders: Mapping[str, str], plays: str = "") -> DraftChange:
    """Orders of the menus by province; "" takes one away."""

    def change(question: Question, draft: Lines) -> Lines:
        owners, language = _owners(question, orders, plays), display_names.reader_language()
        lines: dict[str, dict[str, str]] = {}
        for province, order in orders.items():
            power, legal = owners.get(province, ("", frozenset()))
            if not power or (order and order not in legal):
                raise RequestRefusal(_("This order is not legal. Nothing was changed."))
            line = order_drafts.order_as_typed(question, order, power, language) if order else ""
            lines.setdefault(power, {})[province] = line
        for power, ordered in lines.items():
            draft = order_drafts.draft_with_orders(question, draft, power, ordered)
        return draft

    return change


def _leaflets_change(sent: Mapping[Any, Any]) -> DraftChange:
    """Forms filled in, by their key: an answer for each blank, "" for none."""
    for answers in sent.values():
        if not isinstance(answers, list) or not all(isinstance(one, str) for one in answers):
            raise meaningless_request()

    def change(question: Question, draft: Lines) -> Lines:
        powers = {str(key).partition(".")[0] for key in sent}
        seats = question_input.read_question(dict(question)).variant.board.seats
        known = politics_context.politics_forms(question, [power for power in seats if power in powers])
        for key, answers in sent.items():
            if key not in known:
                raise meaningless_request()
            power, leaflet = known[key]
            offered = [{pick.text for pick in slot.choices} for slot in leaflet.fields]
            fits = len(answers) == len(offered)
            if not fits or any(one and one not in picks for one, picks in zip(answers, offered, strict=True)):
                raise RequestRefusal(_("This answer is not one of the choices. Nothing was changed."))
            draft = politics_context.draft_with_answers(question, draft, power, leaflet, answers)
        return draft

    return change


def _waives_change(waives: Mapping[Any, Any]) -> DraftChange:
    """How many builds a power gives up."""

    def change(question: Question, draft: Lines) -> Lines:
        language = display_names.reader_language()
        may = {menu.power for menu in order_menus.order_menus(question, language) if menu.waivable_builds}
        for power, number in waives.items():
            if power not in may or type(number) is not int or not 0 <= number <= MOST_WAIVES:
                raise meaningless_request()
            line = order_drafts.order_as_typed(question, "WAIVE", power, language)
            draft = order_drafts.draft_with_waives(question, draft, power, number, line)
        return draft

    return change


def _owners(
    question: Question, provinces: Collection[str], plays: str
) -> dict[str, tuple[str, frozenset[str]]]:
    """The power that orders in each province, and what it may; nearly always the power that is played."""
    found = _ordered(order_menus.order_menus(question, display_names.reader_language(), plays))
    if not plays or found.keys() >= set(provinces):
        return found
    return _ordered(order_menus.order_menus(question, display_names.reader_language()))


def _ordered(menus: Iterable[order_menus.PowerMenu]) -> dict[str, tuple[str, frozenset[str]]]:
    return {
        subject.province: (menu.power, frozenset(choice.order for choice in subject.choices))
        for menu in menus
        for subject in menu.subjects
    }


def change_from_text(text: str, base: str | None, plays: str) -> DraftChange:
    """A whole sheet in place of what was given; `base` is the sheet it was made from."""

    def change(question: Question, draft: Lines) -> Lines:
        fresh = order_drafts.draft_from_text(question, text, plays)
        others = {
            power: lines
            for power, lines in draft.items()
            if plays and power not in (plays, order_drafts.NO_POWER)
        }
        whole = {**others, **fresh}
        if base is not None and whole != draft and base not in _sheets(question, draft, plays):
            raise DraftRefusal("changed")
        return whole  # the same once more is no other change: its answer may have been lost

    return change


def _sheets(question: Question, draft: Lines, plays: str) -> tuple[str, ...]:
    """The draft as the page shows it, in each language."""
    variant = variants.load(question["variant"])
    powers = [plays] if plays else list(variant.definition.seats)
    return tuple(
        order_drafts.draft_as_text(variant, draft, powers, language) for language in variants.LANGUAGES
    )


def _filled(post: QueryDict) -> dict[str, list[str]]:
    """The forms of a page sent without scripts: the answers by key, in the order of the blanks."""
    found: dict[str, dict[int, str]] = {}
    for name, value in post.items():
        key, _dash, place = name.removeprefix("leaflet-").rpartition("-")
        if name.startswith("leaflet-") and place.isdecimal() and len(place) < 3:
            found.setdefault(key, {})[int(place)] = str(value)
    return {key: [blanks.get(n, "") for n in range(max(blanks) + 1)] for key, blanks in found.items()}


def change_from_menus(post: QueryDict, plays: str = "") -> DraftChange:
    """The menus of a page sent without scripts: those that differ from what is given."""
    sent = {name.removeprefix("order-"): value for name, value in post.items() if name.startswith("order-")}
    given_up = {
        name.removeprefix("waive-"): value for name, value in post.items() if name.startswith("waive-")
    }
    filled = _filled(post)
    waives = {power: int(str(number)[:4]) for power, number in given_up.items() if str(number).isdecimal()}

    def change(question: Question, draft: Lines) -> Lines:
        given = {
            one.province: one.order for one in order_drafts.read_draft(question, draft) if one.is_followed
        }
        changed = {place: str(order) for place, order in sent.items() if str(order) != given.get(place, "")}
        draft = _orders_change(changed, plays)(question, draft) if changed else draft
        draft = _leaflets_change(filled)(question, draft) if filled else draft
        return _waives_change(waives)(question, draft) if waives else draft

    return change

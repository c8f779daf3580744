"""News as sentences, in the reader's language and time. A kind without words never stops a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta, tzinfo
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from talleyrand import messages, variants
from talleyrand.engine.errors import TalleyrandError
from talleyrand.engine.position import Phase
from talleyrand.messages.sentence_names import SentenceNames
from talleyrand.web.accounts import time_zones

from .models import Notification
from .notification_kinds import ENDINGS, KINDS, MASTER, OUTCOMES, SOMETHING, UNFIT

LONGEST_WORDS = 300  # of what a game master wrote: the rest stands where the news lead


def notification_sentence(kind: str, facts: Mapping[str, Any], zone: tzinfo | None = None) -> str:
    """What happened, in the language in use; `zone` is the reader's, else the one in use.

    Where facts are missing or make no sense, a plainer sentence; never an error.
    """
    known = FactTexts(facts, zone)
    for form in KINDS[kind].sentences if kind in KINDS else ():
        try:
            return str(form) % known
        except (KeyError, ValueError, TypeError, AttributeError, OSError, TalleyrandError):
            continue
    return str(SOMETHING)


def notification_subject(notice: Notification, zone: tzinfo | None = None) -> str:
    """The same with the name of the game before it, for a list of several games or a letter."""
    return _("%(game)s: %(sentence)s") % {
        "game": game_name(notice),
        "sentence": notification_sentence(notice.kind, notice.facts, zone),
    }


def game_name(notice: Notification) -> str:
    """The name that the game had; a word where none is known."""
    name = notice.facts.get("game")
    return name if isinstance(name, str) and name.strip() else _("A game")


class FactTexts(Mapping[str, str]):
    """The facts of a notice in words; KeyError where one is missing."""

    def __init__(self, facts: Mapping[str, Any], zone: tzinfo | None = None) -> None:
        self.facts, self.zone = facts, zone

    def __getitem__(self, name: str) -> str:
        return FACT_TEXTS[name](self)

    def __iter__(self) -> Iterator[str]:
        return iter(FACT_TEXTS)

    def __len__(self) -> int:
        return len(FACT_TEXTS)

    @property
    def language(self) -> str:
        return "en" if (get_language() or "fr").startswith("en") else "fr"

    @property
    def voice(self) -> SentenceNames:
        return SentenceNames(variants.load(self.facts["variant"]), self.language)

    def text(self, name: str) -> str:
        """A fact that is there and says something."""
        value = self.facts[name]
        if not isinstance(value, str) or not value.strip():
            raise KeyError(name)
        return value.strip()

    def phase(self) -> str:
        return messages.phase_name(Phase.parse(self.text("phase")), self.voice.variant, self.language)

    def power(self) -> str:
        return self.named(self.text("power"))

    def named(self, code: str) -> str:
        """A power with its article; KeyError for what is none."""
        if code not in self.voice.names.powers:
            raise KeyError(code)
        return self.voice.power(code)

    def power_first(self) -> str:
        name = self.power()
        return f"{name[:1].upper()}{name[1:]}"

    def from_power(self) -> str:
        name = self.power()
        return f"from {name}" if self.language == "en" else self.voice.of_power(self.text("power"))

    def master(self) -> str:
        """Who signs as no power does."""
        if self.text("power") != MASTER:
            raise KeyError("power")
        return ""

    def powers(self) -> str:
        codes = self.facts["powers"]
        if isinstance(codes, str) or not codes:
            raise KeyError("powers")
        return self.voice.join_and([self.named(str(code)) for code in codes])

    def seats(self) -> str:
        """ "France at board 2": what somebody plays in a round, each power of the variant of its board."""
        told = self.facts["seats"]
        if not isinstance(told, list) or not told:
            raise KeyError("seats")
        return self.voice.join_and([self._seat(**one) for one in told])

    def _seat(self, board: int, power: str, variant: str) -> str:
        voice = SentenceNames(variants.load_board(variant), self.language)
        if power not in voice.names.powers:
            raise KeyError(power)
        return _("%(power)s at board %(board)s") % {"power": voice.power(power), "board": int(board)}

    def round(self) -> str:
        return str(int(self.facts["round"]))

    def board(self) -> str:
        return str(int(self.facts["board"]))

    def misfit(self) -> str:
        self.text("misfit")
        return str(UNFIT)

    def ending(self) -> str:
        return str(ENDINGS[self.text("result"), len(self.facts.get("powers") or ()) > 1]) % self

    def reason(self) -> str:
        words = " ".join(self.text("reason").split())
        return words if len(words) <= LONGEST_WORDS else f"{words[:LONGEST_WORDS]}…"

    def newcomer(self) -> str:
        return self.text("newcomer")

    def outcome(self) -> str:
        """What became of a proposal to end the game; who vetoed it is public."""
        outcome = self.text("outcome")
        if outcome == "vetoed" and self.facts.get("powers"):
            return _("The proposal to end the game was vetoed by %(powers)s.") % {"powers": self.powers()}
        return str(OUTCOMES[outcome])

    def hours(self) -> str:
        """How far a deadline moved for orders that are missing."""
        hours = int(self.facts["hours_for_missing_orders"])
        if hours < 1:
            raise ValueError(hours)
        return str(hours)

    def count(self) -> str:
        return str(int(self.facts["count"]))

    def due(self) -> str:
        when = datetime.fromisoformat(self.text("due"))
        return date_text(when if timezone.is_aware(when) else timezone.make_aware(when), self.zone)


FACT_TEXTS: dict[str, Callable[[FactTexts], str]] = {
    "phase": FactTexts.phase,
    "power": FactTexts.power,
    "Power": FactTexts.power_first,
    "from_power": FactTexts.from_power,
    "powers": FactTexts.powers,
    "reason": FactTexts.reason,
    "newcomer": FactTexts.newcomer,
    "outcome": FactTexts.outcome,
    "master": FactTexts.master,
    "misfit": FactTexts.misfit,
    "ending": FactTexts.ending,
    "due": FactTexts.due,
    "count": FactTexts.count,
    "hours": FactTexts.hours,
    "seats": FactTexts.seats,
    "round": FactTexts.round,
    "board": FactTexts.board,
}


def date_text(when: datetime, zone: tzinfo | None = None) -> str:
    """ "Friday 6 March 2026, 20:00 (Paris)". Midnight ends its day: 24:00."""
    here = timezone.localtime(when, zone)
    midnight = (here.hour, here.minute) == (0, 0)
    day = date_format(here.date() - timedelta(days=midnight), _("l j F Y"))
    hour = _("24:00") if midnight else date_format(here, _("H:i") if here.minute else _("H:00"))
    place = time_zones.zone_label(str(zone or timezone.get_current_timezone()))
    return _("%(day)s, %(hour)s (%(place)s)") % {"day": day, "hour": hour, "place": place}

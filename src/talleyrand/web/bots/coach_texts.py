"""What the coach found, in the reader's words: each sentence from what was computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from talleyrand.messages.sentence_names import SentenceNames
from talleyrand.variants import Variant
from talleyrand.web.boards import display_names

from .talk_texts import year_name

Pair = Sequence[str]


class CoachTexts:
    """Sentences about one review of one power's moves."""

    def __init__(self, variant: Variant, review: Mapping[str, Any]) -> None:
        self.review, self.voice = review, SentenceNames(variant, display_names.reader_language())

    @property
    def effort(self) -> str:
        """What was tried, and how sets of orders are compared."""
        facts = {"tried": self.review["tried"], "likely": self.review["likely_answers"], "year": self._until}
        if self._until:
            return _(
                "%(tried)d sets of orders were tried beside what the others ordered (with hindsight), and "
                "beside %(likely)d sets they might have ordered. The bots then play each on to the end of "
                "%(year)s; it is worth the share of the game that it promises there, by their estimate."
            ) % {**facts}
        return _(
            "%(tried)d sets of orders were tried against the orders the others gave (with hindsight), and "
            "against %(likely)d sets they might have given. Each is worth the share of the game it promises "
            "at the end of the year, by the bots’ estimate."
        ) % {**facts}

    @property
    def _until(self) -> str:
        """The year to whose end retreats and winters are played on; "" for moves."""
        year = self.review.get("until", 0)
        return year_name(self.voice.variant, year) if year else ""

    @property
    def none_better(self) -> str:
        return _("None of the %(tried)d sets of orders tried is better than the one played.") % {
            "tried": self.review["tried"]
        }

    def title(self, better: Mapping[str, Any]) -> str:
        """In which of the two ways a set is better."""
        return {
            "both": _("Better with hindsight, and against likely orders"),
            "hindsight": _("Better with hindsight only"),
            "likely": _("Better against likely orders only"),
        }[better["better"]]

    def hindsight(self, better: Mapping[str, Any]) -> str:
        """What it would have come to beside the orders that the others gave."""
        gains, losses = self._joined(better["gains"], self._gain), self._joined(better["losses"], self._loss)
        if self._until and not gains and not losses:
            return ""
        if not gains and not losses:
            return _("With hindsight: nothing changes on the map.")
        if not gains:
            return _("With hindsight: %(losses)s.") % {"losses": losses}
        if not losses:
            return _("With hindsight: %(gains)s.") % {"gains": gains}
        return _("With hindsight: %(gains)s; but %(losses)s.") % {"gains": gains, "losses": losses}

    def chances(self, better: Mapping[str, Any]) -> str:
        """Which centres it comes to against likely orders; "" where no more often than what was played."""
        total, told = self.review["likely_answers"], better["chances"][:2]
        if not told:
            return ""
        listed = [
            _("%(place)s in %(count)d of %(total)d cases (as played: %(played)d)")
            % {"place": self.voice.place(place), "count": count, "total": total, "played": played}
            for place, count, played in told
        ]
        text = _("Against likely orders: takes %(list)s.")
        if self._until:
            text = _("By the end of %(year)s: takes %(list)s.")
        elif not self.review["is_capture_season"]:
            text = _("Against likely orders: enters %(list)s.")
        return text % {"list": self.voice.join_and(listed), "year": self._until}

    def risk(self, found: Mapping[str, Any] | None, *, compared: bool = True) -> str:
        """The loss to fear most against likely orders; `compared` with that of what was played."""
        total = self.review["likely_answers"]
        if found is None:
            return _("Risk: no centre or unit lost in any of the %(total)d likely cases.") % {"total": total}
        facts = {
            "loss": self._risked(found["loss"]),
            "count": found["count"],
            "total": total,
            "played": found["played"],
        }
        if not compared:
            return _("Risk: %(loss)s in %(count)d of %(total)d likely cases.") % facts
        return _("Risk: %(loss)s in %(count)d of %(total)d likely cases (as played: %(played)d).") % facts

    def shares(self, better: Mapping[str, Any]) -> str:
        """The estimates that the sets are compared by."""
        facts = {
            "hindsight": _percent(better["hindsight"]),
            "likely": _percent(better["likely"]),
            "hindsight_played": _percent(self.review["hindsight"]),
            "likely_played": _percent(self.review["likely"]),
        }
        return (
            _(
                "Share of the game: %(hindsight)s with hindsight (as played: %(hindsight_played)s), "
                "%(likely)s against likely orders (as played: %(likely_played)s)."
            )
            % facts
        )

    def played_shares(self) -> str:
        facts = {
            "hindsight": _percent(self.review["hindsight"]),
            "likely": _percent(self.review["likely"]),
        }
        return _("Share of the game: %(hindsight)s with hindsight, %(likely)s against likely orders.") % facts

    def _joined(self, pairs: Sequence[Pair], told: Any) -> str:
        """Facts of one kind in one phrase, all in one list."""
        kinds: dict[str, list[str]] = {}
        for kind, what in pairs:
            kinds.setdefault(kind, []).append(self._name(kind, what))
        return self.voice.join_and(told(kind, self.voice.join_and(names)) for kind, names in kinds.items())

    def _name(self, kind: str, what: str) -> str:
        if kind in ("dislodges", "keeps_unit"):
            return self.voice.unit(what)
        return self.voice.order(what) if kind == "stops" else self.voice.place(what)

    def _gain(self, kind: str, names: str) -> str:
        season = self.review["is_capture_season"]
        return {
            "reaches": _("takes %(names)s") if season else _("enters %(names)s"),
            "keeps_centre": _("keeps %(names)s"),
            "keeps_unit": _("saves %(names)s"),
            "dislodges": _("dislodges %(names)s"),
            "stops": _("stops %(names)s"),
            "stands": _("occupies %(names)s"),
        }[kind] % {"names": names}

    def _loss(self, kind: str, names: str) -> str:
        season = self.review["is_capture_season"]
        return {
            "reaches": _("doesn’t take %(names)s") if season else _("doesn’t enter %(names)s"),
            "keeps_centre": _("loses %(names)s"),
            "keeps_unit": _("gives %(names)s up") if self._until else _("has %(names)s dislodged"),
            "dislodges": _("doesn’t dislodge %(names)s"),
        }[kind] % {"names": names}

    def _risked(self, loss: Mapping[str, str]) -> str:
        is_unit = loss["kind"] == "unit"
        text = _("%(power)s takes %(what)s from %(origin)s")
        if self._until:
            text = _("%(power)s takes %(what)s")
        elif is_unit:
            text = _("%(power)s dislodges %(what)s from %(origin)s")
        elif not self.review["is_capture_season"]:
            text = _("%(power)s enters %(what)s from %(origin)s")
        return text % {
            "power": self.voice.power(loss["power"]),
            "what": (self.voice.unit if is_unit else self.voice.place)(loss["what"]),
            "origin": self.voice.place(loss["origin"]) if loss["origin"] else "",
        }


def _percent(share: float) -> str:
    text = f"{100 * share:.1f}"
    return f"{text}%" if display_names.reader_language() == "en" else f"{text.replace('.', ',')}\u00a0%"

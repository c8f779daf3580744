"""One mail for all that somebody has not been told of a game: reports, short news, what he has to do now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _

from talleyrand.web.boards import wording
from talleyrand.web.games.models import Game, Gazette, Revision, Role, Tenure
from talleyrand.web.games.playing.board import Board
from talleyrand.web.games.sight import Sight
from talleyrand.web.mail import addressing
from talleyrand.web.mail.layout import heading, joined, marked, point, prose, whole
from talleyrand.web.mail.models import Correspondent, Mailbox
from talleyrand.web.mail.orders.sheets import tag
from talleyrand.web.mail.standing import Standing, link
from talleyrand.web.notices import wording as notices
from talleyrand.web.notices.models import Notice
from talleyrand.web.press import seen as letters

from . import reports
from .corresponding import MASTER, Post, powers
from .reports import Part

# What a report was made of, and the language: one is written for all who read it in a sweep.
Papers = dict[tuple[int, str, int], list[Part]]
LETTERS = ("letter", "letter_held")  # these come whole
BY_LETTER = "letter_returned"
# What somebody is told even if he has read of it on the site; of the rest he has been told then.
PAPERS = ("published", "corrected", "taken_back", "ended", "gazette", "given", "replaced")
TOLD_WHOLE = ("published", "corrected", "taken_back", "ended", "gazette")  # in a part of its own
REMINDERS = ("due_soon", "missing")
LATEST = {  # of several about the same the last one is true
    **dict.fromkeys(REMINDERS, "reminder"),
    **dict.fromkeys(("extended", "paused", "resumed"), "clock"),
}
COVERED = ("begun", "given")  # by the mail to begin with
VOTES = ("proposal", "proposal_voting")
LONGEST_SUBJECT = 120


@dataclass
class News:
    """What `notices` come to for one correspondent, in the language and the zone in use."""

    correspondent: Correspondent
    sight: Sight
    notices: list[Notice]
    papers: Papers

    @property
    def game(self) -> Game:
        return self.sight.game

    @cached_property
    def standing(self) -> Standing:
        return Standing(self.game)

    @cached_property
    def acting(self) -> tuple[str, ...]:
        """For what he corresponds now; nothing for who has no role any more."""
        return powers(self.sight) if self.sight.role else ()

    def post(self) -> Post | None:
        """The mail; None where there is nothing to say."""
        told = [one for one in self._latest() if self._is_news(one)]
        parts = [self._sentences(told), *self._reports(told)]
        if not any(parts):
            return None
        power = next(iter(self.acting), "")
        mailbox = addressing.own(self.game, self.correspondent.person, power)
        return Post(
            kind="report",
            once=f"news:{self.correspondent.pk}:{told[-1].pk}",
            subject=self._subject(told),
            text=joined([*parts, *self._now(mailbox, fresh=bool(self._numbers(told))), self._foot()]),
            power=MASTER if power == MASTER else "",
            mailbox=mailbox,
        )

    def before(self) -> Post | None:
        """The last report, for who begins in the middle of a game and has not been told of it anyhow."""
        number = self.game.number - 1
        told = any(one.kind == "published" for one in self.notices)
        if number < 1 or told or not self.acting or not self.standing.is_open:
            return None
        return Post(
            kind="report",
            once=f"before:{self.correspondent.pk}:{number}",
            subject=f"{tag(self.game)} {self._named(number)}",
            text=joined([*self._paper(number), self._foot()]),
            power="",
            mailbox=addressing.own(self.game, self.correspondent.person, self.acting[0]),
        )

    def desk(self, now: datetime) -> Post | None:
        """Who has handed in, for whoever runs the game, when those who are missing have been reminded."""
        game = self.game
        if not self.sight.at_desk or not self.standing.is_open or game.due is None or game.due <= now:
            return None
        reminded = f"due_soon:{game.number}:{game.due.isoformat()}"
        if not Notice.objects.filter(once=f"{game.key}:{reminded}").exists():
            return None
        power = next(iter(self.acting))
        mailbox = addressing.own(game, self.correspondent.person, power)
        return Post(
            kind="desk",
            once=f"desk:{self.correspondent.pk}:{reminded}",
            subject=f"{tag(game)} " + _("who has handed in"),
            text=joined([*self._now(mailbox, fresh=False), self._foot()]),
            power=power,
            mailbox=mailbox,
        )

    # what is told

    def _latest(self) -> list[Notice]:
        last = {LATEST[one.kind]: one.pk for one in self.notices if one.kind in LATEST}
        return [one for one in self.notices if one.kind not in LATEST or last[LATEST[one.kind]] == one.pk]

    def _is_news(self, notice: Notice) -> bool:
        kind = notice.kind
        if kind in REMINDERS and not self._is_due(notice):
            return False
        if kind in COVERED and self.acting and self.standing.is_open:
            return False
        if kind == "replaced" and notice.facts.get("power") in self.acting:
            return False  # back from a stand-in: that is a beginning again
        return kind != BY_LETTER and (kind in PAPERS or notice.read is None)

    def _is_due(self, notice: Notice) -> bool:
        """Whether a reminder is still one."""
        open_now = self.standing.is_open and notice.facts.get("phase") == self.game.phase
        mine = [power for power in self.acting if power not in ("", MASTER)]
        return open_now and any(not self.standing.has_handed_in(power) for power in mine)

    # in words

    def _sentences(self, told: list[Notice]) -> Part:
        lines = [line for one in told for line in self._sentence(one)]
        if any(one.kind in VOTES for one in told):
            lines += prose(_("The vote takes place on the site; it cannot be had by mail."))
            lines += whole(link(self.game, "games:end")) if link(self.game) else []
        return lines

    def _sentence(self, notice: Notice) -> list[str]:
        kind, facts = notice.kind, notice.facts
        if kind == "corrected" and facts.get("misfit"):
            return point(_("Some of your orders no longer fit since the correction: send them again."))
        if kind in TOLD_WHOLE and self.sight.may_open and self._has_part(notice):
            return []
        if kind == "replaced" and self._was_mine(str(facts.get("power", ""))):
            words = {"power": self.standing.the(str(facts["power"]))}
            return point(
                _("Somebody else plays %(power)s now; your addresses for it do nothing any more.") % words
            )
        if kind == "disorder" and self._was_mine(str(facts.get("power", ""))):
            words = {"power": self.standing.the(str(facts["power"]))}
            return point(
                _("You do not play %(power)s any more; your addresses for it do nothing now.") % words
            )
        if kind == "late_orders" and facts.get("power"):
            power = {"power": self.standing.power(str(facts["power"]))}
            command = _("Answer “%(command)s”, and they count.") % {"command": _("grace %(power)s") % power}
            return [*point(notices.sentence(kind, facts)), *prose(command)]
        return point(notices.sentence(kind, facts))

    def _has_part(self, notice: Notice) -> bool:
        """Whether it is told in a part of its own: not so a correction of where the game began."""
        if notice.kind == "gazette":
            return _whole(notice.facts.get("gazette")) is not None
        return notice.kind != "corrected" or self._number(notice) is not None

    def _was_mine(self, power: str) -> bool:
        mine = Tenure.objects.filter(seat__game=self.game, seat__power=power, person=self.sight.person)
        return power not in self.acting and mine.exists()

    def _reports(self, told: list[Notice]) -> Iterator[Part]:
        if not self.sight.may_open:
            return
        shown: list[int] = []
        for number in self._numbers(told):
            shown.append(number)
            yield from self._paper(number)
        for one in told:
            if one.kind == "taken_back":
                yield reports.taken_back(self.game, str(one.facts.get("phase", "")))
        yield from self._gazettes(told, shown)
        if self.sight.is_over and any(one.kind == "ended" for one in told):
            yield from reports.ended(self.sight)
        if shown or any(one.kind in ("corrected", "taken_back") for one in told):
            yield from self._position()

    def _numbers(self, told: list[Notice]) -> list[int]:
        """The phases that were published or corrected and still are, each once."""
        found = [self._number(one) for one in told if one.kind in ("published", "corrected")]
        return sorted({number for number in found if number is not None})

    def _number(self, notice: Notice) -> int | None:
        current = Revision.objects.filter(game=self.game, current=True, number__gt=0)
        wanted: dict[str, Any] = {"phase": str(notice.facts.get("phase"))}
        if notice.kind == "published":
            wanted = {"number": _whole(notice.facts.get("number")) or 0}
        return current.filter(**wanted).values_list("number", flat=True).last()

    def _paper(self, number: int) -> list[Part]:
        revision = self.game.revisions.filter(number=number, current=True).first()
        if revision is None:
            return []
        key = (revision.pk, wording.language(), self.game.gazettes.filter(number=number).count())
        if key not in self.papers:
            self.papers[key] = reports.phase(self.game, number)
        return self.papers[key]

    def _gazettes(self, told: list[Notice], shown: list[int]) -> Iterator[Part]:
        """The words that came out since a report was sent."""
        wanted = [number for one in told if (number := _whole(one.facts.get("gazette"))) is not None]
        for one in Gazette.objects.filter(game=self.game, pk__in=wanted):
            if one.number not in shown:
                yield reports.gazette(one)

    def _position(self) -> Iterator[Part]:
        fallen = self.standing.fallen()
        if fallen:
            yield [*heading(_("Dislodged")), *fallen]
        yield [*heading(_("The units")), *self.standing.units()]
        yield [*heading(_("The centres")), *self.standing.centres()]

    # what he has to do

    def _now(self, mailbox: Mailbox | None, *, fresh: bool) -> Iterator[Part]:
        """Where the open phase is; `fresh`: it has just begun, and nobody has done anything yet."""
        if not self.acting:
            return
        if self.sight.at_desk and not fresh:
            yield reports.desk(self.game, letters.held(self.sight).count())
        elif self.standing.is_open:
            yield [*heading(self.standing.phase), *prose(self.standing.deadline())]
        if self.sight.role == Role.PLAYER and self.standing.is_open:
            for power in self.acting:
                yield [*self._yours(power), *self._whither(power)]
        elif mailbox is not None and not self.sight.is_over:
            told = _("Answer this mail, or write to your desk (“help” tells what you can say):")
            yield [*prose(told), *whole(addressing.address(mailbox))]

    def _yours(self, power: str) -> list[str]:
        sheet = self.standing.sheet(power)
        told = [*prose(_("You play %(power)s.") % {"power": self.standing.the(power)})]
        told += self.standing.tasks(power)
        return [*told, *prose(sheet)] if sheet else told

    def _whither(self, power: str) -> list[str]:
        if power not in self.standing.menus:
            return []
        own = addressing.own(self.game, self.correspondent.person, power)
        assert own is not None
        told = [
            *prose(_("Answer this mail with your orders, or send them to:")),
            *whole(addressing.address(own)),
        ]
        return [*told, *self._example(power)]

    def _example(self, power: str) -> list[str]:
        """How retreats and builds are written, which come but once a year; movement was shown at first."""
        if self.game.phase[-1:] == "M" or self.standing.has_handed_in(power):
            return []
        lines = self.standing.example(power)
        return [*prose(_("For instance:")), *(line for one in lines for line in marked(one))] if lines else []

    def _foot(self) -> Part:
        """The game on the site, and where one has no more of this."""
        if not self.sight.may_open or not link(self.game):
            return []
        told = [*prose(_("On the site:")), *whole(link(self.game))]
        stop = [*prose(_("To have no more of these mails:")), *whole(link(self.game, "mail:post"))]
        return told + stop if self.sight.role else told

    # the headline

    def _subject(self, told: list[Notice]) -> str:
        return f"{tag(self.game)} {self._headline(told)}"

    def _headline(self, told: list[Notice]) -> str:
        kinds = {one.kind for one in told}
        numbers = self._numbers(told) if self.sight.may_open else []
        if "ended" in kinds and self.sight.is_over:
            return _("the game is over")
        if numbers:
            return self._named(numbers[-1])
        said = notices.sentence(told[-1].kind, told[-1].facts).removesuffix(".")
        return said if len(said) <= LONGEST_SUBJECT else f"{said[:LONGEST_SUBJECT]}…"

    def _named(self, number: int) -> str:
        return reports.named(Board(Sight(self.game, None), number))


def _whole(fact: Any) -> int | None:
    """A number among the facts of a notice; None for anything else."""
    return fact if isinstance(fact, int) and not isinstance(fact, bool) else None

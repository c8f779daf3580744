"""What is said between a person and a bot, in the reader's language."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from talleyrand.messages.sentence_names import SentenceNames
from talleyrand.negotiation import proposals
from talleyrand.negotiation.bot_answers import ACCEPTED, FORGIVEN, BotAnswer
from talleyrand.negotiation.bot_characters import BotCharacter
from talleyrand.negotiation.kept_word import AgreementAccount, Breach
from talleyrand.negotiation.proposal_reader import LONGEST_MESSAGE
from talleyrand.negotiation.proposals import Proposal
from talleyrand.variants import Variant
from talleyrand.web.boards import display_names

FIRST_DATED_YEAR = 100  # less is no date
EXAMPLE_PLACE = "BUR"  # where the board has it


def kind_labels() -> list[tuple[str, str]]:
    """What one may propose, for a menu."""
    return [
        (proposals.PEACE, _("peace")),
        (proposals.DEMILITARISED, _("a demilitarised province")),
        (proposals.ALLIANCE, _("an alliance against a third power")),
        (proposals.SUPPORT, _("a support")),
        (proposals.DRAW, _("a draw")),
    ]


def character_labels() -> dict[str, str]:
    return {"loyal": _("loyal"), "wary": _("wary"), "treacherous": _("treacherous")}


def year_name(variant: Variant, year: int) -> str:
    """ "1902", or "year 2" on a board that counts its years from the first."""
    counted = variant.definition.calendar.first.year < FIRST_DATED_YEAR
    return _("year %(number)d") % {"number": year} if counted else str(year)


@dataclass(frozen=True)
class TalkTexts:
    """The sentences of one variant."""

    variant: Variant

    @property
    def names(self) -> SentenceNames:
        return SentenceNames(self.variant, display_names.reader_language())

    def proposal(self, proposal: Proposal, last_year: int) -> str:
        """What the person says."""
        helped = [name for name in ("asked", "offered") if getattr(proposal, name)]
        sentences = {
            proposals.PEACE: _("Peace between us until the end of %(year)s?"),
            proposals.DEMILITARISED: _("Shall we leave %(place)s empty until the end of %(year)s?"),
            proposals.ALLIANCE: _("Together against %(third)s until the end of %(year)s?"),
            "asked": _("Will you support %(asked)s?"),
            "offered": _("May I support %(offered)s?"),
            "asked offered": _("Will you support %(asked)s if I support %(offered)s?"),
            proposals.DRAW: _("Shall we agree on a draw?"),
        }
        return sentences[" ".join(helped) or proposal.kind] % self._facts(proposal, last_year)

    def _facts(self, proposal: Proposal, year: int) -> dict[str, object]:
        return {
            "year": year_name(self.variant, year),
            "place": self.names.place(proposal.province),
            "third": self.names.power(proposal.third),
            "asked": self.names.order(str(proposal.asked or "")),
            "offered": self.names.order(str(proposal.offered or "")),
        }

    def offer(self, proposal: Proposal, last_year: int) -> str:
        """What a bot proposes of itself, where `proposal` is what the other would say."""
        return self.proposal(replace(proposal, asked=proposal.offered, offered=proposal.asked), last_year)

    def how_to_answer(self) -> str:
        """What a letter with an offer ends with."""
        return _("A “yes” or a “no” is enough.")

    def answer(
        self, proposal: Proposal | None, answer: BotAnswer, character: BotCharacter, this_year: int
    ) -> str:
        """What a bot says to a proposal, or to what is none."""
        if proposal is None or answer.code != ACCEPTED:
            return self.refused(answer.code, answer.about)
        asked = this_year + proposal.years - 1
        warm, forgiven = character.name != "wary", answer.about == FORGIVEN
        return self.accepted(proposal, asked, answer.until, warm=warm, forgiven=forgiven)

    def accepted(
        self, proposal: Proposal, asked: int, until: int, *, warm: bool, forgiven: bool = False
    ) -> str:
        """What the bot promises, in its manner, and whether for less long than was asked."""
        promises = {
            proposals.PEACE: _("Agreed: peace between us until the end of %(year)s."),
            proposals.DEMILITARISED: _("Agreed: we leave %(place)s empty until the end of %(year)s."),
            proposals.ALLIANCE: _(
                "Agreed: peace between us and no help for %(third)s until the end of %(year)s."
            ),
            proposals.SUPPORT: _("Agreed, for this phase."),
            proposals.DRAW: _("Agreed: I am for a draw this year."),
        }
        manner = _("You have my word.") if warm else _("I shall read your orders closely.")
        if forgiven:
            manner = _("You broke your word to me: I have not forgotten.")
        elif proposal.kind in proposals.LASTING and until < asked:
            manner = _("I promise nothing beyond that.")
        return f"{promises[proposal.kind] % self._facts(proposal, until)} {manner}"

    def refused(self, code: str, about: str) -> str:
        """Why the bot declines, or what it did not understand."""
        sentences = {**self._objections(), **self._problems()}
        told = {"about": self._about_text(about), "most": LONGEST_MESSAGE, **self._examples(about)}
        return sentences.get(code, sentences["not_understood"]) % told

    def _about_text(self, about: str) -> str:
        if about in self.variant.board.provinces:
            return self.names.place(about)
        return self.names.any_name(about) if about else ""

    def _examples(self, about: str) -> dict[str, str]:
        """A place that might stay empty, the one that was named if any, and a move to support."""
        board, start = self.variant.board, self.variant.definition.start
        free = (code for code in board.provinces if code not in board.centres)
        usual = EXAMPLE_PLACE if EXAMPLE_PLACE in board.provinces else next(free, "")
        near = (
            f"{kind} {place} - {goal}"
            for kind, links in board.adjacent_locations.items()
            for place, goals in links.items()
            for goal in goals
        )
        unit = next((f"{one.kind} {one.location} - " for one in start.units), "")
        move = next((one for one in near if one.startswith(unit)), "")
        return {"place": self.names.place_name(about or usual), "move": self.names.order(move)}

    def _objections(self) -> dict[str, str]:
        return {
            "out": _("I am out of the game: I can promise nothing."),
            "you_are_out": _("You are out of the game: there is nothing to agree on."),
            "already": _("We have agreed on that already."),
            "too_early": _("It is too early for a draw: I play on."),
            "winning": _("Nobody has more centres than I have: I play on."),
            "distrust": _("No: you broke your word to me."),
            "too_strong": _("No: you are too close to winning."),
            "my_place": _("No: %(about)s is a centre of mine."),
            "your_place": _("It is your own centre, %(about)s: there is nothing to agree on."),
            "not_empty": _("A unit is there: %(about)s has to be empty first."),
            "wants_it": _("No: there is a free centre that I want for myself, %(about)s."),
            "leave_first": _("Not while a unit of yours is in my country: %(about)s."),
            "nobody_else": _("No: there would be nobody left for me to play against."),
            "which_third": _("Against whom? Name one other power, one alone."),
            "gone": _("There is nothing left to fight of that power: %(about)s."),
            "given_word": _("No: I have given my word to another power, %(about)s."),
            "too_far": _("Too far from me: %(about)s."),
            "no_moves": _("Supports are agreed on before moves, not in this phase."),
            "not_there": _("There is no such unit: %(about)s."),
            "own_unit": _("A unit of mine is there: %(about)s."),
            "cannot_support": _("None of my units can support that: %(about)s."),
            "you_cannot_support": _("None of your units can support that: %(about)s."),
            "against_me": _("No: that is a centre of mine, %(about)s."),
            "nothing_offered": _("What do you support for me in return?"),
        }

    def _problems(self) -> dict[str, str]:
        return {
            "empty": _("You have written nothing that I can read."),
            "too_long": _("Too long for a bot: %(most)d characters at most, please."),
            "declined": _("As you like: nothing is agreed."),
            "late_letter": _("Your message came for a phase that is over: propose it again, please."),
            "enough": _("I have answered enough for this phase: write to me again in the next, please."),
            "draw_by_vote": _(
                "Bots don’t vote on draws here: propose it to the players, on the game’s page."
            ),
            "denied": _("I read no proposal there, so nothing is agreed."),
            "which_place": _("Which province is to stay empty? Name one, please."),
            "which_power": _("Against whom? Name one other power, one alone."),
            "which_unit": _("Which unit is to be supported? Write for example “support %(move)s”."),
            "greeting": _("Good day to you. What do you propose?"),
            "thanks": _("You are welcome."),
            "apology": _("I read orders, not regrets. What do you propose?"),
            "reproach": _("The orders show who keeps their word. What do you propose?"),
            "promise": _(
                "I hold nobody to that. Propose what binds us both: peace, or a province that stays empty "
                "(“DMZ %(place)s”)."
            ),
            "question": _("I say nothing of my orders. Propose something, and see whether I keep it."),
            "offer_asked": _(
                "My proposals come unasked. Yours may be peace, an empty province, an alliance or a support."
            ),
            "moves_asked": _("I promise no moves: a support, peace, or a province that stays empty."),
            "one_sided": _(
                "I give no province away. I can promise that neither of us enters it (“DMZ %(place)s”), or "
                "peace."
            ),
            "not_understood": _(
                "I am a bot and understand few words. You may propose peace, a province that stays empty "
                "(“DMZ %(place)s”), an alliance against a third power, a support, or a draw."
            ),
            "still_not_understood": _("Nor that, I am afraid. Peace, an empty province, a support?"),
        }

    def agreement(self, account: AgreementAccount) -> str:
        """What was agreed, without a question: "Peace until the end of 1902"."""
        agreed = account.agreement
        sentences = {
            proposals.PEACE: _("Peace until the end of %(year)s"),
            proposals.DEMILITARISED: _("Leave %(place)s empty until the end of %(year)s"),
            proposals.ALLIANCE: _("Alliance against %(third)s until the end of %(year)s"),
            proposals.SUPPORT: _("Support in %(phase)s"),
            proposals.DRAW: _("For a draw in %(year)s"),
        }
        season = display_names.season_name(self.variant, str(agreed.made))
        facts = {**self._facts(agreed.proposal, agreed.until), "phase": season}
        helped = [agreed.proposal.asked, agreed.proposal.offered]
        named = ", ".join(self.names.order(str(one)) for one in helped if one)
        told = sentences[agreed.proposal.kind] % facts
        return f"{told} ({named})" if named else told

    def agreement_row(self, account: AgreementAccount) -> dict[str, str]:
        """A line of a list: with whom, what, and what became of it."""
        return {
            "power": display_names.power_name(self.variant, account.agreement.bot),
            "agreed": self.agreement(account),
            "outcome": self.outcome(account),
            "state": account.state,
        }

    def would_break(self, account: AgreementAccount, power: str) -> str:
        """What a power's orders would break: with whom, and what."""
        other = display_names.power_name(self.variant, account.agreement.partner_of(power))
        return _("Breaks an agreement with %(power)s: %(agreed)s.") % {
            "power": other,
            "agreed": self.agreement(account),
        }

    def outcome(self, account: AgreementAccount) -> str:
        """What became of it."""
        if account.breaches:
            return " ".join(self._breach(one) for one in account.breaches)
        return {"kept": _("Kept by both."), "running": _("Kept so far.")}[account.state]

    def _breach(self, breach: Breach) -> str:
        facts = {
            "power": display_names.power_name(self.variant, breach.power),
            "phase": display_names.season_name(self.variant, str(breach.phase)),
            "order": self.names.order(breach.order),
        }
        if not breach.order:
            return _("Broken in %(phase)s, support not given: %(power)s.") % facts
        return _("Broken in %(phase)s: %(power)s, %(order)s.") % facts

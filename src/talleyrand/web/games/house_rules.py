"""House rules: of the site and of a game, in plain text, read before one joins and accepted by joining."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language

from talleyrand.formats.visible_text import strip_invisible
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.conduct.reports import TOPIC
from talleyrand.web.notifications import outbox

from .models import ENDED_STATES, Game, GameMembership

LONGEST_RULES, TOLD_AT_ONCE = 2000, 500


@dataclass(frozen=True)
class HouseRules:
    """Rules as a reader has them: in their language, or in the `language` in which alone they are written."""

    lines: tuple[str, ...]
    language: str

    def __bool__(self) -> bool:
        return bool(self.lines)


def clean_rules(text: str) -> str:
    """As they are kept: what is visible of them, without blanks at the ends of lines or empty ones around."""
    return "\n".join(line.rstrip() for line in strip_invisible(text).splitlines()).strip()


def site_rules() -> HouseRules:
    """Those of the whole site, by its administrator."""
    return _for_reader(settings.HOUSE_RULES)


def game_rules(game: Game) -> HouseRules:
    """Those of one game, by who made it or leads it."""
    return _for_reader({"fr": game.settings.house_rules_fr, "en": game.settings.house_rules_en})


def _for_reader(texts: dict[str, str]) -> HouseRules:
    mine = (get_language() or settings.LANGUAGE_CODE)[:2]
    language = next((one for one in (mine, *texts) if texts.get(one)), mine)
    found = (line.strip() for line in texts.get(language, "").splitlines())
    return HouseRules(tuple(line for line in found if line), language)


def rules_digest(game: Game) -> str:
    """What somebody sends who has read the rules that hold in a game as they are now; "" where none do."""
    told = [settings.HOUSE_RULES, game.settings.house_rules_fr, game.settings.house_rules_en]
    if not any((*settings.HOUSE_RULES.values(), *told[1:])):
        return ""
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]


@write_transaction
def tell_of_site_rules() -> None:
    """The site's rules are others: whoever is in a game that is not over is told, once a day."""
    here = GameMembership.objects.filter(left_at=None, person__is_active=True)
    people = sorted(set(here.exclude(game__state__in=ENDED_STATES).values_list("person", flat=True)))
    once = hashlib.sha256(json.dumps(settings.HOUSE_RULES, sort_keys=True).encode()).hexdigest()
    path = reverse("accounts:house_rules")
    for start in range(0, len(people), TOLD_AT_ONCE):
        some = people[start : start + TOLD_AT_ONCE]
        outbox.notify(
            some,
            "site_rules",
            {"game": settings.SITE_NAME},
            about=TOPIC,
            path=path,
            once=f"site_rules:{timezone.now():%F}:{once}",
        )

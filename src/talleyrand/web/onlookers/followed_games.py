"""Games that somebody follows, and who hears that a phase of one is there to be seen."""

from __future__ import annotations

import logging

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.games import recipients
from talleyrand.web.games.models import ENDED_STATES, Game, GameMembership, GameRole
from talleyrand.web.games.viewer_permissions import GameViewer

from .models import FollowedGame

MOST_FOLLOWED = 100  # of one person
logger = logging.getLogger(__name__)


def may_follow(sight: GameViewer) -> bool:
    """Whoever has an account and only looks on: who plays or leads has the game among their own."""
    person = sight.person
    return person is not None and not person.is_guest and sight.role in ("", GameRole.OBSERVER)


def follow_game(sight: GameViewer, *, is_told: bool) -> bool:
    """Follow a game, or change whether one is told of its phases; False where one follows too many."""
    person = sight.person
    assert person is not None
    with transaction.atomic():
        Person.objects.select_for_update().get(pk=person.pk)
        mine = FollowedGame.objects.filter(person=person)
        if not mine.filter(game=sight.game).exists() and mine.count() >= MOST_FOLLOWED:
            return False
        known = {"is_told": is_told, "told_number": _resolved(sight)}
        FollowedGame.objects.update_or_create(game=sight.whole_game, person=person, defaults=known)
    return True


def unfollow_game(person: Person, game: Game) -> None:
    """Follow it no longer; one that is not followed is no fault."""
    FollowedGame.objects.filter(person=person, game=game).delete()


def followed_games(person: Person) -> list[tuple[FollowedGame, GameViewer]]:
    """Those that one may still open, the one begun to follow last first, each as one sees it."""
    kept = FollowedGame.objects.filter(person=person).select_related("game").order_by("-since", "-pk")
    here = GameMembership.objects.filter(game__followers__person=person, person=person, left_at=None)
    roles = dict(here.values_list("game", "role"))
    found = [(one, GameViewer(one.game, person)) for one in kept]
    for one, sight in found:
        sight.role = roles.get(one.game_id, "")  # read for all at once
    return [(one, sight) for one, sight in found if sight.may_open]


def _resolved(sight: GameViewer) -> int:
    """The last phase whose results one may see."""
    return max(sight.game.phase_number - 1, 0)


def tell_followers() -> int:
    """Tell those who want it of the last phase that they may see since; of an end, and then no more."""
    wanting = FollowedGame.objects.filter(is_told=True).select_related("game", "person")
    behind = wanting.filter(game__phase_number__gt=F("told_number") + 1)
    over = wanting.filter(game__state__in=ENDED_STATES)
    return sum(_attempt(one) for one in [*over, *behind.exclude(game__state__in=ENDED_STATES)])


def _attempt(kept: FollowedGame) -> int:
    """What fails is that follower’s affair; it is tried again next time."""
    try:
        return _tell(kept)
    except Exception:
        logger.exception("follower %s could not be told; others are", kept.pk)
        return 0


@transaction.atomic
def _tell(kept: FollowedGame) -> int:
    """Whoever changes the row tells; another who looks at the same moment does not."""
    sight, game = GameViewer(kept.game, kept.person), kept.game
    number, is_over = _resolved(sight), game.state in ENDED_STATES
    if not (is_over or number > kept.told_number):
        return 0
    mine = FollowedGame.objects.filter(pk=kept.pk, told_number=kept.told_number, is_told=True)
    if not mine.update(told_number=number, is_told=not is_over) or not sight.may_open:
        return 0
    if sight.role and not sight.is_delayed:  # told already, with a role
        return 0
    shown = sight.game.revisions.filter(phase_number=number, is_current=True).first()
    kind = "ended" if is_over else "published"
    facts = {"phase": shown.phase, "number": number} if shown and not is_over else {}
    once = f"followed:{kind}:{number}:{timezone.now():%F}"
    recipients.notify_about_game(sight.game, [kept.person_id], kind, once, **facts)
    return 1

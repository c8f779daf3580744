"""Who comes to a table and who leaves it, until the game begins and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import (
    game_bots,
    game_entry,
    game_log,
    given_seats,
    house_rules,
    open_seats,
    phase_deadlines,
    power_assignments,
    recipients,
)
from talleyrand.web.games.deadlines.deadline_rules import ManualRule
from talleyrand.web.games.game_settings import Anonymity, MissingOrdersRule, PressSetting, SpectatorRule
from talleyrand.web.games.models import (
    ENDED_STATES,
    RUNNING_STATES,
    Game,
    GameMembership,
    GameRole,
    GameState,
    Invitation,
)
from talleyrand.web.games.player_records import reliability
from talleyrand.web.games.viewer_permissions import is_listed_for
from talleyrand.web.notifications import topic_versions

from . import blocked_players, newcomer_limits, saved_searches
from .lobby_refusals import LobbyRefusal

MOST_PREFERENCES = 40
MOST_RULES_A_DAY = 5  # others are told of each


def lock_game(game: Game) -> Game:
    """The game as it is now, nobody else changing it until the transaction ends."""
    return Game.objects.select_for_update(no_key=True).get(pk=game.pk)


def members_with_role(game: Game, role: str) -> list[GameMembership]:
    """Those who have this role now, in the order in which they joined."""
    found = game.memberships.filter(role=role, left_at=None).select_related("person__profile")
    return list(found.order_by("joined_at", "pk"))


def valid_preferences(game: Game, wishes: Sequence[str]) -> list[str]:
    """Powers of the game, each once, the most wished first."""
    aside = power_assignments.seats_for_no_player(game)
    known = [power for power in game.seats.values_list("power", flat=True) if power not in aside]
    return [power for power in dict.fromkeys(wishes[:MOST_PREFERENCES]) if power in known]


@write_transaction
def join_game(
    game: Game,
    person: Person,
    *,
    role: str = GameRole.PLAYER,
    invitation: Invitation | None = None,
    wishes: Sequence[str] = (),
    power: str = "",
    accepts: str | None = None,
) -> GameMembership:
    """Come to the table; `power` is the free seat one takes in a game that has begun. `accepts`: the digest
    of the house rules that one has read, None of who has read them in a mail. Raises LobbyRefusal.
    """
    fresh = lock_game(game)
    _check_open(fresh)
    if accepts is not None and accepts != house_rules.rules_digest(fresh):
        raise LobbyRefusal("house_rules")
    here = GameMembership.objects.filter(game=fresh, person=person, left_at=None).first()
    role, wanted = _invited(fresh, person, role, invitation)
    game_entry.lock_person(person)
    if why := why_not_for(fresh, person, role):
        raise LobbyRefusal(why)
    if here is not None and not _takes_a_seat(here, role):
        raise LobbyRefusal("already")
    if here is not None:
        GameMembership.objects.filter(pk=here.pk).update(left_at=timezone.now())
    came = GameMembership.objects.create(
        game=fresh, person=person, role=role, preferences=valid_preferences(fresh, wishes)
    )
    if role == GameRole.PLAYER:
        _seat(fresh, person, wanted, power)
    _tell_joined(fresh, came)
    return came


def _check_open(game: Game) -> None:
    if game.state in ENDED_STATES:
        raise LobbyRefusal("over")


def why_not_for(game: Game, person: Person, role: str) -> str:
    """Why a game does not take somebody, by what is known of them; "" if nothing. Anybody may look on.

    One may ask for players who turn up more often; whoever has no figure yet may come.
    """
    if role == GameRole.OBSERVER:
        return ""
    if why := game_entry.why_kept_out(game, person, role):
        return why
    least = game.settings.least_reliability if role == GameRole.PLAYER else 0
    known = reliability.reliability_of(person) if least else None
    if known is not None and known < least:
        return "unreliable"
    return blocked_players.why_kept_apart(game, person)


def _takes_a_seat(here: GameMembership, role: str) -> bool:
    """An observer may become a player."""
    return here.role == GameRole.OBSERVER and role == GameRole.PLAYER


def _invited(game: Game, person: Person, role: str, invitation: Invitation | None) -> tuple[str, str]:
    """The role and the power that one comes for; an invitation to one person alone is used up."""
    if invitation is None:
        watching = role == GameRole.OBSERVER and game.settings.watching == SpectatorRule.EVERYBODY
        if not is_listed_for(game, person) or not (role == GameRole.PLAYER or watching):
            raise LobbyRefusal("closed")
        found = role == GameRole.PLAYER and game.is_listed
        if found and (limit := newcomer_limits.why_no_more_games(person)):
            raise LobbyRefusal(limit)
        return role, ""
    kept = Invitation.objects.filter(pk=invitation.pk, game=game, revoked_at=None).first()
    if kept is None:
        raise LobbyRefusal("revoked")
    if not may_give_role_by_link(game, kept.role):
        raise LobbyRefusal("unled")
    if kept.is_single_use:
        Invitation.objects.filter(pk=kept.pk).update(revoked_at=timezone.now())
    return kept.role, kept.power


def may_give_role_by_link(game: Game, role: str) -> bool:
    """Whether a role may be given by a link now.

    Nobody comes to the desk of a game that is played without game master: its maker plays too, and was
    promised nothing more than the others. But for one that cannot go on without.
    """
    led = (
        game.state == GameState.GATHERING
        or bool(members_with_role(game, GameRole.GAME_MASTER))
        or needs_game_master(game)
    )
    return led or role not in (GameRole.GAME_MASTER, GameRole.ASSISTANT)


def needs_game_master(game: Game) -> bool:
    """Whether the terms leave something to a game master."""
    by_hand = isinstance(phase_deadlines.deadline_settings_of(game).movement, ManualRule)
    return (
        game.settings.press == PressSetting.HELD or game.settings.absent == MissingOrdersRule.WAIT or by_hand
    )


def _seat(game: Game, person: Person, invited: str, asked: str) -> None:
    if game.state == GameState.GATHERING:
        _count_seats(game)
        if invited:
            _give_free(game, person, invited)
        return
    power = invited or asked
    free, mine = open_seats.joinable_powers(game), open_seats.joinable_powers_for(game, person)
    if not free:
        raise LobbyRefusal("begun")
    if not power and len(mine) > 1:
        raise LobbyRefusal("seat")
    chosen = power or (mine or free)[0]
    if chosen not in (*free, invited):
        raise LobbyRefusal(_why_not_free(game, chosen))
    _give_free(game, person, chosen)
    given_seats.follow_players(game, chosen)
    _tell_taken(game, person, chosen)


def _why_not_free(game: Game, power: str) -> str:
    """Why nobody who comes may ask for a power."""
    if power in power_assignments.bots_by_power(game):
        return "bot"
    holders = power_assignments.players_by_power(game)
    if power not in holders:
        return "seat"
    return "taken" if holders[power] else "not_free"


def _tell_taken(game: Game, person: Person, power: str) -> None:
    others = [pk for pk in recipients.member_ids(game) if pk != person.pk]
    game_log.add_log_entry(game, "taken", role=GameRole.PLAYER, by=person, power=power)
    recipients.notify_about_game(game, [person.pk], "given", _once("given", power), power=power)
    recipients.notify_about_game(game, others, "replaced", _once("replaced", power), power=power)


def _count_seats(game: Game) -> None:
    """The one who has just sat down is counted already."""
    if len(members_with_role(game, GameRole.PLAYER)) > power_assignments.player_seat_count(game):
        raise LobbyRefusal("full")


def _give_free(game: Game, person: Person, power: str) -> None:
    holders = power_assignments.players_by_power(game)
    if power not in holders:
        raise LobbyRefusal("seat")
    if holders[power] is not None:
        raise LobbyRefusal("taken")
    try:
        power_assignments.assign_power(game, power, person)
    except power_assignments.AssignmentRefusal as barred:
        raise LobbyRefusal(barred.code) from None


def _tell_joined(game: Game, came: GameMembership) -> None:
    """Whoever gathers the players learns that somebody has come, and who where that is no secret from him."""
    masters = recipients.game_master_ids(game)
    hosts = masters or [pk for pk in recipients.member_ids(game) if pk == game.creator_id]
    is_known = masters or game.settings.anonymity == Anonymity.OPEN
    facts = {"newcomer": came.person.shown_name, "person": came.person_id} if is_known else {}
    game_log.add_log_entry(game, "joined", role=came.role, by=came.person, shown=False)
    told = [pk for pk in hosts if pk != came.person_id]
    recipients.notify_about_game(game, told, "joined", f"joined:{came.pk}", **facts)
    if game.state == GameState.GATHERING and came.role == GameRole.PLAYER:
        saved_searches.tell_who_looks_for(game)
    bump_game_topic(game)


def bump_game_topic(game: Game) -> None:
    """The table looks another way to everybody."""
    topic_versions.bump(topic_versions.game_topic(game.key))


def _once(kind: str, power: str) -> str:
    return f"{kind}:{power}:{timezone.now().isoformat()}"


@write_transaction
def set_preferences(game: Game, person: Person, wishes: Sequence[str]) -> None:
    """Other wishes than before; raises LobbyRefusal once the game has begun."""
    fresh = lock_game(game)
    if fresh.state != GameState.GATHERING:
        raise LobbyRefusal("started")
    mine = GameMembership.objects.filter(game=fresh, person=person, role=GameRole.PLAYER, left_at=None)
    if not mine.update(preferences=valid_preferences(fresh, wishes)):
        raise LobbyRefusal("stranger")


@write_transaction
def change_house_rules(game: Game, person: Person, french: str, english: str) -> None:
    """Other house rules, by who gathers the players or leads the game; the others are told.

    Raises LobbyRefusal: over, long_rules, same_rules, rules_often.
    """
    fresh = lock_game(game)
    _check_open(fresh)
    told = [house_rules.clean_rules(text) for text in (french, english)]
    if max(map(len, told)) > house_rules.LONGEST_RULES or "\x00" in "".join(told):
        raise LobbyRefusal("long_rules")
    terms = replace(fresh.settings, house_rules_fr=told[0], house_rules_en=told[1])
    if terms == fresh.settings:
        raise LobbyRefusal("same_rules")
    today = timezone.now() - timedelta(days=1)
    if fresh.log.filter(kind="house_rules", created_at__gt=today).count() >= MOST_RULES_A_DAY:
        raise LobbyRefusal("rules_often")
    fresh.settings_json = terms.as_json()
    fresh.save(update_fields=["settings_json"])
    role = GameRole.GAME_MASTER if person.pk in recipients.game_master_ids(fresh) else ""
    game_log.add_log_entry(fresh, "house_rules", role=role, by=person)
    others = [pk for pk in recipients.member_ids(fresh) if pk != person.pk]
    recipients.notify_about_game(fresh, others, "house_rules", _once("house_rules", ""))
    bump_game_topic(fresh)


@write_transaction
def remove_member(game: Game, membership: int, by: Person) -> None:
    """Somebody is sent away before the game begins; raises LobbyRefusal."""
    fresh = lock_game(game)
    if fresh.state != GameState.GATHERING:
        raise LobbyRefusal("started")
    gone = GameMembership.objects.filter(game=fresh, pk=membership, left_at=None).exclude(person=by).first()
    if gone is None:
        raise LobbyRefusal("stranger")
    _gone(fresh, gone)
    game_log.add_log_entry(fresh, "removed", by=by, shown=False)
    bump_game_topic(fresh)


@write_transaction
def leave_game(game: Game, person: Person) -> None:
    """Leave the table: in a game that runs, one’s powers are free from now on. Raises LobbyRefusal."""
    fresh = lock_game(game)
    _check_open(fresh)
    here = GameMembership.objects.filter(game=fresh, person=person, left_at=None).first()
    if here is None:
        raise LobbyRefusal("stranger")
    if (
        here.role == GameRole.GAME_MASTER
        and len(members_with_role(fresh, GameRole.GAME_MASTER)) == 1
        and _needs_master(fresh)
    ):
        raise LobbyRefusal("last_master")
    freed = _gone(fresh, here)
    if fresh.state == GameState.GATHERING:
        game_log.add_log_entry(fresh, "left", role=here.role, by=person, shown=False)
        _hand_over(fresh)
    else:
        shown, named = bool(freed), list(freed)
        game_log.add_log_entry(fresh, "left", role=here.role, by=person, shown=shown, powers=named)
        _leave_seats(fresh, freed)
    bump_game_topic(fresh)


def _needs_master(game: Game) -> bool:
    others = game.memberships.filter(left_at=None).exclude(role=GameRole.GAME_MASTER)
    return game.state != GameState.GATHERING or others.exists()


def _gone(game: Game, here: GameMembership) -> tuple[str, ...]:
    GameMembership.objects.filter(pk=here.pk).update(left_at=timezone.now())
    phase_deadlines.wake_clock_without_game_master(game, timezone.now())
    return open_seats.end_assignments_of(game, here.person)


def _leave_seats(game: Game, freed: Sequence[str]) -> None:
    """A bot plays on where the terms say so; else the players learn that a power is in disorder, the game
    master that somebody is wanted for it.
    """
    played = game_bots.play_for_leavers(game, freed)
    masters = recipients.game_master_ids(game)
    others = [pk for pk in recipients.member_ids(game) if pk not in masters]
    for power in freed:
        if power not in played:
            recipients.notify_about_game(game, others, "disorder", _once("disorder", power), power=power)
            recipients.notify_about_game(game, masters, "vacant", _once("vacant", power), power=power)
    if set(freed) - set(played):
        saved_searches.tell_who_looks_for(game)
    elif game.offers_bot_seats:
        saved_searches.tell_who_looks_for(game, bot_seat=True)


def _hand_over(game: Game) -> None:
    """Whoever has been there longest gathers the others after the one who made the game; nobody: it ends."""
    left = list(game.memberships.filter(left_at=None).order_by("joined_at", "pk"))
    if not left:
        Game.objects.filter(pk=game.pk).update(state=GameState.ABANDONED, ended_at=timezone.now())
    elif all(one.person_id != game.creator_id for one in left):
        Game.objects.filter(pk=game.pk).update(creator=left[0].person)


@write_transaction
def resign_power(game: Game, person: Person, power: str) -> None:
    """Forfeit a power: it is in civil disorder until somebody takes it. Raises LobbyRefusal."""
    fresh = lock_game(game)
    if fresh.state not in RUNNING_STATES:
        raise LobbyRefusal("over" if fresh.state in ENDED_STATES else "not_begun")
    if power_assignments.players_by_power(fresh).get(power) != person.pk:
        raise LobbyRefusal("not_yours")
    power_assignments.end_assignment(fresh, power)
    given_seats.follow_players(fresh, power)
    game_log.add_log_entry(fresh, "forfeited", role=GameRole.PLAYER, by=person, power=power)
    _leave_seats(fresh, [power])
    if not power_assignments.powers_played_by(fresh, person):
        open_seats.look_on(fresh, person.pk)
    bump_game_topic(fresh)

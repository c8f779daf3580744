"""Every kind of page that accounts and games on line have, with those for whom it is; and what is no page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import BrowserContext

from tests.e2e import tables
from tests.e2e.pages import Arguments, address

SEED = "import django; django.setup(); from tests.e2e import scene; scene.main()"
# Mail has a server and a domain, so that its pages are there; nothing is sent. Who signs up has a link.
VARIABLES = {
    "TALLEYRAND_SMTP": "smtp://127.0.0.1:9?tls=none",
    "TALLEYRAND_MAIL_FROM": "Talleyrand <site@exemple.org>",
    "TALLEYRAND_MAIL_DOMAIN": "jeu.exemple.org",
    "TALLEYRAND_SIGNUP": "invitation",
    "TALLEYRAND_HOUSE_RULES_FR": "Ni insultes ni menaces.",
    "TALLEYRAND_HOUSE_RULES_EN": "No insults, no threats.",
}
SAMPLE = 2  # visits under a name


class Visit(NamedTuple):
    """Somebody (“”: nobody who is known) opens a page."""

    arguments: Arguments = ()
    who: str = ""
    query: str = ""
    status: int = 200
    moves: bool = False  # to another address of the same name


@dataclass(frozen=True)
class Online:
    """A running site, and what `scene` told of it."""

    site: str
    told: Mapping[str, Any]

    @property
    def keys(self) -> Mapping[str, str]:
        return self.told["keys"]  # type: ignore[no-any-return]

    def address(self, name: str, visit: Visit, language: str) -> str:
        return self.site + address(name, visit.arguments, language) + visit.query

    def sign_in(self, context: BrowserContext, who: str) -> None:
        """Let a browser be somebody’s, and nobody else’s any more."""
        context.clear_cookies(name="sessionid")
        if who:
            ticket = self.told["tickets"][who]
            context.add_cookies([{"name": "sessionid", "value": ticket, "url": self.site}])


@contextmanager
def online(folder: Path) -> Iterator[Online]:
    with tables.seeded(folder, SEED, **VARIABLES) as (site, told):
        yield Online(site, told)


def pages(scene: Online, full: bool = True) -> dict[str, list[Visit]]:
    """What to visit under each name that leads to a page, the most telling first; only some unless `full`."""
    listed = (
        _account(scene),
        _own(scene),
        _tables(scene),
        _boards(scene),
        _desk(scene),
        _letters(scene),
        _post(scene),
    )
    return {name: visits if full else visits[:SAMPLE] for part in listed for name, visits in part.items()}


def _account(scene: Online) -> dict[str, list[Visit]]:
    """Coming in and staying in."""
    told = scene.told
    return {
        "account_login": [Visit()],
        "account_logout": [Visit(who="Flora")],
        "account_signup": [Visit()],
        "account_inactive": [Visit()],
        "account_reauthenticate": [Visit(who="Flora")],
        "account_change_password": [Visit(who="known")],
        "account_set_password": [Visit(who="Noël")],
        "account_reset_password": [Visit()],
        "account_reset_password_done": [Visit()],
        "account_reset_password_from_key": [Visit(told["reset"], moves=True), Visit(("1", "none"))],
        "account_reset_password_from_key_done": [Visit()],
        "account_request_login_code": [Visit()],
        "account_confirm_login_code": [Visit(who="coded")],
        "account_email": [Visit(who="known")],
        "account_email_verification_sent": [Visit()],
        "mfa_index": [Visit(who="keyed"), Visit(who="Flora"), Visit(who="Adèle")],
        "mfa_add_webauthn": [Visit(who="keyed")],
        "mfa_remove_webauthn": [Visit((told["passkey"],), "keyed")],
        "mfa_view_recovery_codes": [Visit(who="keyed")],
        "mfa_generate_recovery_codes": [Visit(who="keyed")],
        "mfa_authenticate": [Visit(who="stepping")],
        "mfa_reauthenticate": [Visit(who="keyed")],
        "mfa_reauthenticate_webauthn": [Visit(who="keyed")],
        "account_confirm_email": [Visit((told["confirmation"],)), Visit(("none",))],
        "accounts:link": [
            Visit((told["links"]["account"],)),
            Visit((told["links"]["password"],)),
            Visit((told["links"]["account"],), "Sylvain"),
            Visit(("none",), status=404),
        ],
        "accounts:privacy": [Visit()],
        "accounts:house_rules": [Visit()],
    }


def _own(scene: Online) -> dict[str, list[Visit]]:
    """What belongs to a person, or to the administrator."""
    return {
        "accounts:preferences": [Visit(who="Flora"), Visit(who="Noël")],
        "accounts:delete": [Visit(who="Flora"), Visit(who="Adèle")],
        "accounts:links": [Visit(who="Adèle")],
        "accounts:close": [Visit(who="Adèle")],
        "api:tokens": [Visit(who="Flora")],
        "api:reference": [Visit()],
        "watching:page": [Visit(who="Adèle")],
        "administration:settings": [Visit(who="Adèle")],
        "administration:updates": [Visit(who="Adèle")],
        "notices:all": [Visit(who="Flora"), Visit(who="Maëlle"), Visit(who="Adèle")],
        "notices:choices": [Visit(who="Flora"), Visit(who="Adèle")],
        "push:devices": [Visit(who="Flora")],
        "games:calendar": [Visit(who="Flora")],
        "webhooks:all": [Visit(who="Flora"), Visit(who="Gaspard")],
        "onlookers:followed": [Visit(who="Sylvain")],
        "webhooks:one": [Visit((scene.told["hook"],), "Flora")],
    }


def _tables(scene: Online) -> dict[str, list[Visit]]:
    """Lists, doors, and the sheet of what was agreed."""
    keys, invitations = scene.keys, scene.told["invitations"]
    return {
        "games:all": [
            Visit(who="Flora"),
            Visit(query="?show=ended&variant=classic"),
            Visit(),
            Visit(who="Maëlle", query="?show=watch"),
        ],
        "games:new": [Visit(who="Sylvain")],
        "games:dates": [Visit(), Visit(query="?dates-pace=nothing")],
        "games:join": [
            Visit((invitations["player"],)),
            Visit((invitations["assistant"],), status=410),
            Visit((invitations["observer"],), "Sylvain"),
        ],
        "games:enter": [Visit((keys["gathering"],), "Sylvain"), Visit((keys["running"],), "Sylvain")],
        "games:table": [
            Visit((keys["gathering"],), "Maëlle"),
            Visit((keys["running"],), "Flora"),
            Visit((keys["gathering"],), "Flora"),
            Visit((keys["gathering"],)),
            Visit((keys["running"],), "Maëlle"),
            Visit((keys["resting"],), "Flora"),
            Visit((keys["ended"],)),
        ],
        "games:table_desk": [Visit((keys["running"],), who) for who in ("Flora", "Adèle")],
        "games:table_log": [Visit((keys["running"],), "Flora"), Visit((keys["running"],), "Maëlle")],
    }


def _boards(scene: Online) -> dict[str, list[Visit]]:
    """The board of a game, what was played on it, and its end."""
    keys = scene.keys
    running, ended = keys["running"], keys["ended"]
    return {
        "games:game": [
            Visit((running,), "Flora"),
            Visit((running,), "Maëlle"),
            Visit((running,)),
            Visit((running,), "Armand"),
            Visit((keys["gathering"],), "Flora"),
            Visit((keys["resting"],), "Flora"),
            Visit((ended,)),
        ],
        "games:phase": [Visit((running, 1), "Flora"), Visit((ended, 1))],
        "games:why": [Visit((ended, 1, "PAR")), Visit((ended, 1, "MUN"), "Flora")],
        "games:revision": [Visit((running, 1, 1), "Flora"), Visit((running, 1, 2))],
        "games:receipt": [Visit((running, 2, "FRANCE", scene.told["receipt"]), "Flora")],
        "games:curves": [Visit((running,), "Flora"), Visit((ended,))],
        "games:report": [Visit((running, 1)), Visit((ended, 1), "Flora")],
        "onlookers:comments": [Visit((running,), "Sylvain"), Visit((ended,))],
        "games:end": [Visit((running,), "Flora"), Visit((ended,)), Visit((keys["resting"],), "Flora")]
        + [Visit((running,), who) for who in ("", "Edmond", "Maëlle")],
    }


def _desk(scene: Online) -> dict[str, list[Visit]]:
    """The game master’s pages."""
    key = scene.keys["running"]
    alone = ("rule", "preview", "adjudicate", "back", "correct", "position", "people")
    return {
        "games:desk": [Visit((key,), "Maëlle"), Visit((key,), "Armand")]
        + [Visit((scene.keys[name],), "Maëlle") for name in ("gathering", "ended")],
        **{f"games:desk_{name}": [Visit((key,), "Maëlle")] for name in alone},
        "games:desk_orders": [Visit((key, "FRANCE"), "Maëlle"), Visit((key, "GERMANY"), "Maëlle")],
        "games:desk_seat": [Visit((key, power), "Maëlle") for power in ("TURKEY", "ITALY", "FRANCE")],
        "games:desk_end": [Visit((key,), "Maëlle"), Visit((scene.keys["ended"],), "Maëlle")],
    }


def _letters(scene: Online) -> dict[str, list[Visit]]:
    """Letters, as those read them who may."""
    key, told = scene.keys["running"], scene.told
    return {
        "press:rooms": [Visit((key,), who) for who in ("Flora", "", "Maëlle")]
        + [Visit((key,), "Flora", "?q=Bourgogne")],
        "press:room": [
            Visit((key, told["room"]), "Flora"),
            Visit((key, told["open_room"])),
            Visit((key, told["room"]), "Maëlle"),
            Visit((key, told["master_room"]), "Flora"),
        ],
        "press:new": [Visit((key,), "Flora"), Visit((key,), "Flora", "?to=RUSSIA")],
        "press:held": [Visit((key,), "Maëlle")],
        "press:print": [Visit((key, told["room"]), "Flora"), Visit((key, told["open_room"]))],
    }


def _post(scene: Online) -> dict[str, list[Visit]]:
    """Play by post: one’s own addresses, invitations, and how the post fares."""
    key, gathering = scene.keys["running"], scene.keys["gathering"]
    return {
        "mail:post": [Visit((key,), who) for who in ("Flora", "Maëlle", "Gaspard", "Armand")]
        + [Visit((scene.keys["ended"],), "Flora")],
        "mail:renew": [Visit((key, scene.told["mailbox"]), "Flora")],
        "mail:invite": [Visit((gathering,), "Adèle"), Visit((gathering,), "Maëlle")],
        "mail:late": [Visit((key,), "Maëlle")],
        "mail:office": [Visit(who="Adèle")],
    }


def others(scene: Online) -> dict[str, Visit]:
    """What is fetched by a script, kept as a file, or only sent to: nobody reads it as a page."""
    return {**_acts(scene), **_files(scene)}


def _acts(scene: Online) -> dict[str, Visit]:
    """What is only sent to."""
    key, letter = scene.keys["running"], scene.told["letter"]
    leaving = ("wishes", "leave", "give_up", "remove", "begin", "invite", "withdraw_invitation")
    resting = ("house_rules", "announce", "withdraw_absence", "ask_pause", "go_on", "abandon")
    desk = ("extend", "pause", "resume", "remind", "gazette", "retry", "restore", "reveal")
    return {
        "accounts:approval": Visit(who="Adèle"),
        "accounts:administrators": Visit(who="Adèle"),
        "accounts:revoke": Visit((1,), "Adèle"),
        "api:revoke": Visit((1,), "Flora"),
        "mfa_login_webauthn": Visit(),
        "calls:call": Visit(("me",), status=401),  # for programs: a session opens nothing
        "notices:read": Visit(who="Flora"),
        **{f"push:{name}": Visit(who="Flora") for name in ("add", "trial", "remove")},
        **{f"games:table_{name}": Visit((key,), "Flora") for name in (*leaving, *resting)},
        **{f"games:desk_{name}": Visit((key,), "Maëlle") for name in desk},
        "games:desk_gazette_remove": Visit((key, 1), "Maëlle"),
        **{f"games:{name}_end": Visit((key,), "Flora") for name in ("propose", "answer", "withdraw")},
        "games:calendar_renew": Visit(who="Flora"),
        **{f"games:{name}": Visit((key, 2, "FRANCE"), "Flora") for name in ("draft", "orders", "restore")},
        "games:copy": Visit((key, 1), "Flora"),
        "press:pass_all": Visit((key,), "Maëlle"),
        "press:open_letters": Visit((scene.keys["ended"],), "Flora"),
        "onlookers:follow": Visit((key,), "Sylvain"),
        "onlookers:delete_comment": Visit((key,), "Sylvain"),
        **{f"press:{name}": Visit((key, letter), "Maëlle") for name in ("pass_on", "give_back")},
        **{f"mail:{name}": Visit((key,), "Flora") for name in ("begin", "end", "welcome", "resume")},
        "mail:withdraw": Visit((scene.keys["gathering"],), "Adèle"),
        "mail:let_in": Visit((key,), "Maëlle"),
        "mail:again": Visit(who="Adèle"),
        **{
            f"webhooks:{name}": Visit((scene.told["hook"],), "Flora")
            for name in ("pause", "resume", "trial", "renew", "delete")
        },
    }


def _files(scene: Online) -> dict[str, Visit]:
    """What is kept as a file, or read by a script."""
    key, token = scene.keys["running"], scene.told["calendar"]
    return {
        "accounts:export": Visit(who="Flora"),
        "notices:stream": Visit(who="Flora", status=404),  # nothing without the words of a page
        "notices:versions": Visit(who="Flora", query=f"?topics={scene.told['topics']}"),
        "games:feed": Visit((token,)),
        "games:feed_of_game": Visit((token, key)),
        "games:now": Visit((key,), "Flora"),
        "games:scene": Visit((key, 1)),
        "games:why_steps": Visit((scene.keys["ended"], 1, "PAR")),
        "games:picture": Visit((key, 1, "svg")),
        "home:game_map": Visit((key,)),
        "games:record": Visit((key, "txt")),
        "games:report_pdf": Visit((key, 1)),
        "games:map_sheet": Visit((key, 1, "a4")),
        "games:order_sheets": Visit((key, 1), "Flora"),
        "mail:cards": Visit((key,), "Flora"),
        "press:unread": Visit((key,), "Flora"),
        "signs:health": Visit(),
        "signs:line": Visit(),
        "signs:metrics": Visit(who="Adèle"),
        "push_signs:worker": Visit(),
        "push_signs:manifest": Visit(),
        "press:export": Visit((key,), "Flora"),
        "press:export_room": Visit((key, scene.told["room"]), "Flora"),
    }


class Refusal(NamedTuple):
    """A form sent with what cannot be taken, so that a page comes back with it and with the reason."""

    name: str
    visit: Visit
    form: str  # a selector
    typed: Mapping[str, str]
    told: str  # another selector: where the reason stands


def refusals(scene: Online) -> list[Refusal]:
    return [*_refused_people(scene), *_refused_at_the_desk(scene), *_refused_players(scene)]


def _refused_people(scene: Online) -> list[Refusal]:
    link, wrong = scene.told["links"]["account"], "ul.errorlist"
    nobody = {"login": "Personne", "password": "x"}
    lost = {"kind": "password", "whom": "Personne"}
    return [
        Refusal("account_login", Visit(), "main form", nobody, wrong),
        Refusal("accounts:link", Visit((link,)), "main form", {"username": "?", "password1": "a"}, wrong),
        Refusal("account_change_password", Visit(who="known"), "main form", {"oldpassword": "x"}, wrong),
        Refusal("accounts:delete", Visit(who="Flora"), "main form", {"password": "x"}, wrong),
        Refusal(
            "mail:invite",
            Visit((scene.keys["gathering"],), "Adèle"),
            "form:has(#to)",
            {"addresses": "rien"},
            "#wrong",
        ),
        Refusal("accounts:links", Visit(who="Adèle"), "form:has(#whose)", lost, "#whose-error"),
        Refusal("webhooks:all", Visit(who="Flora"), "form:has(#note)", {"address": "x"}, "#address-error"),
    ]


def _refused_at_the_desk(scene: Online) -> list[Refusal]:
    key = scene.keys["running"]
    visit, orders = Visit((key,), "Maëlle"), Visit((key, "FRANCE"), "Maëlle")
    return [
        Refusal("games:desk", visit, "form[action$='/gazette/']", {"text": " "}, "ul.messages"),
        Refusal("games:desk_position", visit, "form.desk-correct", {"text": "A Xyz"}, "[role=alert]"),
        Refusal("games:desk_correct", visit, "form.desk-correct", {"action": "show"}, "#changes"),
        Refusal("games:desk_orders", orders, "form:has(#sheet)", {"number": "7"}, "[role=alert]"),
        Refusal("games:desk_rule", visit, "form:has([name^=dates])", {"dates-grace": "?"}, ".wrong"),
        Refusal("press:held", visit, "form:has([name=reason])", {"reason": ""}, ".wrong"),
    ]


def _refused_players(scene: Online) -> list[Refusal]:
    key = scene.keys["running"]
    visit, dates = Visit((key,), "Flora"), {"since": "2020-01-02", "until": "2020-01-01"}
    room = Visit((key, scene.told["room"]), "Flora")
    return [
        Refusal(
            "games:new", Visit(who="Sylvain"), "form.agreement", {"name": "", "dates-hour": "?"}, ".wrong"
        ),
        Refusal("games:table", visit, "form:has(#since)", dates, "[role=alert]"),
        Refusal("press:room", room, "#write form", {"text": " "}, ".wrong"),
        Refusal("press:new", visit, ".letters-page form", {}, ".wrong"),
        Refusal(
            "games:game",
            visit,
            "form:has(#sheet)",
            {"sheet": "A" * 60000, "action": "hand_in"},
            "[role=alert]",
        ),
    ]

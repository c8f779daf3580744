"""The pages of games round a table: phones, the room’s screen, referees, teachers and one device."""

from __future__ import annotations

from typing import Any

from talleyrand.web.games.models import Game
from tests.e2e.online import Online, Visit
from tests.web.games import playing
from tests.web.tables import phones, test_classes, test_one_device
from tests.web.tables.phones import Device

ALONE = ("referee", "referee_correct", "referee_position", "codes", "consents", "received")


def told() -> dict[str, Any]:
    """A table that plays its second phase, one that gathers, a class and a device; and their browsers."""
    table, laptop, held = phones.started()
    playing.played(Game.objects.get(pk=table.game.pk))
    gathering, opener = phones.open_table(submission="another table, opened")
    phones.phone_of(gathering, "Anna")
    lesson, teacher = test_classes.open_class()
    pupil, _seat = test_classes.tapped(lesson, "Gavroche")
    one, device = test_one_device.opened()
    seat = gathering.players.get(number=5)
    clients = {
        "referee": laptop,
        "phone": held["FRANCE"],
        "opener": opener,
        "teacher": teacher,
        "pupil": pupil,
        "device": device,
    }
    return {
        "key": table.game.key,
        "seat": phones.player_named(table, "Anna").number,
        "screen_code": table.screen_code,
        "gathering": gathering.game.key,
        "code": gathering.code,
        "open_seat": [seat.number, seat.seat_token],
        "class": lesson.key,
        "class_code": lesson.code,
        "teacher_token": lesson.teacher_token,
        "lesson": _seat.table.game.key,
        "one_device": one.game.key,
        "tickets": {name: Device.of(client).cookies["sessionid"] for name, client in clients.items()},
    }


def pages(scene: Online) -> dict[str, list[Visit]]:
    """What to visit under each name of the tables, the most telling first."""
    at = scene.told["round_tables"]
    key, gathering, number = at["key"], at["gathering"], at["open_seat"][0]
    lesson, whom = (at["class"],), "teacher"
    return {
        "tables:new": [Visit()],
        "tables:restore": [Visit()],
        "tables:new_one_device": [Visit()],
        "tables:door_code": [Visit(), Visit(query="?code=XXXX", status=404)],
        "tables:door": [Visit((at["code"],)), Visit(("XXXX",), status=404)],
        "tables:seat": [Visit((gathering, *at["open_seat"]))],
        "tables:move": [Visit((key, at["seat"]))],
        "tables:play_from_afar": [Visit((gathering, *at["open_seat"])), _afar(at)],
        "tables:table": [
            Visit((key,), "phone"),
            Visit((gathering,), "opener"),
            Visit((at["lesson"],), "pupil"),
            Visit((key,), "referee"),
        ],
        "tables:keep": [Visit((key,), "phone")],
        "tables:hand": [Visit((at["one_device"],), "device")],
        "tables:cards": [Visit((gathering,), "opener")],
        "tables:screen": [Visit((key,), "referee"), Visit((gathering,), "opener")],
        "tables:screen_why": [Visit((key, 1, "PAR"), "referee")],
        **{f"tables:{name}": [Visit((key,), "referee")] for name in ALONE},
        "tables:received_phase": [Visit((key, 1), "referee")],
        "tables:referee_seat": [Visit((key, at["seat"]), "referee"), Visit((gathering, number), "opener")],
        "tables:referee_vote": [Visit((gathering, number), "opener")],
        "tables:paper_orders": [Visit((key, "FRANCE"), "referee")],
        "tables:new_class": [Visit()],
        "tables:class_lesson_plan": [Visit()],
        "tables:class_door_code": [Visit()],
        "tables:class_door": [Visit((at["class_code"],)), Visit((at["class_code"],), "pupil")],
        **{f"tables:class{name}": [Visit(lesson, whom)] for name in ("", "_cards", "_erase")},
        "tables:class_teacher": [Visit((*lesson, at["teacher_token"]))],
    }


def _afar(at: dict[str, Any]) -> Visit:
    return Visit((at["gathering"], *at["open_seat"]), "Sylvain")


def others(scene: Online) -> dict[str, Visit]:
    """What is kept as a file, read by a script, only sent to, or leads on."""
    at = scene.told["round_tables"]
    key, lesson = at["key"], (at["class"],)
    return {
        "tables:screen_door": Visit((at["screen_code"],)),
        "tables:screen_clock": Visit((key,), "referee"),
        "tables:screen_why_steps": Visit((key, 1, "PAR"), "referee"),
        "tables:reading": Visit((key, "on"), "referee"),
        "tables:late": Visit((key, 1, "FRANCE"), "phone"),
        **{f"tables:{name}": Visit((key,), "phone") for name in ("start", "seat_act", "clock", "clock_wish")},
        "tables:clock_act": Visit((key,), "referee"),
        "tables:referee_act": Visit((key, "abandon"), "referee"),
        "tables:archive": Visit((key,), "referee"),
        "tables:paper_sheets": Visit((key,), "referee"),
        "tables:class_act": Visit(lesson, "teacher"),
        "tables:class_pupil": Visit(lesson, "teacher"),
    }

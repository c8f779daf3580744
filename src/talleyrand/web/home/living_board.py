"""The game that plays itself on the first page: the last one that ended here, or the demonstration."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from talleyrand import drawing, variants
from talleyrand.rulebooks import FALLBACK
from talleyrand.web.boards import display_names, map_shapes
from talleyrand.web.games import visibility
from talleyrand.web.games.models import ENDED_STATES, Game
from talleyrand.web.library import example_boards

FRESH = timedelta(days=7)  # a game that ended longer ago is no news
FEWEST, MOST = 5, 60  # phases: a shorter game shows little, of a longer one the last are shown
VARIANT = "classic"  # the board on which the page plays: its picture is the same for all games


@dataclass(frozen=True)
class LivingBoard:
    """A game as the first page plays it: from phase `first` to `last`, told by the address of a scene.

    In `scene` the number 0 stands for that of a phase; its map is of the shape of `living_board_svg`.
    """

    title: str
    link: str
    scene: str
    first: int
    last: int


def living_board() -> LivingBoard:
    """The last game on the classic board that ended within a week, else the demonstration."""
    since = timezone.now() - FRESH
    ended = visibility.visible_games(None).filter(
        state__in=ENDED_STATES, variant=VARIANT, phase_number__gt=FEWEST, ended_at__gte=since
    )
    game = ended.order_by("-ended_at").first()
    return _demonstration() if game is None else _of_game(game)


def _of_game(game: Game) -> LivingBoard:
    return LivingBoard(
        title=game.name,
        link=reverse("games:game", args=[game.key]),
        scene=f"{reverse('games:scene', args=[game.key, 0])}?{map_shapes.CHOSEN}={map_shapes.WIDE}",
        first=max(1, game.phase_number - MOST),
        last=game.phase_number,
    )


def _demonstration() -> LivingBoard:
    return LivingBoard(
        title=_("Demonstration game"),
        link=reverse("library:demonstration", args=[FALLBACK, 1]),
        scene=reverse("home:scene", args=[0]),
        first=1,
        last=len(example_boards.demonstration_boards(FALLBACK)),
    )


def demonstration_scene(number: int) -> dict[str, Any]:
    """A phase of the demonstration, as `board_context.scene_context` gives those of games.

    Raises IndexError beyond its end.
    """
    boards = example_boards.demonstration_boards(FALLBACK)
    if not 1 <= number <= len(boards):
        raise IndexError(number)
    board = boards[number - 1]
    return {
        "number": number,
        "title": display_names.phase_name(board.variant, board.question["phase"]),
        "address": reverse("library:demonstration", args=[FALLBACK, number]),
        "news": [],
        "layers": board.phase_map().all_layers(),
    }


def living_board_svg(theme: str, palette: str) -> str:
    """The board before anything has moved, without names, which would be too small to read.

    Raises UnknownName for a look that does not exist.
    """
    variant = variants.load(VARIANT)
    drawn = drawing.draw_board(
        variant,
        variant.definition.start,
        language=display_names.reader_language(),
        labels=False,
        caption=False,
    )
    return drawing.style_picture(drawn, theme, palette)

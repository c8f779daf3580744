"""Secret votes: what is kept back of a published phase until its game is over.

It is taken out of the revision where that is published, and put back where the game ends: no page, mail,
export or program has to know of it in between.
"""

from __future__ import annotations

import hashlib
import json
from typing import NamedTuple

from talleyrand import variants
from talleyrand.engine.politics_protocol import Politics
from talleyrand.web.boards.adjudicator import Answer, Question

from .models import Game, Json, PhaseRevision

OrderLines = dict[str, list[str]]


class PhaseWithoutSecrets(NamedTuple):
    """A phase as it is published, what names it so, and what is kept back of it; None: nothing
    (`PhaseRevision.secret_part`)."""

    answer: Answer
    order_lines: OrderLines
    digest: str
    secret_part: Json | None


def phase_digest(question: Question, sheets: OrderLines, absent: list[str]) -> str:
    """What names a phase as it was judged, or as it is published."""
    told = json.dumps([question, sheets, absent], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


def withhold_secret_votes(
    question: Question, answer: Answer, sheets: OrderLines, absent: list[str], whole_digest: str
) -> PhaseWithoutSecrets:
    """Part a judged phase into what everybody reads at once and what its variant keeps secret.

    Of what was written only orders that were understood and are not secret are published: a line that
    nobody could read may be a ballot. `whole_digest` is the `phase_digest` of all of it.
    """
    setting = variants.load(question["variant"]).definition
    politics = setting.politics
    asked, told = question.get("politics") or {}, answer.get("politics") or {}
    public_at_once = str(question["phase"])[-1] in setting.calendar.optional
    if politics is None or public_at_once or not politics.has_secret_votes(asked):
        return PhaseWithoutSecrets(answer, sheets, whole_digest, None)
    entries: list[Json] = answer["orders"]
    secret = [one for one in entries if _is_secret(politics, one)]
    shown = [one for one in entries if not _is_secret(politics, one)]
    # A line may say more than was understood of it.
    own = {(one["power"], one["line"]): one["order"] for one in shown if one["notes"] or one["error"]}
    whole = {power: [own.get((power, line), line) for line in lines] for power, lines in sheets.items()}
    published = {(one["power"], one["line"]) for one in shown}
    said = {
        power: [own.get((power, line), line) for line in lines if (power, line) in published]
        for power, lines in sheets.items()
    }
    orders = [_published(one, own.get((one["power"], one["line"])), said) for one in shown]
    affairs = dict(politics.without_secrets(asked, told))
    public = {**answer, "orders": orders, "politics": affairs, "notes": []}
    kept = {"orders": secret, "politics": _missing(told, affairs), "notes": answer["notes"]}
    sealed = {**kept, "sheets": whole, "digest": whole_digest}
    return PhaseWithoutSecrets(public, said, phase_digest(question, said, absent), sealed)


def _is_secret(politics: Politics, entry: Json) -> bool:
    return entry["line"] is not None and (not entry["order"] or politics.is_secret(entry["order"]))


def _published(entry: Json, own: str | None, said: OrderLines) -> Json:
    """An entry that tells nothing of the lines around it."""
    if entry["line"] is None:
        return entry
    line = own or entry["line"]
    return {**entry, "line": line, "line_no": said[entry["power"]].index(line) + 1, "notes": []}


def _missing(whole: Json, part_: Json) -> Json:
    """What of nested tables is left out of another that holds a part of them."""
    left = {name: value for name, value in whole.items() if name not in part_}
    nested = ((name, value) for name, value in whole.items() if isinstance(value, dict) and name in part_)
    return left | {name: missing for name, value in nested if (missing := _missing(value, part_[name]))}


def _merged(table: Json, missing: Json) -> Json:
    """Nested tables with what was left out of them."""
    return table | {
        name: _merged(table[name], value) if isinstance(table.get(name), dict) else value
        for name, value in missing.items()
    }


def all_order_lines(revision: PhaseRevision) -> OrderLines:
    """All the lines that counted in a phase, secret ones too: for the judge, to be shown to nobody."""
    sheets: OrderLines = (revision.secret_part or {}).get("sheets", revision.order_lines)
    return sheets


def reveal_secret_votes(game: Game) -> None:
    """Publish what was secret, inside the transaction that ends the game."""
    for revision in PhaseRevision.objects.filter(game=game, secret_part__isnull=False):
        sealed = revision.secret_part or {}
        answer = revision.answer or {}
        revision.answer = {
            **answer,
            "orders": [*answer["orders"], *sealed["orders"]],  # after the others, which corrections count
            "politics": _merged(answer["politics"], sealed["politics"]),
            "notes": sealed["notes"],
        }
        revision.order_lines, revision.digest, revision.secret_part = sealed["sheets"], sealed["digest"], None
        revision.save(update_fields=["answer", "order_lines", "digest", "secret_part"])


def hide_secret_votes(game: Game) -> None:
    """Keep back again what is secret, inside the transaction in which a game that was over goes on."""
    if variants.load(game.variant).definition.politics is None:
        return
    for revision in PhaseRevision.objects.filter(game=game, secret_part__isnull=True):
        if revision.answer is None or revision.situation is None:
            continue
        question = {**revision.situation, "variant": game.variant_of_phase(revision.phase_number)}
        found = withhold_secret_votes(
            question, revision.answer, revision.order_lines, revision.powers_without_orders, revision.digest
        )
        if found.secret_part is not None:
            revision.answer, revision.order_lines, revision.digest, revision.secret_part = found
            revision.save(update_fields=["answer", "order_lines", "digest", "secret_part"])

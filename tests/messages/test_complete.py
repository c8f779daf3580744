"""Nothing can be said in the engine, the reader or the formats that has no sentence in each language."""

import string

import pytest

from talleyrand import messages
from talleyrand.cli.console import CATALOGUE
from talleyrand.engine.outcome import CauseCode, OrderResult
from talleyrand.engine.position import Phase
from talleyrand.messages import tournament_sentences
from talleyrand.messages.catalogue import has_sentence, pattern
from talleyrand.notation.reasons import NOTE_KINDS, REFUSAL_REASONS
from talleyrand.variants import LANGUAGES, load, load_board, playable_names

from .raised import Site, sites, written

FROM = {
    "unit": "units",
    "other": "units",
    "place": "places",
    "places_or": "places",
    "choices": "candidates",
    "of_candidate": "candidates",
    "text": "text",
    "order": "text",
}

TOURNAMENT = (
    "error.event_",
    "error.act_",
    "error.sound_",
    "error.archive_",
    "error.circuit_",
    "error.import_",
    "error.league_",
)


def said(language: str, code: str, where: str) -> str:
    """The sentence of a code, of the command line where games by the thousand are kept, or of a variant."""
    if where.startswith("variants/") and where.count("/") > 1:
        own = load_board(where.split("/")[1]).sentence(language, *code.split(".", 1))
        return own or pattern(language, code)
    if code.startswith(TOURNAMENT):
        return tournament_sentences.TOURNAMENT_SENTENCES.pattern(
            language, code.replace("error.", "refusal.", 1)
        )
    return CATALOGUE.pattern(language, code) if code.startswith("simulate.") else pattern(language, code)


def blanks(sentence: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(sentence) if field}


@pytest.mark.long
def test_the_walk_finds_what_is_made() -> None:
    found = {site.code for site in sites()}
    assert {"unreachable", "unknown_rulebook", "two_units", "multiple_orders", "coast_missing"} <= found


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_made_has_a_sentence(language: str) -> None:
    for site in sites():
        check_sentence(site, language)


def check_sentence(site: Site, language: str) -> None:
    code = f"{site.family}.{site.code}"
    sentence = said(language, code, site.where)
    assert sentence, f"{site.where}: {code} has no sentence in {language}"
    wanted = set() if "**" in site.facts else blanks(sentence)
    if site.family in ("error", "simulate"):
        assert wanted <= site.facts, f"{site.where}: {code} lacks {wanted - site.facts}"
    elif site.family == "refusal":
        assert {FROM[blank] for blank in wanted} <= site.facts, f"{site.where}: {code}"


def test_what_is_handed_on_has_a_sentence() -> None:
    codes, has_one = list(written()), tournament_sentences.TOURNAMENT_SENTENCES.has_sentence
    assert codes
    assert [code for code in codes if not has_one(f"refusal.{code}")] == []


@pytest.mark.parametrize("language", LANGUAGES)
class TestEnumerated:
    def test_reasons_notes_and_causes(self, language: str) -> None:
        codes = [
            *(f"refusal.{reason}" for reason in REFUSAL_REASONS),
            *(f"note.{kind}" for kind in NOTE_KINDS),
            *(f"cause.{code}" for code in CauseCode),
        ]
        assert [code for code in codes if not has_sentence(language, code)] == []

    @pytest.mark.parametrize("result", OrderResult)
    def test_results(self, result: OrderResult, language: str) -> None:
        word = messages.result_word(result, language)
        assert word == word.strip().lower() != f"result.{result}"

    @pytest.mark.parametrize("name", playable_names())
    def test_phases(self, name: str, language: str) -> None:
        variant = load(name)
        calendar = variant.definition.calendar
        for code in (*calendar.opening, *calendar.cycle):
            text = messages.phase_name(Phase(code[0], 1901, code[1]), variant, language)
            assert text.split(", ")[1] != code[1]
            assert not text.startswith(f"{code[0]} ")

"""What is said, word for word, for the commonest causes, refusals and errors."""

import pytest

from talleyrand import messages, rulebooks, variants
from talleyrand.engine.counterfactuals import CounterfactualChange, VerdictReason
from talleyrand.engine.errors import (
    OrderAmbiguous,
    OrderNotAllowed,
    OrderNotUnderstood,
    OrderRefusal,
    TalleyrandError,
    UnknownName,
)
from talleyrand.engine.orders import Convoy, Hold, Move, Support
from talleyrand.engine.outcome import (
    AdjudicationNote,
    Cause,
    CauseCode,
    OrderResult,
    StrengthComparison,
    Verdict,
)
from talleyrand.engine.position import Phase, Unit, UnitName

CLASSIC = variants.load("classic")
PAR, BRE = UnitName("A", "PAR"), UnitName("F", "BRE")
MUN, ENG = Unit("A", "MUN", "GERMANY"), Unit("F", "ENG", "ENGLAND")


def said(verdict: Verdict, language: str, book: str = "datc") -> str:
    return messages.cause_sentence(verdict, CLASSIC, language, rulebooks.load(book)).replace("\u00a0", " ")


def moved(result: OrderResult, cause: Cause, *more: OrderResult, by: tuple[Unit, ...] = ()) -> Verdict:
    return Verdict(PAR, "FRANCE", Move(PAR, "BUR"), (result, *more), cause, "BUR", by, "land")


class TestWhy:
    @pytest.mark.parametrize(
        ("edge", "english", "french"),
        [
            (StrengthComparison.EVEN, "equally strong", "à force égale"),
            (StrengthComparison.STRONGER, "stronger", "avec plus de force"),
            (None, "at least as strong", "avec au moins autant de force"),
        ],
    )
    def test_a_stand_off_names_the_rival(
        self, edge: StrengthComparison | None, english: str, french: str
    ) -> None:
        verdict = moved(OrderResult.BOUNCES, Cause(CauseCode.STAND_OFF, (MUN,), ("BUR",), comparison=edge))
        place = "(DATC 3.2, 6.A.11, 6.A.12)."
        assert said(verdict, "en") == f"Bounced: A Munich attacks Burgundy too, {english} {place}"
        assert said(verdict, "fr") == f"Rebond : A Munich attaque aussi la Bourgogne, {french} {place}"

    def test_two_rivals_take_the_plural(self) -> None:
        verdict = moved(OrderResult.BOUNCES, Cause(CauseCode.STAND_OFF, (MUN, ENG), ("BUR",)))
        assert "A Munich et F Manche attaquent aussi la Bourgogne" in said(verdict, "fr")
        assert "A Munich and F English Channel attack Burgundy too" in said(verdict, "en")

    def test_who_got_in_is_no_stand_off(self) -> None:
        verdict = moved(
            OrderResult.BOUNCES,
            Cause(CauseCode.BEATEN, (MUN,), ("BUR",), comparison=StrengthComparison.STRONGER),
        )
        assert said(verdict, "en").startswith("Bounced: A Munich takes Burgundy, stronger (")
        assert said(verdict, "fr").startswith("Rebond : A Munich prend la Bourgogne, avec plus de force (")

    def test_a_dislodgement_is_told_beside_the_cause(self) -> None:
        cause = Cause(CauseCode.HEAD_ON, (MUN,), ("MUN",))
        verdict = moved(OrderResult.BOUNCES, cause, OrderResult.DISLODGED, OrderResult.DESTROYED, by=(MUN,))
        assert said(verdict, "fr").endswith(" ; dislogée par A Munich, sans retraite possible.")
        assert said(verdict, "en").endswith("; dislodged by A Munich, and cannot retreat.")

    def test_which_of_several_that_cut_dislodges(self) -> None:
        order = Support(PAR, UnitName("A", "MAR"), "BUR")
        cause = Cause(CauseCode.CUT_BY_ATTACK, (ENG, MUN))
        results = (OrderResult.SUPPORT_CUT, OrderResult.DISLODGED)
        verdict = Verdict(PAR, "FRANCE", order, results, cause, by=(ENG, MUN))
        assert said(verdict, "fr") == (
            "Soutien coupé : F Manche et A Munich attaquent Paris"
            " (DATC 3.2, 6.D.2, 6.D.3) ; dislogée par A Munich."
        )

    @pytest.mark.parametrize("code", [CauseCode.ARMY_OTHERWISE, CauseCode.ARMY_BY_LAND])
    def test_a_void_order_is_told_although_its_unit_is_dislodged(self, code: CauseCode) -> None:
        order = Convoy(UnitName("F", "ENG"), PAR, "WAL")
        cause = Cause(code, (Unit("A", "PAR", "FRANCE"),))
        results = (OrderResult.CONVOY_VOID, OrderResult.DISLODGED)
        verdict = Verdict(order.unit, "ENGLAND", order, results, cause, "WAL", by=(MUN,))
        assert said(verdict, "en").startswith("Convoy void: A Paris")
        assert said(verdict, "en").endswith("; dislodged by A Munich.")

    def test_a_dislodgement_is_told_once(self) -> None:
        cause = Cause(CauseCode.DISLODGED_BY, (MUN,))
        verdict = Verdict(
            PAR, "FRANCE", Hold(PAR), (OrderResult.HOLDS, OrderResult.DISLODGED), cause, by=(MUN,)
        )
        assert said(verdict, "fr") == "Dislogée par A Munich (DATC 3.2, 6.D.1)."

    def test_a_support_in_place_names_both(self) -> None:
        """Not "the support in place by A Paris", which may be given or had."""
        order = Support(PAR, UnitName("A", "MAR"), None)
        cause = Cause(CauseCode.SUPPORTED_UNIT_MOVES, (Unit("A", "MAR", "FRANCE"),), ("SPA",))
        verdict = Verdict(PAR, "FRANCE", order, (OrderResult.SUPPORT_VOID,), cause)
        assert said(verdict, "fr").startswith(
            "Soutien sans objet : A Marseille attaque l’Espagne au lieu de rester sur place ("
        )

    def test_what_else_would_change_the_verdict(self) -> None:
        kiel, ruhr = Unit("F", "KIE", "GERMANY"), Unit("A", "RUH", "GERMANY")
        verdict = moved(OrderResult.BOUNCES, Cause(CauseCode.STAND_OFF, (MUN,), ("BUR",)))
        for reason, english in (
            (VerdictReason((MUN,)), "6.A.12)."),
            (
                VerdictReason((MUN,), ((ENG,),)),
                "; the result would have been different without A Munich or without F English Channel.",
            ),
            (
                VerdictReason((MUN, ENG), ((kiel,),)),
                (
                    "; the result would have been different without A Munich and F English Channel"
                    " or without F Kiel."
                ),
            ),
            (
                VerdictReason((MUN,), ((ENG,), (kiel,), (ruhr,)), CounterfactualChange.SUCCEEDS),
                "; the order would have succeeded without A Munich or without F English Channel.",
            ),
            (
                VerdictReason((ENG,), (), CounterfactualChange.FAILS),
                "; the order would have failed without F English Channel.",
            ),
            (
                VerdictReason((ENG,), (), CounterfactualChange.STAYS),
                "; it would not have been dislodged without F English Channel.",
            ),
            (
                VerdictReason((ENG,), (), CounterfactualChange.FALLS),
                "; it would have been dislodged without F English Channel.",
            ),
            (VerdictReason(), "6.A.12)."),
        ):
            text = messages.cause_sentence(verdict, CLASSIC, "en", rulebooks.load("datc"), reason)
            assert english in text
            assert text.startswith("Bounced: A Munich attacks Burgundy too")
        french = messages.cause_sentence(
            verdict, CLASSIC, "fr", rulebooks.load("datc"), VerdictReason((MUN,), ((ENG,),))
        )
        assert french.endswith("sans A Munich ou sans F Manche, le résultat aurait été différent.")

    @pytest.mark.parametrize(
        ("book", "place"),
        [
            ("classic_1976", "Règles classiques, IV, V.2"),
            ("play_by_mail_001", "Jeu par correspondance, VIII, IX.2"),
            ("simplified", "Règles simplifiées, rebond"),
            ("anjou_feu", "Asmodée 2006 – DATC 3.2, 6.A.11, 6.A.12"),
            ("renegade_2023", "Renegade 2023 – DATC 3.2, 6.A.11, 6.A.12"),
        ],
    )
    def test_a_rule_on_which_books_agree_has_its_place_in_each(self, book: str, place: str) -> None:
        cause = Cause(CauseCode.STAND_OFF, (MUN,), ("BUR",))
        assert said(moved(OrderResult.BOUNCES, cause), "fr", book).endswith(f"({place}).")
        assert messages.rule_source(cause, rulebooks.load(book)) == place

    def test_a_settled_point_has_its_place(self) -> None:
        cause = Cause(CauseCode.PARADOX, (ENG,), ("BEL",), "convoy_paradox")
        verdict = moved(OrderResult.CONVOY_DISRUPTED, cause)
        assert said(verdict, "en", "datc").endswith("(DATC 3.2, 4.A.2 f).")
        assert said(verdict, "fr", "anjou_feu").endswith("(Anjou Feu, IV, paradoxes, exemples A, C et D).")

    def test_a_silent_book_is_said_to_be_so(self) -> None:
        cause = Cause(CauseCode.PARADOX, (ENG,), ("BEL",), "convoy_paradox")
        verdict = moved(OrderResult.CONVOY_DISRUPTED, cause)
        french, english = (said(verdict, language, "renegade_2023") for language in ("fr", "en"))
        assert french.endswith("(notre lecture : le règlement laisse ce point ouvert).")
        assert english.endswith("(our reading: the rulebook leaves this open).")

    def test_the_value_of_an_option_chooses_the_words(self) -> None:
        order = Support(BRE, UnitName("F", "MAO"), "ENG")
        cause = Cause(CauseCode.CONVOY_PROTECTED, (MUN,), option="convoy_self_protection")
        verdict = Verdict(BRE, "FRANCE", order, (OrderResult.SUPPORT_GIVEN,), cause)
        assert "a fleet the convoy needs" in said(verdict, "en", "renegade_2023")

    def test_a_fleet_that_does_not_convoy(self) -> None:
        order = Convoy(UnitName("F", "ENG"), PAR, "WAL")
        cause = Cause(CauseCode.PARADOX, (Unit("A", "PAR", "FRANCE"),), option="convoy_paradox")
        verdict = Verdict(order.unit, "ENGLAND", order, (OrderResult.CONVOY_DISRUPTED,), cause, "WAL")
        assert said(verdict, "en").startswith("A Paris is not convoyed: the convoy paradox rule")

    def test_a_waived_build_has_no_unit(self) -> None:
        verdict = Verdict(UnitName("", ""), "FRANCE", None, (OrderResult.WAIVED,), Cause(CauseCode.CHOSEN))
        assert said(verdict, "fr") == "La France s’abstient d’une construction (DATC 3.2, 4.E.2)."

    @pytest.mark.parametrize("language", ["fr", "en"])
    @pytest.mark.parametrize("code", CauseCode)
    def test_every_cause_is_a_whole_sentence(self, code: CauseCode, language: str) -> None:
        for result in OrderResult:
            text = said(Verdict(PAR, "FRANCE", Hold(PAR), (result,), Cause(code, (MUN,))), language)
            assert text[0].isupper()
            assert text.endswith(".")
            assert not {"{", "}"} & set(text)


REFUSALS = (
    (
        OrderNotAllowed("unreachable", units=("F STP/SC",), places=("LON",), nearest_order="F STP/SC - BOT"),
        (
            "Pas permis : F Saint-Pétersbourg (côte sud) ne peut pas atteindre Londres. Ordre légal le "
            "plus proche : F Saint-Pétersbourg (côte sud) - golfe de Botnie."
        ),
        (
            "Not allowed: F St. Petersburg (south coast) cannot reach London. Closest "
            "legal order: F St. Petersburg (south coast) - Gulf of Bothnia."
        ),
    ),
    (
        OrderNotAllowed("coast_missing", places=("SPA",), candidates=("SPA/NC", "SPA/SC")),
        "Pas permis : précisez la côte : Espagne (côte nord) ou Espagne (côte sud).",
        "Not allowed: name the coast: Spain (north coast) or Spain (south coast).",
    ),
    (
        OrderNotAllowed("foreign_unit", units=("A PAR",), candidates=("FRANCE",)),
        "Pas permis : A Paris est une unité de la France.",
        "Not allowed: A Paris is a unit of France.",
    ),
    (
        OrderNotAllowed("multiple_orders", text="A PAR - BUR VIA"),
        (
            "Pas suivi : cette unité a plusieurs ordres différents et, selon ce règlement,"
            " « A Paris - Bourgogne par convoi » ne compte pas."
        ),
        (
            "Not followed: this unit has several different orders, and under this rulebook"
            " “A Paris - Burgundy via convoy” does not count."
        ),
    ),
    (
        OrderNotAllowed("unreachable", text="A Par - Liv", candidates=("A PAR - LVN", "A PAR - LVP")),
        (
            "Pas permis : aucune lecture de « A Par - Liv » n’est permise :"
            " A Paris - Livonie ou A Paris - Liverpool."
        ),
        "Not allowed: no reading of “A Par - Liv” is allowed: A Paris - Livonia or A Paris - Liverpool.",
    ),
    (
        OrderAmbiguous(
            "ambiguous_place", "Nor", places=("NTH", "NWG"), candidates=("F EDI - NTH", "F EDI - NWG")
        ),
        "Ambigu : « Nor » peut désigner mer du Nord ou mer de Norvège.",
        "Ambiguous: “Nor” can mean North Sea or Norwegian Sea.",
    ),
    (
        OrderNotUnderstood("unknown_place", text="Bourgone"),
        "Pas compris : « Bourgone » n’est pas un lieu de cette carte.",
        "Not understood: “Bourgone” is not a place on this board.",
    ),
    (
        OrderAmbiguous("ambiguous_place", text="Liv", places=("LVP", "LVN")),
        "Ambigu : « Liv » peut désigner Liverpool ou Livonie.",
        "Ambiguous: “Liv” can mean Liverpool or Livonia.",
    ),
)


@pytest.mark.parametrize(("refused", "french", "english"), REFUSALS, ids=lambda one: getattr(one, "code", ""))
def test_refusals(refused: OrderRefusal, french: str, english: str) -> None:
    assert messages.refusal_sentence(refused, CLASSIC, "fr").replace("\u00a0", " ") == french
    assert messages.refusal_sentence(refused, CLASSIC, "en") == english


def test_junk_is_quoted_short_and_printable() -> None:
    text = messages.refusal_sentence(
        OrderNotUnderstood("unknown_words", text="\x00\x1b[2J\n" + "x" * 10_000), CLASSIC, "fr"
    )
    assert text.replace("\u00a0", " ").isprintable()
    assert len(text) < 120


def test_a_reason_of_a_variant_s_own_is_still_a_sentence() -> None:
    assert "vote_twice" in messages.refusal_sentence(OrderNotAllowed("vote_twice", text="x"), CLASSIC, "en")


class TestError:
    def test_a_known_one(self) -> None:
        fault = UnknownName("unknown_rulebook", rulebook="dact", known="anjou_feu, datc")
        assert messages.error_sentence(fault, "en") == "Unknown rulebook dact. Available: anjou_feu, datc."
        assert messages.error_sentence(fault, "fr").startswith("Règlement inconnu\u00a0: dact.")

    def test_one_of_somebody_else_s(self) -> None:
        assert (
            messages.error_sentence(TalleyrandError("no_such_thing"), "en")
            == "No answer to this question (no_such_thing)."
        )

    def test_an_unknown_language(self) -> None:
        with pytest.raises(UnknownName) as caught:
            messages.error_sentence(TalleyrandError("two_units"), "tlh")
        assert caught.value.code == "unknown_language"
        assert "tlh" in messages.error_sentence(caught.value, "fr")


class TestNote:
    def test_of_the_reader(self) -> None:
        remark = AdjudicationNote("read_as", (("written", "Bourg"), ("place", "BUR")))
        assert messages.note_sentence(remark, CLASSIC, "en") == "“Bourg” is read as Burgundy."

    def test_of_a_coast(self) -> None:
        remark = AdjudicationNote("coast_ignored", (("written", "BUR/NC"), ("place", "BUR")))
        assert (
            messages.note_sentence(remark, CLASSIC, "en")
            == "Coast “Burgundy (north coast)” ignored: Burgundy."
        )

    def test_of_a_variant_s_own(self) -> None:
        assert messages.note_sentence(AdjudicationNote("drawn", (("what", "PAR"),)), CLASSIC, "fr").endswith(
            "drawn (Paris)."
        )


def test_phases() -> None:
    assert messages.phase_name(Phase("S", 1901, "M"), CLASSIC, "fr") == "printemps 1901, mouvements"
    assert messages.phase_name(Phase("W", 1902, "A"), CLASSIC, "en") == "winter 1902, adjustments"
    assert messages.phase_name(Phase("S", 1901, "R"), CLASSIC, "fr") == "été 1901, retraites"
    assert messages.phase_name(Phase("Y", 1, "D"), variants.load("trio"), "fr") == "année 1, choix de départ"


UNIT_STYLES = (
    ("normal", "F STP/SC", "F STP/SC"),
    ("short", "F StP cs", "F StP sc"),
    ("full", "F Saint-Pétersbourg (côte sud)", "F St. Petersburg (south coast)"),
    ("words", "flotte Saint-Pétersbourg (côte sud)", "fleet St. Petersburg (south coast)"),
)


@pytest.mark.parametrize(("style", "french", "english"), UNIT_STYLES)
def test_unit_names(style: str, french: str, english: str) -> None:
    unit = UnitName("F", "STP/SC")
    assert messages.unit_name(unit, CLASSIC, "fr", style) == french
    assert messages.unit_name(unit, CLASSIC, "en", style).lower() == english.lower()

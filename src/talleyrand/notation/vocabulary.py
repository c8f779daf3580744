"""The words of orders in French and in English, as they are written without accents or capitals."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from .lexer import folded_words
from .spelling import nearest_word


class OrderVerb(Enum):
    """What a sign or a verb says."""

    HOLD = "hold"
    MOVE = "move"
    SUPPORT = "support"
    CONVOY = "convoy"
    BY_CONVOY = "by convoy"
    RETREAT = "retreat"
    DISBAND = "disband"
    BUILD = "build"
    WAIVE = "waive"


_PHRASES = {
    OrderVerb.HOLD: """
        h, t, x, xx, xxx, xxxx, tient, tiens, tenir, tient sur place, tient position, reste, reste sur
        place, rester, reste en place, sur place, en place, maintien, se maintient, defend, defends, se
        defend, defense, en defense, garde, attend, qui tient, qui reste, ne bouge pas, tenue, la tenue,
        immobile, hold, holds, holding, hold position, holds position, stand, stands, stand fast, stands
        fast, stay, stays, stay put, stays put, in place, to hold, tien, est immobile,
        restons, tenons, restez, tenez
    """,
    OrderVerb.MOVE: """
        -, a, m, vers, va, va a, va en, va au, va vers, aller a, aller en, va sur, sur, en, au, attaque,
        attaquer, attaque vers, attaque sur, marche sur, marche vers, avance vers, avance sur, avance
        en, avance a, entre en, entre a, se rend en, se rend a, se rend au, se deplace vers, se deplace
        en, se deplace a, rejoint, occupe, mouvement vers, mouvement en, deplacement vers, deplacement
        en, deplace, deplacer, deplacez, envoie, envoyer, envoyez, moving, send, sends, sending, bouge
        vers, qui va a, qui va en, qui va vers, qui attaque, navigue vers, to, into, move, moves, move
        to, moves to, moving to, go to, goes to, goes, attack, attacks, attacking, advance to, advances
        to, marches to, sails to, sail to, moves into, who moves to,
        deplacons, attaquons, attaquez, envoyons, bouge, bougeons, bougez, avance, avancons, avancez
    """,
    OrderVerb.SUPPORT: """
        s, sup, supp, sout, supporte, supporter, support, soutient, soutiens, soutenir, soutien, soutien
        a, en soutien a, en soutien de, soutient le mouvement de, soutient l attaque de, appuie,
        appuyer, appui, aide, soutient l ordre, supporte l attaque de, supporte le mouvement de,
        supports, supporting, to support, support to, in support of, supports the move of, supports the
        attack of, supports attack of, helps, soutenons, soutenez, appuyons, appuyez
    """,
    OrderVerb.CONVOY: """
        c, conv, convoi, convoie, convoies, convoyer, convoye, transporte, fait passer, convoy, convoys,
        convoying, transports, carries, ferries
    """,
    OrderVerb.BY_CONVOY: """
        via, via convoy, via convoi, par convoi, par un convoi, en convoi, par mer, par la mer, voie
        maritime, par voie maritime, convoye, convoyee, est convoyee, by convoy, by sea, with convoy,
        through convoy, via sea, convoyed, is convoyed, vc
    """,
    OrderVerb.RETREAT: """
        r, ret, retraite, retraite a, retraite vers, retraite en, retraite sur, fait retraite, fait
        retraite a, fait retraite en, fait retraite vers, fait retraite sur, bat en retraite vers, bat
        en retraite en, se replie, se replie sur, se replie a, se replie en, se replie vers, recule,
        recule en, recule a, fuit a, retreat, retreats, retreat to, retreats to, retreating to,
        withdraws to, falls back to
    """,
    OrderVerb.DISBAND: """
        d, se saborde, saborde, sabordee, sabordage, disperse, dispersee, se disperse, est dispersee,
        dispersion, dissoute, dissout, est dissoute, detruite, detruit, est detruite, destruction,
        retire, retiree, est retiree, retrait, supprime, supprimee, suppression, demantele, demantelee,
        demobilise, demobilisee, demobilisation, licencie, enleve, enlevee, annihilee, disperser,
        retirer, supprimer, demanteler, demobiliser, en demobilisation, licencier, enlever, detruire,
        dissoudre, saborder, disbanding, removing, disband, disbands, disbanded, is disbanded, remove,
        removes, removed, is removed, destroy, destroys, destroyed, scuttle, scuttles, removal, otb, off
        the board, dissous, dissolvons, dissolvez, supprimons, supprimez, retirons, retirez, est supprimee,
        est demantelee, est demobilisee, est enlevee, est licenciee, est sabordee
    """,
    OrderVerb.BUILD: """
        b, +, construit, construire, construis, construction, construite, est construite, nouvelle,
        cree, creer, creation, mobilise, mobilisation, leve, lever, mobiliser, recrute, recruter,
        recrutement, en construction, en mobilisation, raise, raising, recruit, recruits, create, build,
        builds, built, is built, building, new, raises, creates,
        construisons, construisez, on construit, mobilisons, mobilisez, on mobilise, creons, creez,
        recrutons, recrutez, levons, levez, est creee, est mobilisee, est recrutee, est levee
    """,
    OrderVerb.WAIVE: """
        waive, waives, waived, waive build, waives build, waive a build, waives a build, pass, passe,
        renonce, renonce a construire, ne construit pas, ne construit rien, pas de construction, aucune
        construction, sans construction, no build, builds nothing, does not build, build waived, waive
        my build, waive my builds, waive the build, waive the builds, waive builds, waives his build,
        waives its build, builds waived, all builds waived, unusable build waived, unusable builds
        waived, waiving, waiving my build, skip, skip build, skip the build, skip my build, wait,
        attendre, no builds, no new unit, no new units, nothing to build, build nothing, do not build,
        do not build anything, don t build, don t build anything, won t build, won t build anything,
        will not build, not building, not building anything, passe la construction, construction passee,
        constructions passees, construction non faite, renonciation, renoncer, renonce a ma
        construction, renonce a sa construction, renonce a mes constructions, renonce a la construction,
        renonce aux constructions, pas de constructions, aucune mobilisation, pas de mobilisation, sans
        mobilisation, rien a construire, ne construis rien, ne construis pas, ne rien construire, ne pas
        construire, ne construisons pas, sans constructions, pas de nouvelle unite, aucune nouvelle
        unite, ne mobilise pas, ne mobilise rien, rien a mobiliser, ne recrute pas, ne recrute rien, pas
        de recrutement, aucun recrutement, waive all, waive both, waive one, waive two, waive three, waive
        1, waive 2, waive 3, waive everything, waive the rest, waive all builds, waive both builds, waive
        one build, waive 1 build, waive all my builds, no more builds, no more build, no other builds, no
        other build, no further builds, no further build, pas de build, pas de builds, aucun build, passe
        mon tour, passe son tour, passons notre tour, pass my turn, renoncons a construire
    """,
}


def _table() -> dict[str, tuple[OrderVerb, ...]]:
    signs: dict[str, list[OrderVerb]] = {}
    for sign, phrases in _PHRASES.items():
        for phrase in phrases.split(","):
            signs.setdefault(" ".join(phrase.split()), []).append(sign)
    return {phrase: tuple(found) for phrase, found in signs.items()}


ORDER_VERBS = _table()
MAX_VERB_WORDS = max(len(phrase.split()) for phrase in ORDER_VERBS)


def build_or_remove(found: Iterable[str]) -> OrderVerb | None:
    """Whether words build or remove: None where they do neither, or both."""
    said = {sign for word in found for sign in (*ORDER_VERBS.get(word, ()), *_TITLES.get(word, ()))}
    told = said & {OrderVerb.BUILD, OrderVerb.DISBAND}
    return told.pop() if len(told) == 1 else None


def _set(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_BUILDS = _set("constructions mobilisations recrutements creations")
_REMOVALS = _set(
    """removals disbands disbandments demobilisations suppressions retraits dispersions destructions
    dissolutions"""
)
_TITLES = dict.fromkeys(_BUILDS, (OrderVerb.BUILD,)) | dict.fromkeys(_REMOVALS, (OrderVerb.DISBAND,))

_WORDS = {phrase: signs for phrase, signs in ORDER_VERBS.items() if " " not in phrase}


def misspelt_verb(word: str) -> OrderVerb | None:
    """The sign that a word of five letters or more is a slip away from."""
    signs = None if word in ORDER_VERBS else nearest_word(word, _WORDS)
    return signs[0] if signs else None


COMMAND_VERBS = _set(
    """move moves moving send sends sending attack attacks attacking hold holds holding tenir tiens garde
    garder reste restons tenons deplacons attaquons envoyons bouge bougeons bougez avance avancons
    avancez deplace deplacer deplacez envoie envoyer envoyez attaque attaquer"""
)
"""Verbs that may begin a line, before the unit they are for."""

FROM_WORDS = _set("from de depuis")

TO_WORDS = _set("a en au aux to")

PLACE_PREPOSITIONS = FROM_WORDS | _set("in at of en a au aux du des d")
"""What stands before a place of which something is said."""

UNIT_WORDS = _set("unit unite units unites")

UNIT_DETERMINERS = UNIT_WORDS | _set("my our an one une mon ma notre nos mes depuis")
"""What may stand before a unit as links may, and begins no name."""

LINK_WORDS = _set("le la les l un une d de du des the of at in from son sa its")
"""Words that may stand before a unit or a place without changing anything."""

CONVOY_AGENT_WORDS = _set("by par via")
"""What may stand before the fleets that carry an army."""

AND_WORDS = frozenset(("et", "and"))

ELSE_WORDS = _set("sinon puis ensuite else otherwise then autrement")
"""What follows depends on something; what precedes does not."""

IF_WORDS = _set("si if unless lorsque quand when pourvu provided condition moins cas case sauf except")
"""The whole order depends on something."""

CONDITION_WORDS = IF_WORDS | ELSE_WORDS

CASE_LEADS = _set("en au dans le tout in that this any")
"""Behind these, "cas" and "case" are words of a condition wherever they could name a place."""

PARTICLES = _set("de du des d la le les l of the")

OR_WORDS = _set("ou or")

NEGATIVE_WORDS = _set(
    """no not non ne n pas never jamais don won without sans neither nor ni none nobody nothing rien aucun
    aucune personne nul nulle"""
)

DOUBT_WORDS = OR_WORDS | _set(
    """non pas ne n jamais not no never don t annule annulee annuler cancel cancelled canceled void nul nulle
    raye rayee barre barree plutot rather instead peut maybe perhaps hesite sans without remplace replaces"""
)
"""Words between brackets that may take the order back: such a remark is not passed over."""

REPLACING_WORDS = _set(
    """annule annulent annulant remplace remplacent remplacant cancel cancels cancelling replace replaces
    replacing supersede supersedes"""
)
"""Words by which a sheet says that it stands instead of the earlier ones."""

ADDING_WORDS = _set(
    """correction corrections correctif rectificatif rectification erratum errata modification modifications
    changement changements addition additif additional complement complements supplement ajout ajouts
    addendum amendment amendments change changes"""
)
"""Words by which a sheet says that the earlier ones count but for what it says itself."""

TITLE_WORDS = (
    REPLACING_WORDS
    | ADDING_WORDS
    | _BUILDS
    | _REMOVALS
    | _set(
        """ordre ordres order orders moves mouvements movements retraite retraites retreat retreats ajustement
    ajustements adjustment adjustments construction constructions builds removals demobilisation
    demobilisations mobilisations proposition propositions proposal proposals fall year annee tour turn phase
    saison season feuille sheet"""
    )
)
"""Words of titles beside those for powers and seasons."""

TITLE_FILLER_WORDS = (
    PARTICLES
    | LINK_WORDS
    | _set(
        "voici here are is my mes mon ma nos our pour for et and a en le joueur player puissance power empire"
    )
)
"""What may stand in a title and makes none by itself."""

GULF_WORDS = _set("golfe gulf baie bay")

GENERIC_PLACE_WORDS = _set("mer golfe baie royaume ocean canal detroit sea gulf bay bight channel kingdom")


def without_particles(name: Iterable[str]) -> tuple[str, ...]:
    """A name's words without articles and prepositions."""
    return tuple(word for word in name if word not in PARTICLES)


def without_article(name: str) -> tuple[str, ...]:
    """A name's words without the article it begins with."""
    found = folded_words(name)
    while len(found) > 1 and found[0] in LINK_WORDS:
        found = found[1:]
    return found

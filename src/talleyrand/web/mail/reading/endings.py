"""What mail programs, lists and companies put under a text, and people who sign always alike."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .folding import folded
from .lines import SIGNATURE, Line
from .mail import Piece

_SMART = re.compile("[-\u2013\u2014]{1,2}")
LONGEST_SMART = 8
"""Nobody signs at more length under a dash of his own making."""

_ORDER = re.compile(
    r"\W*[AFaf]\s+\w[\w/().' ]{1,30}?\s*(?:[-–—−→>]|\b(?:[SsHhCc]|tient|holds?|vers|to|soutient|supports?)\b)"
)
_RULE = re.compile(r"[-_=*~#]{4,}")

_DEVICE = (
    r"(?:mon|ma|my|meinem|meiner|mi|mio|mia|mijn|meu|il mio|un|une|a|an|l'|la|le|votre)?\s?"
    r"(?:nouvel(?:le)?\s)?(?:(?:appareil|telephone|smartphone|mobile|portable|tablette|tablet|phone|device|telefon|"
    r"telefono|telefoon|handy|appli|application|app|messagerie|webmail|client)\b.{0,60}|iphone|ipad|ipod|mac\b|"
    r"macbook|android|galaxy|samsung|xiaomi|redmi|huawei|honor|oneplus|pixel|nokia|sony|blackberry|windows|xperia|"
    r"outlook|yahoo|gmail|k-9|thunderbird|proton|protonmail|orange|free|sfr|bouygues|la poste|laposte|mail|courrier|"
    r"courriel|hotmail|aol|spark|airmail|tutanota|tuta|fairemail|canary|bluemail|blue mail|nine|edison|zimbra|mailo|"
    r"fairphone|oppo|e/os|myemail|typeapp|posteo|infomaniak|ios)\b.{0,80}"
)
_CLIENT = re.compile(
    rf"\W*(?:(?:envoye|expedie|ecrit|poste) (?:de|depuis|a partir d[eu']|avec|par|via|du|sur|grace a|d')\s?{_DEVICE}"
    rf"|(?:sent|written) (?:from|with|via|using|by|on) {_DEVICE}"
    rf"|provenance\s?:\s?{_DEVICE}"
    r"|(?:get|obtenir|obtenez|telecharger|telechargez|installer|download) (?:outlook|yahoo mail|l'appli\w*|proton"
    r"|bluemail|typeapp|le nouvel outlook|the new outlook)\b.{0,80}"
    rf"|von {_DEVICE} (?:aus )?gesendet.{{0,40}}|gesendet (?:von|mit|aus) {_DEVICE}"
    rf"|enviado (?:desde|con|de|do) {_DEVICE}|inviato (?:da|dal|con) {_DEVICE}|scaricato da {_DEVICE}"
    rf"|(?:verzonden|verstuurd) (?:vanaf|met|vanuit|via) {_DEVICE}"
    r"|yahoo mail\s?:.{0,120}|veuillez excuser ma brievete\.?|please excuse my brevity\.?"
    r"|excusez (?:ma brievete|la brievete).{0,40})"
    r"(?:\s?<?https?:\S+)?\W*"
)
_ADVERT = re.compile(
    r"garanti sans virus|virus-free\.|virenfrei\.|libre de virus|(?:checked|scanned) (?:for viruses )?by (?:avast|avg)"
    r"|l'absence de virus dans ce (?:courrier|courriel|message)|this (?:e-?mail|message) has been checked for viruses"
    r"|www\.avast\.com|www\.avg\.com|analyse par (?:avast|avg)|logiciel antivirus"
    # lists
    r"|mailing list$|liste de diffusion|/listinfo/|listinfo\.cgi|you received this message because you are subscribed"
    r"|vous (?:recevez|avez recu) ce message,? car vous|to unsubscribe from this|se desinscrire|se desabonner"
    r"|unsubscribe from this|pour se desinscrire|pour vous (?:desinscrire|desabonner)|googlegroups\.com"
    # lawyers and trees
    r"|ce (?:message|courriel|mail|courrier)(?: electronique)?(?:,? (?:et|ainsi que)|,? est|,? peut|,? contient)"
    r".{0,80}(?:confidentiel|destinataire|pieces? jointes?|fichiers? joints?)"
    r"|(?:this|the contents of this) (?:e-?mail|message|communication|transmission)\b.{0,120}"
    r"(?:confidential|intended (?:solely|only)|privileged)"
    r"|this (?:e-?mail|message) and any (?:files|attachments)|strictement confidentiel"
    r"|(?:confidentiality|legal) notice|avis de confidentialite|clause de confidentialite|^\W*disclaimer\b"
    r"|si vous (?:n'etes pas le destinataire|avez recu ce (?:message|courriel|mail) par erreur)"
    r"|if you (?:are not the intended recipient|have received this (?:e-?mail|message) in error)"
    r"|(?:pensez|penser|songez) (?:a l'environnement|a la planete|environnement) avant|avant d'imprimer ce"
    r"|n'imprimez (?:ce|cet) |consider the environment before printing"
)


def mark(lines: Sequence[Line]) -> None:
    """Say of each line that may be its writer’s whether it belongs to a signature, a program or a notice."""
    for run in _runs(lines):
        _sign(run)
        _name_clients(run)
        for paragraph in _paragraphs(run):
            _find_advert(paragraph)
    _drop_rules(lines)


def _runs(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """What stands together, with nothing quoted in between."""
    run: list[Line] = []
    for line in lines:
        if line.piece is None:
            run.append(line)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _paragraphs(run: Sequence[Line]) -> Iterator[list[Line]]:
    paragraph: list[Line] = []
    for line in run:
        if not line.is_blank and line.piece is None:
            paragraph.append(line)
        elif paragraph:
            yield paragraph
            paragraph = []
    if paragraph:
        yield paragraph


def _sign(run: Sequence[Line]) -> None:
    """Everything from the delimiter on; a dash by itself is one if no orders follow it."""
    for at, line in enumerate(run):
        bare = line.text.strip()
        if not _SMART.fullmatch(bare) or bare == "-":
            continue
        said = [other for other in run[at + 1 :] if not other.is_blank]
        has_orders = any(_ORDER.match(other.text[:80]) for other in said)
        is_long = bare != "--" and len(said) > LONGEST_SMART
        if line.text == SIGNATURE or not (has_orders or is_long):
            _leave_out(run[at:], Piece.SIGNATURE)
            return


def _leave_out(lines: Sequence[Line], piece: Piece) -> None:
    for line in lines:
        line.piece = line.piece or piece


def _name_clients(run: Sequence[Line]) -> None:
    for at, line in enumerate(run):
        if line.piece is not None or line.is_blank:
            continue
        for count in (1, 2):
            together = run[at : at + count]
            if _CLIENT.fullmatch(folded(" ".join(one.text for one in together))):
                _leave_out(together, Piece.CLIENT)
                break


def _find_advert(paragraph: Sequence[Line]) -> None:
    """From the line on that is known by its words, to the end of its paragraph."""
    for at, line in enumerate(paragraph):
        pair = " ".join(one.text for one in paragraph[at : at + 2])
        if _ADVERT.search(folded(line.text)) or _ADVERT.search(folded(pair)):
            orders = next((n for n, one in enumerate(paragraph[at:]) if _ORDER.match(one.text[:80])), None)
            _leave_out(paragraph[at:] if orders is None else paragraph[at : at + orders], Piece.ADVERT)
            return


def _drop_rules(lines: Sequence[Line]) -> None:
    """A rule that stands over what is left out goes with it."""
    below: Piece | None = None
    for line in reversed(lines):
        if line.piece is None and below is not None and _RULE.fullmatch(line.text.strip()):
            line.piece = below
        if not line.is_blank:
            below = line.piece

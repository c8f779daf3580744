"""The first year of the demonstration game of the classic rules, with its misprints put right.

An order is told as the places to touch, then the part of the name of a choice where one is offered,
and as a line of a French sheet.
"""

from __future__ import annotations

from typing import NamedTuple


class Given(NamedTuple):
    line: str
    touches: tuple[str, ...]
    chip: str = ""


def _read(text: str) -> list[Given]:
    found = []
    for row in text.strip().splitlines():
        line, touches, *chip = (part.strip() for part in row.split("|"))
        found.append(Given(line, tuple(touches.split()), *chip))
    return found


SPRING = {
    "ANGLETERRE": _read(
        """
        A Lpl-Yor | LVP YOR
        F Lon-Nrd | LON NTH
        F Edi-Nvn | EDI NWG
        """
    ),
    "ALLEMAGNE": _read(
        """
        A Ber-Kie | BER KIE
        A Mun-Ruh | MUN RUH
        F Kie-Dan | KIE DEN
        """
    ),
    "RUSSIE": _read(
        """
        A Mos-Ukr | MOS UKR
        A Var-Gal | WAR GAL
        F StP (cs)-Bot | STP BOT
        F Seb-Noi | SEV BLA
        """
    ),
    "TURQUIE": _read(
        """
        A Con-Bul | CON BUL
        A Smy-Con | SMY CON
        F Ank-Noi | ANK BLA
        """
    ),
    "AUTRICHE": _read(
        """
        A Vie-Tri | VIE TRI
        A Bud-Gal | BUD GAL
        F Tri-Alb | TRI ALB
        """
    ),
    "ITALIE": _read(
        """
        A Ven-Pie | VEN PIE
        A Rom-Ven | ROM VEN
        F Nap-Ion | NAP ION
        """
    ),
    "FRANCE": _read(
        """
        A Par-Bou | PAR BUR
        A Mar-Esp | MAR SPA
        F Bre-Pic | BRE PIC
        """
    ),
}
AUTUMN = {
    "ANGLETERRE": _read(
        """
        A Yor-Nge | YOR NWY
        F Nrd C A Yor-Nge | NTH YOR NWY
        F Nvn-Bar | NWG BAR
        """
    ),
    "ALLEMAGNE": _read(
        """
        A Kie-Hol | KIE HOL
        A Ruh-Bel | RUH BEL
        F Dan H | DEN | Tenir
        """
    ),
    "RUSSIE": _read(
        """
        F Seb-Rou | SEV RUM
        A Ukr S F Seb-Rou | UKR SEV RUM
        A Var-Gal | WAR GAL
        F Bot-Sue | BOT SWE
        """
    ),
    "TURQUIE": _read(
        """
        A Bul-Ser | BUL SER
        A Con-Bul | CON BUL
        F Ank-Noi | ANK BLA
        """
    ),
    "AUTRICHE": _read(
        """
        A Tri H | TRI | Tenir
        A Bud-Ser | BUD SER
        F Alb-Gre | ALB GRE
        """
    ),
    "ITALIE": _read(
        """
        A Ven H | VEN | Tenir
        A Pie-Mar | PIE MAR
        F Ion-Tun | ION TUN
        """
    ),
    "FRANCE": _read(
        """
        A Bou-Mar | BUR MAR
        A Esp-Por | SPA POR
        F Pic-Bel | PIC BEL
        """
    ),
}
WINTER = {
    "ANGLETERRE": _read("F Edi | EDI | Flotte"),
    "ALLEMAGNE": _read(
        """
        F Kie | KIE | Flotte
        A Mun | MUN
        """
    ),
    "RUSSIE": _read(
        """
        A StP | STP | Armée
        A Seb | SEV | Armée
        """
    ),
    "TURQUIE": _read("A Smy | SMY | Armée"),
    "AUTRICHE": _read("A Vie | VIE"),
    "ITALIE": _read("F Nap | NAP | Flotte"),
    "FRANCE": _read("F Mar | MAR | Flotte"),
}
YEAR = (SPRING, AUTUMN, WINTER)

END = {
    "AUSTRIA": {"A TRI", "A BUD", "F GRE", "A VIE"},
    "ENGLAND": {"A NWY", "F NTH", "F BAR", "F EDI"},
    "FRANCE": {"A BUR", "A POR", "F PIC", "F MAR"},
    "GERMANY": {"A HOL", "A RUH", "F DEN", "F KIE", "A MUN"},
    "ITALY": {"A VEN", "A PIE", "F TUN", "F NAP"},
    "RUSSIA": {"A UKR", "A GAL", "F SWE", "F RUM", "A STP", "A SEV"},
    "TURKEY": {"A BUL", "A CON", "F BLA", "A SMY"},
}
CENTRES = {
    "AUSTRIA": {"BUD", "TRI", "VIE", "GRE"},
    "ENGLAND": {"EDI", "LON", "LVP", "NWY"},
    "FRANCE": {"BRE", "MAR", "PAR", "POR"},
    "GERMANY": {"BER", "KIE", "MUN", "DEN", "HOL"},
    "ITALY": {"NAP", "ROM", "VEN", "TUN"},
    "RUSSIA": {"MOS", "SEV", "STP", "WAR", "SWE", "RUM"},
    "TURKEY": {"ANK", "CON", "SMY", "BUL"},
}

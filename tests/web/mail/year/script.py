"""What the seven powers write in 1901, by whoever plays them, in French or in English.

In autumn Turkey throws the Russian fleet out of Romania, so that there is a retreat to write.
"""

from __future__ import annotations

SPRING = {
    "AUSTRIA": (
        "A Vie - Bud\nA Bud - Ser\nF Tri - Alb",
        "A Vienna - Budapest\nA Budapest - Serbia\nF Trieste - Albania",
    ),
    "ENGLAND": ("F Lon - Nth\nF Edi - Nrg\nA Lvp - Yor", "F Lon - NTH\nF Edi - NRG\nA Lvp - Yor"),
    "FRANCE": ("A Par - Bur\nA Mar - Spa\nF Bre - Mao", "A Par - Bur\nA Mar - Spa\nF Bre - MAO"),
    "GERMANY": (
        "A Ber - Kie\nF Kie - Den\nA Mun - Ruh",
        "A Berlin - Kiel\nF Kiel - Denmark\nA Munich - Ruhr",
    ),
    "ITALY": ("A Ven H\nA Rom - Apu\nF Nap - Ion", "A Ven H\nA Rom - Apu\nF Nap - ION"),
    "RUSSIA": (
        "A Mos - Sev\nA War - Gal\nF Sev - Rum\nF StP/sc - Bot",
        "A Mos - Sev\nA War - Gal\nF Sev - Rum\nF StP/sc - BOT",
    ),
    "TURKEY": ("A Con - Bul\nA Smy - Con\nF Ank - Bla", "A Con - Bul\nA Smy - Con\nF Ank - BLA"),
}
AUTUMN = {
    "AUSTRIA": (
        "A Ser - Gre\nF Alb S A Ser - Gre\nA Bud - Ser",
        "A Ser - Gre\nF Alb S A Ser - Gre\nA Bud - Ser",
    ),
    "ENGLAND": (
        "F Nth C A Yor - Nwy\nA Yor - Nwy\nF Nrg S A Yor - Nwy",
        "F NTH C A Yor - Nwy\nA Yor - Nwy\nF NRG S A Yor - Nwy",
    ),
    "FRANCE": ("A Bur - Bel\nA Spa - Por\nF Mao - Spa/sc", "A Bur - Bel\nA Spa - Por\nF MAO - Spa/sc"),
    "GERMANY": ("A Kie - Hol\nF Den H\nA Ruh - Mun", "A Kie - Hol\nF Den H\nA Ruh - Mun"),
    "ITALY": ("A Apu - Tun\nF Ion C A Apu - Tun\nA Ven H", "A Apu - Tun\nF ION C A Apu - Tun\nA Ven H"),
    "RUSSIA": ("F Rum H\nA Sev - Ukr\nA Gal H\nF Bot - Swe", "F Rum H\nA Sev - Ukr\nA Gal H\nF BOT - Swe"),
    "TURKEY": (
        "A Bul - Rum\nF Bla S A Bul - Rum\nA Con - Bul",
        "A Bul - Rum\nF BLA S A Bul - Rum\nA Con - Bul",
    ),
}
RETREATS = {"RUSSIA": ("F Rum - Sev", "F Rum - Sev")}
WINTER = {
    "AUSTRIA": ("construit A Vie\nconstruit A Bud", "build A Vie\nbuild A Bud"),
    "ENGLAND": ("construit F Lon", "build F Lon"),
    "FRANCE": ("construit A Par\nconstruit F Bre\nconstruit A Mar", "build A Par\nbuild F Bre\nbuild A Mar"),
    "GERMANY": ("construit A Ber\nconstruit F Kie", "build A Ber\nbuild F Kie"),
    "ITALY": ("construit F Nap", "build F Nap"),
    "RUSSIA": ("construit A Mos", "build A Mos"),
    "TURKEY": ("construit A Con\nconstruit F Smy", "build A Con\nbuild F Smy"),
}
YEAR = {"S1901M": SPRING, "F1901M": AUTUMN, "F1901R": RETREATS, "W1901A": WINTER}

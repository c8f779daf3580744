"""Colours as people see them: contrast, difference, and what a colour-blind eye makes of them."""

from __future__ import annotations

import math

RGB = tuple[float, float, float]
Matrix = tuple[RGB, RGB, RGB]

# Machado, Oliveira and Fernandes 2009, severity 1.0, for linear RGB.
EYES: dict[str, Matrix] = {
    "usual": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
TO_XYZ: Matrix = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
WHITE = (0.95047, 1.0, 1.08883)


def linear(code: str) -> RGB:
    """`#rrggbb` as linear light."""
    parts = (int(code[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return red, green, blue


def mixed(over: str, under: str, opacity: float) -> str:
    """What a translucent colour gives on another."""
    pairs = ((int(over[at : at + 2], 16), int(under[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(a * opacity + b * (1 - opacity)):02x}" for a, b in pairs)


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2."""
    light, dark = sorted((_apply(TO_XYZ, linear(code))[1] for code in (one, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def difference(one: str, other: str, eye: str = "usual") -> float:
    """CIEDE2000 between two colours, as an eye sees them."""
    return _ciede2000(_lab(one, eye), _lab(other, eye))


def _apply(matrix: Matrix, colour: RGB) -> RGB:
    first, second, third = (sum(a * b for a, b in zip(row, colour, strict=True)) for row in matrix)
    return first, second, third


def _lab(code: str, eye: str) -> RGB:
    seen = [min(max(part, 0.0), 1.0) for part in _apply(EYES[eye], linear(code))]
    x, y, z = (_root(a / b) for a, b in zip(_apply(TO_XYZ, (seen[0], seen[1], seen[2])), WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _root(value: float) -> float:
    return math.cbrt(value) if value > 216 / 24389 else (24389 / 27 * value + 16) / 116


def _ciede2000(one: RGB, other: RGB) -> float:
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = ((math.hypot(a1, b1) + math.hypot(a2, b2)) / 2) ** 7
    stretch = 1.5 - 0.5 * math.sqrt(mean / (mean + 25**7))
    c1, c2 = math.hypot(a1 * stretch, b1), math.hypot(a2 * stretch, b2)
    h1, h2 = (math.degrees(math.atan2(b, a * stretch)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    hue = (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    t = 1.0
    for part, times, shift in ((-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.20, 4, -63)):
        t += part * math.cos(math.radians(times * hue + shift))
    s_l = 1 + 0.015 * (light - 50) ** 2 / math.sqrt(20 + (light - 50) ** 2)
    s_c, s_h = 1 + 0.045 * chroma, 1 + 0.015 * chroma * t
    d_l, d_c = (l2 - l1) / s_l, (c2 - c1) / s_c
    d_h = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2)) / s_h
    bend = -math.sin(math.radians(60 * math.exp(-(((hue - 275) / 25) ** 2))))
    bend *= 2 * math.sqrt(chroma**7 / (chroma**7 + 25**7))
    return math.sqrt(d_l**2 + d_c**2 + d_h**2 + bend * d_c * d_h)

"""The look of what is drawn on a map. Maps bring their own rules for grounds and borders.

Colours are variables that `looks` gives values to; nothing is blurred, filtered or animated.
"""

FONT = 'Alegreya, "DejaVu Sans", Georgia, serif'
BOARD_CSS = f"""\
.board text {{ font-family: {FONT}; }}
.board .label, .board .name {{ fill: var(--board-ink); stroke: var(--board-halo); stroke-width: 2.2; }}
.board .label, .board .name {{ paint-order: stroke; stroke-linejoin: round; pointer-events: none; }}
.board .label, .board .name {{ stroke-opacity: var(--board-halo-strength); text-anchor: middle; }}
.board .name.bent {{ text-anchor: start; }}
.board .label.sea, .board .name.sea, .board .name.strand {{ fill: var(--board-sea-ink); font-style: italic; }}
.board .label.named {{ display: none; }}
[data-names="off"] .label.named {{ display: inline; }}
[data-names="off"] .name {{ display: none; }}
[data-names="off"] .name.strand {{ display: inline; }}
.board .owner {{ fill-opacity: var(--board-owner-strength); }}
.board .owner.pale {{ opacity: .5; }}
.board .hatch {{ display: none; fill-opacity: 1; }}
[data-patterns="on"] .hatch {{ display: inline; }}
.board .thread {{ fill: none; stroke: var(--board-ink); stroke-width: .8; stroke-opacity: .6; }}
.board .body {{ stroke: var(--board-edge); stroke-width: 1.5; stroke-linejoin: round; }}
.board .sign, .board .letter {{ fill: var(--board-unit-ink); font-weight: bold; text-anchor: middle; }}
.board .letter {{ font-size: 7.5px; fill: var(--board-plain-ink); }}
.board .tag {{ fill: var(--board-plain); stroke: var(--board-edge); stroke-width: 1; }}
.board .unit text, .board .ghost text {{ pointer-events: none; }}
.board .ghost {{ opacity: .85; }}
.board .rim, .board .line, .board .stay {{ fill: none; stroke-linejoin: round; }}
.board .rim {{ stroke: var(--board-edge); }}
.board .order .rim {{ stroke-width: 5.2; }}
.board .order .line {{ stroke-width: 3.2; }}
.board .order .head {{ stroke: var(--board-edge); stroke-width: 1.1; stroke-linejoin: round; }}
.board .failed .rim, .board .failed .line {{ stroke-dasharray: 9 4; }}
.board .retreat .rim, .board .retreat .line {{ stroke-dasharray: 12 3 3 3; }}
.board .support .rim {{ stroke-width: 3.8; stroke-dasharray: 4.4 3; }}
.board .support .line {{ stroke-width: 2; stroke-dasharray: 4.4 3; }}
.board .convoy .rim {{ stroke-width: 3.6; stroke-dasharray: none; }}
.board .convoy .line {{ stroke-width: 1.8; stroke-dasharray: none; }}
.board .illegal .rim {{ stroke-width: 1.6; stroke-dasharray: 1.6 4; }}
.board .illegal .line, .board .illegal .head {{ stroke: none; fill: none; }}
.board .unordered .rim {{ stroke-width: 2.4; stroke-dasharray: 1.5 3.5; }}
.board .unordered .line {{ stroke: none; }}
.board .stay {{ stroke: var(--board-edge); stroke-width: 1.6; }}
.board .ring {{ fill: none; stroke: var(--board-edge); stroke-width: 2.4; }}
.board .badge {{ fill: var(--board-plain); stroke: var(--board-edge); stroke-width: 1.1; }}
.board .glyph {{ fill: none; stroke: var(--board-plain-ink); stroke-width: 1.6; stroke-linecap: round; }}
.board .burst {{ fill: var(--board-plain); stroke: var(--board-alarm); stroke-width: 1.8; }}
.board .bounces .glyph, .board .support_cut .glyph {{ stroke: var(--board-alarm); }}
.board .convoy_disrupted .glyph {{ stroke: var(--board-alarm); }}
.board .halo {{ fill: none; stroke: var(--board-plain); stroke-width: 5; stroke-linecap: round; }}
.board .cross {{ fill: none; stroke: var(--board-alarm); stroke-width: 2.8; stroke-linecap: round; }}
.board .swords {{ fill: none; stroke: var(--board-plain-ink); stroke-width: 2; stroke-linecap: round; }}
.board .view-title {{ font-size: 26px; font-style: italic; fill: var(--board-ink); text-anchor: start; }}
.board .band {{ fill: var(--board-band); }}
.board .title, .board .phase, .board .said {{ fill: var(--board-ink); }}
.board .title {{ font-weight: bold; }}
.board .phase {{ text-anchor: end; font-style: italic; }}
"""

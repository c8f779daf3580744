"""The look of what is drawn on a map. Maps bring their own rules for provinces, borders and labels."""

FONT = '"DejaVu Sans", Verdana, Arial, sans-serif'
STYLE = f"""\
.board .label {{ fill: #1f1b14; stroke: #ffffff; stroke-opacity: 0.6; stroke-width: 1.8; }}
.board .label {{ paint-order: stroke; stroke-linejoin: round; pointer-events: none; }}
.board .label.sea {{ fill: #2c5069; }}
.board .owner {{ fill-opacity: 0.62; }}
.board .body {{ stroke: #1a1a1a; stroke-width: 1.5; stroke-linejoin: round; }}
.board .sign, .board .letter {{ font-family: {FONT}; fill: #111111; }}
.board .title, .board .phase, .board .said {{ font-family: {FONT}; fill: #111111; }}
.board .sign, .board .letter {{ font-weight: bold; text-anchor: middle; }}
.board .letter {{ font-size: 7px; }}
.board .tag {{ fill: #ffffff; stroke: #1a1a1a; stroke-width: 1; }}
.board .unit text, .board .ghost text {{ pointer-events: none; }}
.board .ghost {{ opacity: 0.85; }}
.board .rim, .board .line, .board .stay {{ fill: none; stroke-linejoin: round; }}
.board .order .rim {{ stroke: #1a1a1a; stroke-width: 5.2; }}
.board .order .line {{ stroke-width: 3.2; }}
.board .order .head {{ stroke: #1a1a1a; stroke-width: 1.1; stroke-linejoin: round; }}
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
.board .stay {{ stroke: #1a1a1a; stroke-width: 1.6; }}
.board .ring {{ fill: none; stroke: #1a1a1a; stroke-width: 2.4; }}
.board .badge {{ fill: #ffffff; stroke: #1a1a1a; stroke-width: 1.1; }}
.board .glyph {{ fill: none; stroke: #1a1a1a; stroke-width: 1.6; stroke-linecap: round; }}
.board .burst {{ fill: #ffffff; stroke: #b3121d; stroke-width: 1.8; stroke-linejoin: round; }}
.board .bounces .glyph, .board .support_cut .glyph, .board .convoy_disrupted .glyph {{ stroke: #b3121d; }}
.board .halo {{ fill: none; stroke: #ffffff; stroke-width: 5; stroke-linecap: round; }}
.board .cross {{ fill: none; stroke: #b3121d; stroke-width: 2.8; stroke-linecap: round; }}
.board .swords {{ fill: none; stroke: #1a1a1a; stroke-width: 2; stroke-linecap: round; }}
.board .band {{ fill: #ffffff; }}
.board .title {{ font-weight: bold; }}
.board .phase {{ text-anchor: end; }}
"""

"""What a browser says of itself, as its owner would say it."""

from __future__ import annotations

SYSTEMS = {"iPhone": "iPhone", "iPad": "iPad", "Android": "Android", "Windows": "Windows", "Mac OS": "Mac"}
BROWSERS = {"Firefox": "Firefox", "Edg": "Edge", "SamsungBrowser": "Samsung", "OPR": "Opera"}
UNKNOWN = "?"


def browser_name(agent: str) -> str:
    """ "Firefox, Android": what its owner knows a browser by."""
    browser = next((name for sign, name in BROWSERS.items() if sign in agent), "")
    if not browser:
        browser = next((name for name in ("Chrome", "Safari") if name in agent), "")
    system = next((name for sign, name in SYSTEMS.items() if sign in agent), "")
    system = system or ("Linux" if "Linux" in agent else "")
    return ", ".join(part for part in (browser, system) if part) or UNKNOWN

"""A coarse name of the device behind a login, such as "Chrome on Android".

People recognise their own sessions by it. The browser's version and the model are left out: they
would identify people.
"""

# Substrings of the header User-Agent and the names they stand for. The first substring that occurs
# counts, because nearly every browser also names other browsers, and Android also names Linux.
BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "CrOS": "Chromebook",
    "Windows": "Windows",
    "Macintosh": "Mac",
    "Linux": "Linux",
}


def named(user_agent: str | None) -> str | None:
    """The name of the device, or None if the header names no known browser."""
    sent = user_agent or ""
    browser, system = _first(BROWSERS, sent), _first(SYSTEMS, sent)
    return f"{browser} on {system}" if browser and system else browser


def _first(names: dict[str, str], sent: str) -> str | None:
    return next((name for part, name in names.items() if part in sent), None)

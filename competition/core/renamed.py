"""Names that ini files of earlier versions have, and what to write instead.

Each of them stops the start, with a message that says so. Without an entry, the operator would only
read that there is no such plugin or setting.
"""

# Plugins that are a part of another plugin now: the name of that plugin.
PLUGINS = {
    "backups": "operations",
    "metrics": "operations",
    "records": "scores",
}
# Deleted settings, by their keys: a sentence that says what to write instead.
SETTINGS: dict[str, str] = {}

import sys

from tools.page_types import __main__ as page_types


def test_without_npm_the_types_are_skipped_with_a_message(monkeypatch, capsys):
    monkeypatch.setattr(page_types.shutil, "which", lambda name: None)
    monkeypatch.setattr(sys, "argv", ["page_types", "--check"])
    assert page_types.main() == 0
    assert "npm is missing: apt-get install npm" in capsys.readouterr().out


def test_the_frames_of_sockets_are_unions_of_all_messages():
    message = {"payload": {"type": "object"}}
    there = "#/channels/feed/messages/"
    schemas = page_types.of_events(
        {
            "channels": {"feed": {"messages": {"pinned": message, "pin": message}}},
            "operations": {
                "one": {"action": "send", "messages": [{"$ref": f"{there}pinned"}]},
                "two": {"action": "receive", "messages": [{"$ref": f"{there}pin"}]},
            },
            "components": {"schemas": {"Note": {}}},
        }
    )
    assert schemas["Sent"] == {"oneOf": [{"$ref": "#/components/schemas/pinned"}]}
    assert schemas["Received"] == {"oneOf": [{"$ref": "#/components/schemas/pin"}]}
    assert {"Note", "pin", "pinned"} <= set(schemas)

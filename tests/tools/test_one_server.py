"""The guide for one server: its files, commands and settings exist."""

import re
import shlex

from competition.cli import CoreCommands
from competition.core.plugins import core_sections, installed
from competition.core.settings import environment_name, keys
from tests.support.repository import REPOSITORY

GUIDE = (REPOSITORY / "docs/one-server.md").read_text()
SCRIPT = "\n".join(re.findall(r"^```sh\n(.*?)^```$", GUIDE, re.M | re.S))


def test_the_files_exist():
    found = re.findall(r"(?<![/\w])(deploy/[\w./-]+\w|requirements\.lock|production\.ini)", SCRIPT)
    assert len(found) >= 5
    assert [each for each in found if not (REPOSITORY / each).exists()] == []
    units = re.findall(r"competition-\{(.+?)\}", SCRIPT)[0].split(",")
    for unit in [*(f"{each.partition('@')[0]}@" for each in units), "migrate"]:
        assert (REPOSITORY / f"deploy/systemd/competition-{unit}.service").exists(), unit


def test_nginx_finds_the_certificate():
    conf = (REPOSITORY / "deploy/nginx/competition.conf").read_text()
    for path in re.findall(r"^\s*ssl_certificate(?:_key)? (\S+);", conf, re.M):
        assert f" {path}\n" in SCRIPT, path


def test_the_settings_exist():
    plugins = installed().values()
    sections = [*core_sections(), *(one for each in plugins for one in each.sections)]
    known = {environment_name(key) for section in sections for key in keys(section)}
    assert {*re.findall(r"^(COMPETITION_\w+)=", SCRIPT, re.M)} <= known


def test_the_commands_and_their_options_exist():
    lines = re.findall(r"^run (.+)$", SCRIPT, re.M)
    assert lines
    for line in lines:
        name, *rest = shlex.split(line)
        command = CoreCommands()[name]
        while hasattr(command, "commands"):
            command = command.commands[rest.pop(0)]
        options = {option for each in command.params for option in each.opts}
        assert {word for word in rest if word.startswith("--")} <= options, line

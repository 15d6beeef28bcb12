"""Stand-ins for the programs of Debian that the tutorial *One server* uses, and that would change
the machine on which a test runs.

`Debian` writes a command for each into a folder for PATH. A command calls the function of its name
in this module. The units are run, with their environment, and so is nginx, both without systemd.
"""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

from tests.support.nginx import runnable
from tests.support.repository import REPOSITORY

# Packages that Debian 12 and later have.
PACKAGES = {
    "python3-venv",
    "make",
    "postgresql",
    "redis-server",
    "nginx",
    "certbot",
    "gnupg",
    "curl",
}
MODULE = "tests.support.debian"


class Debian:
    """The machine. Its files are in the folder `root`, which begins empty."""

    def __init__(self, root: Path, certificate: Path) -> None:
        """`certificate` is a folder with the files that certbot gets."""
        self.root = root
        for folder in ("bin", "units", "etc/nginx/conf.d", "etc/systemd/system", "var/log/nginx"):
            (root / folder).mkdir(parents=True)
        self.variables = {
            "PATH": f"{root / 'bin'}:{os.environ['PATH']}",
            "ROOT": str(root),
            "CERTIFICATE": str(certificate),
            "REAL_NGINX": shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin") or "",
        }
        for name in COMMANDS:
            _write(root / "bin" / name, f"-m {MODULE} {name}")

    def stop(self) -> None:
        """End everything that the units and nginx have started."""
        environment = {**os.environ, **self.variables}
        for words in (["stop", "nginx"], ["stop", "competition-*"]):
            subprocess.run([self.root / "bin/systemctl", *words], env=environment, check=True)


def _write(path: Path, words: str) -> None:
    ours = f"PYTHONPATH={shlex.quote(str(REPOSITORY))}"
    path.write_text(f'#!/bin/sh\n{ours} exec {sys.executable} {words} "$@"\n')
    path.chmod(0o755)


def apt_get(*words: str) -> None:
    unknown = {each for each in words[1:] if not each.startswith("--")} - PACKAGES
    assert not unknown, unknown


def certbot(*words: str) -> None:
    domain = words[words.index("--domain") + 1]
    shutil.copytree(
        os.environ["CERTIFICATE"], _root() / "etc/letsencrypt/live" / domain, dirs_exist_ok=True
    )


def install(*words: str) -> None:
    """Without the owners, who don't exist here."""
    kept = [
        each
        for before, each in zip(("", *words), words, strict=False)
        if each not in ("-o", "-g") and before not in ("-o", "-g")
    ]
    os.execv("/usr/bin/install", ["install", *kept])


def nginx(*words: str) -> None:
    conf = _root() / "nginx.conf"
    conf.write_text(runnable((_root() / "etc/nginx/nginx.conf").read_text(), _root()))
    command = [os.environ["REAL_NGINX"], "-p", str(_root()), "-c", str(conf), *words]
    subprocess.run(command, check=True)


def nothing(*words: str) -> None:
    """For commands such as `make wheel`: the test runs the service of this environment."""


def pip(*words: str) -> None:
    if "-r" in words:
        assert Path(words[words.index("-r") + 1]).exists(), words


def python3(*words: str) -> None:
    if words[:2] != ("-m", "venv"):
        os.execv(sys.executable, [sys.executable, *words])
    programs = Path(words[2]) / "bin"
    programs.mkdir(parents=True)
    _write(programs / "competition", "-m competition.cli")
    _write(programs / "pip", f"-m {MODULE} pip")


def runuser(*words: str) -> None:
    command = words[words.index("--") + 1 :]
    os.execvp(command[0], command)


def scp(*words: str) -> None:
    paths = [each.partition(":")[2] or each for each in words]
    subprocess.run(["cp", *paths], check=True)


def ssh(host: str, *words: str) -> None:
    os.execvp("bash", ["bash", "-c", " ".join(words)])


def systemctl(verb: str, *names: str) -> None:
    units = [each for each in names if not each.startswith("--")]
    if verb == "enable":
        for unit in units:
            _template(unit)
            (_root() / "units" / unit).touch()
    for unit in units if verb in ("start", "stop", "restart", "reload") else ():
        if unit == "nginx":
            _nginx(verb)
        elif unit.startswith("competition"):
            assert verb != "restart" or _is_taken_out(unit), f"nginx sends requests to {unit}"
            for each in [*_matching(unit)]:
                _end(each) if verb in ("stop", "restart") else None
                _start(each) if verb in ("start", "restart") else None
        else:
            assert unit == "postgresql", unit


def _is_taken_out(unit: str) -> bool:
    """Whether nginx sends no request to a unit. Only apis have to be taken out before a restart."""
    kind, _, port = unit.partition("@")
    text = (_root() / "etc/nginx/conf.d/competition.conf").read_text()
    is_down = re.search(rf"server 127\.0\.0\.1:{port} .* down;", text)
    return kind != "competition-api" or is_down is not None


def _nginx(verb: str) -> None:
    # `nginx -t` leaves an empty file.
    is_running = (_root() / "pid").exists() and (_root() / "pid").read_text()
    if verb == "reload":
        nginx("-s", "reload")
    elif is_running:
        nginx("-s", "stop")
        while (_root() / "pid").exists():
            time.sleep(0.05)
    if verb in ("start", "restart"):
        nginx()


def _matching(name: str) -> Iterator[str]:
    """The units that a name stands for: a pattern stands for enabled units, and so does the target.
    Of the apis, only the first runs here, and no worker and no socket process does."""
    apis = (each.name for each in (_root() / "units").glob("competition-api@*[0-9]"))
    first = min(apis, default="")
    if first and (name in ("competition.target", first) or fnmatch(first, name)):
        yield first
    elif "@" not in name and "*" not in name:
        yield name


def _template(unit: str) -> Path:
    kind, _, instance = unit.partition("@")
    name = f"{kind}@.service" if instance else unit
    path = _root() / "etc/systemd/system" / (name if "." in name else f"{name}.service")
    assert path.exists(), f"there is no unit {unit}"
    return path


def _start(unit: str) -> None:
    lines = _template(unit).read_text().replace("%i", unit.partition("@")[2]).splitlines()
    options = [line.partition("=")[::2] for line in lines if not line.startswith(("#", "["))]
    # A unit inherits nothing from the shell, except what this module and the test's servers need.
    kept = re.compile("HOME|PATH|ROOT|BACKUP_PAUSE|(PG|SSL_|CURL_).*")
    environment = {name: value for name, value in os.environ.items() if kept.fullmatch(name)}
    for name, value in options:
        if name == "Environment":
            environment |= dict(each.split("=", 1) for each in value.split())
        elif name == "EnvironmentFile":
            environment |= dict(word.split("=", 1) for word in shlex.split(Path(value).read_text()))
    [command] = [shlex.split(value) for name, value in options if name == "ExecStart"]
    if ("Type", "oneshot") in options:
        subprocess.run(command, env=environment, check=True)
        return
    with (_root() / "units" / f"{unit}.log").open("ab") as log:
        process = subprocess.Popen(
            command, env=environment, stdout=log, stderr=log, start_new_session=True
        )
    (_root() / "units" / f"{unit}.pid").write_text(str(process.pid))
    for name, value in options:
        if name == "ExecStartPost":
            # On a busy machine, a start may take longer than the unit waits.
            while subprocess.run(shlex.split(value)).returncode != 0:
                assert process.poll() is None, f"{unit} has ended"


def _end(unit: str) -> None:
    file = _root() / "units" / f"{unit}.pid"
    if file.exists():
        pid = int(file.read_text())
        os.kill(pid, signal.SIGTERM)
        while _is_running(pid):
            time.sleep(0.05)
        file.unlink()


def _is_running(pid: int) -> bool:
    """Whether a process has not ended. A zombie has ended."""
    words = ["ps", "-o", "stat=", "-p", str(pid)]
    state = subprocess.run(words, capture_output=True, text=True).stdout
    return bool(state) and not state.startswith("Z")


def _root() -> Path:
    return Path(os.environ["ROOT"])


COMMANDS = {
    "apt-get": apt_get,
    "certbot": certbot,
    "install": install,
    "make": nothing,
    "nginx": nginx,
    "python3": python3,
    "runuser": runuser,
    "scp": scp,
    "ssh": ssh,
    "systemctl": systemctl,
    "useradd": nothing,
}

if __name__ == "__main__":
    {**COMMANDS, "pip": pip}[sys.argv[1]](*sys.argv[2:])

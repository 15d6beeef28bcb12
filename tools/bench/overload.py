"""Measure twice as many requests as the service can serve, through nginx with the configuration of
`deploy/nginx`. nginx has to be installed."""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from sqlalchemy import create_engine

from competition.cli import database
from competition.cli.ini import Ini
from competition.core.runtime import API_PREFIX
from tools.bench.exam_day import DRAFTED, OPEN, SAT, take
from tools.bench.load import Load, message
from tools.bench.processes import free_port, running, service, temporary_servers, wait_for
from tools.bench.world import Maker, Sizes, answers

DEPLOYED = Path("deploy/nginx")
# Debian's program, which the PATH of other users than root does not find.
NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin") or "nginx"
# How many connections send requests while the rate is measured that the service can serve.
CONNECTIONS = 64
# The share of the candidates with whom this rate is measured.
SHARE = 0.25
# The limit for each request, in seconds.
AT_MOST = 10.0
# The reply to a request that nginx passed on to no api.
REFUSED = 503


def main(ini: Ini, sizes: Sizes, threads: int) -> bool:
    """Print the times, and return whether no request waited for too long, and all requests were
    either served or refused."""
    with temporary_servers(COMPETITION_SERVER_WORKERS="2") as servers, Load() as load:
        database.upgrade(ini)
        with service(ini.path, servers, threads) as served, _nginx(served.api) as proxy:
            with ini.runtime() as runtime:
                world = Maker(runtime, sizes, served.ask).make()
            engine = create_engine(servers.addresses.database_url)
            with engine.begin() as connection:
                connection.execute(OPEN, {"sat": SAT, "drafted": DRAFTED})
            engine.dispose()
            starts = [take(SAT, each) for each in world.candidates]
            # The first request freezes the paper.
            served.ask(starts[0])
            is_met = _measure(load, proxy, "first starts", starts, 200)
            # Those who were refused start now, so that everybody can submit.
            load.send(proxy, starts, CONNECTIONS)
            path = f"{API_PREFIX}/exams/{SAT}/submit-exam-answers/"
            body = answers(world.asked_in(SAT))
            submissions = [message("POST", path, each, body) for each in world.candidates]
            return _measure(load, proxy, "submissions", submissions, 201) and is_met


def _measure(load: Load, port: int, name: str, sent: list[bytes], status: int) -> bool:
    first = round(SHARE * len(sent))
    rate = first / load.send(port, sent[:first], CONNECTIONS).took
    answered = load.arrive(port, sent[first:], 2 * rate)
    p99, slowest = quantiles(answered.seconds, n=100)[98], max(answered.seconds)
    statuses = (f"{count:,} with {each}" for each, count in sorted(answered.statuses.items()))
    print(
        f"{name}, {2 * rate:.0f}/s instead of {rate:.0f}/s:".ljust(40)
        + f"p50 {median(answered.seconds):.1f}, p99 {p99:.1f}, max {slowest:.1f} s; "
        + ", ".join(statuses),
        flush=True,
    )
    return slowest <= AT_MOST and set(answered.statuses) <= {status, REFUSED}


@contextmanager
def _nginx(api: int) -> Iterator[int]:
    """Context manager: nginx in front of the two processes of an api. Yields its port, which has no
    TLS."""
    with TemporaryDirectory() as folder:
        port, main = free_port(), Path(folder, "nginx.conf")
        texts = {
            "listen 80;": f"listen 127.0.0.1:{free_port()};",
            "listen 443 ssl http2;": f"listen 127.0.0.1:{port};",
            "127.0.0.1:6543 ": f"127.0.0.1:{api} ",
            "127.0.0.1:6553 ": f"127.0.0.1:{api} ",
            "/etc/nginx/conf.d/*.conf": f"{folder}/competition.conf",
            "/run/nginx.pid": f"{folder}/pid",
            "/var/cache/nginx": folder,
            "/var/log/nginx": folder,
        }
        for name in ("nginx.conf", "competition.conf"):
            text = re.sub(r"^ *ssl_.*\n", "", (DEPLOYED / name).read_text(), flags=re.MULTILINE)
            for old, new in texts.items():
                text = text.replace(old, new)
            Path(folder, name).write_text(text)
        command = [NGINX, "-c", str(main), "-g", "daemon off;"]
        with running(command, os.environ):
            wait_for(port, f"{API_PREFIX}/health/")
            yield port

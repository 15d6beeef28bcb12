from competition.cli.ini import Ini
from tools.page_types.__main__ import NO_SERVERS
from tools.reference import FOLDER, ROOT, pages

if __name__ == "__main__":
    import os

    os.environ.update(NO_SERVERS)
    FOLDER.mkdir(exist_ok=True)
    with Ini(ROOT / "development.ini").config(has_endpoints=True) as config:
        for name, text in pages(config.registry).items():
            (FOLDER / name).write_text(text)

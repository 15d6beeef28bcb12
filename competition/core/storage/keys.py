"""How stored files are called: ``certificates/<random>.svg``, or with a name of its author's choice
``certificates/<random>/certificate.svg``.

The random part can't be guessed and says nothing. Whatever in a storage is called otherwise was not
stored by this service, and is left alone.
"""

import re
import secrets

# The names of things in a key: nothing that a path, a URL or a header would read otherwise.
FOLDER = re.compile(r"[a-z0-9][a-z0-9_-]*", re.ASCII)
NAME = re.compile(r"\w[\w-]*", re.ASCII)
EXTENSION = re.compile(r"[a-z0-9]+", re.ASCII)
KEY = re.compile(
    rf"{FOLDER.pattern}/[0-9a-f]{{32}}(/{NAME.pattern})?\.{EXTENSION.pattern}", re.ASCII
)


def new_key(folder: str, extension: str, name: str | None = None) -> str:
    """Make the key of a file that is to be stored. Raises ValueError for a folder or a name with
    other characters than those of `FOLDER` and `NAME`."""
    if not FOLDER.fullmatch(folder):
        raise ValueError(f"{folder!r} is no folder of files: a-z, 0-9, - and _")
    if name is not None and not NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name of a file: letters of ASCII, digits, - and _")
    random = secrets.token_hex(16)
    return f"{folder}/{random}/{name}.{extension}" if name else f"{folder}/{random}.{extension}"


def is_key(text: str) -> bool:
    """Whether a file of this service is called like that."""
    return KEY.fullmatch(text) is not None


def extension(key: str) -> str:
    return key.rpartition(".")[2]


def filename(key: str) -> str:
    """The name under which a browser saves the file."""
    return key.rpartition("/")[2]

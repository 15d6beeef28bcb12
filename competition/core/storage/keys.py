"""Keys of stored files: ``certificates/<random>.svg``, or with a name for downloads
``certificates/<random>/certificate.svg``.

The random part can't be guessed. An object whose name does not have this form was not stored by
this service, and the service never deletes it.
"""

import re
import secrets

# The characters of the parts of a key. None of them has a special meaning in a path, a URL or a
# header.
FOLDER = re.compile(r"[a-z0-9][a-z0-9_-]*", re.ASCII)
NAME = re.compile(r"\w[\w-]*", re.ASCII)
EXTENSION = re.compile(r"[a-z0-9]+", re.ASCII)
KEY = re.compile(
    rf"{FOLDER.pattern}/[0-9a-f]{{32}}(/{NAME.pattern})?\.{EXTENSION.pattern}", re.ASCII
)


def new_key(folder: str, extension: str, name: str | None = None) -> str:
    """A new random key. Raises ValueError if the folder or the name has characters that `FOLDER` or
    `NAME` does not allow."""
    if not FOLDER.fullmatch(folder):
        raise ValueError(f"{folder!r} is not a folder of files. Use a-z, 0-9, - and _.")
    if name is not None and not NAME.fullmatch(name):
        raise ValueError(f"{name!r} is not a name of a file. Use ASCII letters, digits, - and _.")
    random = secrets.token_hex(16)
    return f"{folder}/{random}/{name}.{extension}" if name else f"{folder}/{random}.{extension}"


def is_key(text: str) -> bool:
    return KEY.fullmatch(text) is not None


def extension(key: str) -> str:
    return key.rpartition(".")[2]


def filename(key: str) -> str:
    """The name under which a browser saves the file."""
    return key.rpartition("/")[2]

"""What the service reads in the modules of the pages: comments, imports, and the addresses of
pages. A parser reads them, so the API does not start with a module that browsers can't read."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import tree_sitter_javascript
from tree_sitter import Language, Node, Parser, Query, QueryCursor

JAVASCRIPT = Language(tree_sitter_javascript.language())
FOUND = Query(
    JAVASCRIPT,
    """
    (comment) @comment
    (import_statement source: (string (string_fragment) @import))
    (export_statement source: (string (string_fragment) @import))
    (call_expression function: (import) arguments: (arguments . (string (string_fragment) @later)))
    (object) @object
    """,
)
SPACE = b" \t"


class Unreadable(ValueError):
    """The parser can't read this module. The message has the line."""


@dataclass(frozen=True)
class Module:
    # The module without its comments. Errors name the same lines.
    code: bytes
    # What it imports, and what it imports later by import(…), as it is written there.
    imports: tuple[str, ...]
    later: tuple[str, ...]
    # The addresses of its pages: `path` of each object that has `path` and `load`.
    pages: tuple[str, ...]


@lru_cache(maxsize=2048)
def read(content: bytes) -> Module:
    """Read a module. Results are cached, because most modules are the same in the next release.

    Raises Unreadable."""
    root = Parser(JAVASCRIPT).parse(content).root_node
    if root.has_error:
        raise Unreadable(f"line {_fault(root).start_point.row + 1} is no JavaScript")
    found = QueryCursor(FOUND).captures(root)
    return Module(
        code=_without(content, found.get("comment", [])),
        imports=_texts(found.get("import", [])),
        later=_texts(found.get("later", [])),
        pages=tuple(page for each in found.get("object", []) for page in _pages(each)),
    )


def _fault(node: Node) -> Node:
    """The first node that the parser could not read."""
    while not (node.is_error or node.is_missing):
        node = next(each for each in node.children if each.has_error)
    return node


def _texts(nodes: list[Node]) -> tuple[str, ...]:
    ordered = sorted(nodes, key=lambda each: each.start_byte)
    return tuple(each.text.decode() for each in ordered if each.text is not None)


def _pages(node: Node) -> Iterator[str]:
    """The address of a page, if the object is a route. Raises Unreadable if the address is not
    written there as a text."""
    fields: dict[bytes, Node | None] = {}
    for each in node.named_children:
        key = each.child_by_field_name("key") or each.child_by_field_name("name") or each
        fields[(key.text or b"").strip(b"\"'")] = each.child_by_field_name("value")
    if not {b"path", b"load"} <= fields.keys():
        return
    path = fields[b"path"]
    if path is None or path.type != "string" or path.text is None:
        raise Unreadable(f"line {node.start_point.row + 1}: the path of a page must be a text")
    yield path.text.decode()[1:-1]


def _without(content: bytes, comments: list[Node]) -> bytes:
    """The content without these comments. Those with lines of their own leave empty lines."""
    parts = []
    at = 0
    for each in sorted(comments, key=lambda each: each.start_byte):
        start, end = each.start_byte, each.end_byte
        before = content[at:start]
        if content[end : end + 1] in (b"", b"\n"):
            before = before.rstrip(SPACE)
        elif before[-1:] in b" \t\n({[":
            end += len(content[end:]) - len(content[end:].lstrip(SPACE))
        else:
            before += b" "
        parts += [before, b"\n" * content.count(b"\n", start, end)]
        at = end
    return b"".join([*parts, content[at:]])

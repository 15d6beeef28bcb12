"""Parse the JavaScript modules of the pages, and find their comments, imports and exports. A module
that can't be parsed stops the API from starting, because browsers could not read it either."""

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
    (export_statement declaration: (_ name: (identifier) @export))
    (export_statement "default" declaration: (_ name: (identifier) @default))
    (export_statement declaration: (_ (variable_declarator name: (identifier) @export)))
    (export_specifier name: (identifier) @export !alias)
    (export_specifier alias: (identifier) @export)
    """,
)
SPACE = b" \t"


class Unreadable(ValueError):
    """The parser can't read this module. The message has the line."""


@dataclass(frozen=True)
class Module:
    # The module without its comments. All code keeps its line numbers.
    code: bytes
    # The modules that it imports, and those that it loads later by import(…), as written in the
    # code.
    imports: tuple[str, ...]
    later: tuple[str, ...]
    # The names that it exports. The default export has no name.
    exports: tuple[str, ...]


@lru_cache(maxsize=2048)
def read(content: bytes) -> Module:
    """Read a module. Results are cached, because most modules are the same in the next release.

    Raises Unreadable if the content is not valid JavaScript.
    """
    root = Parser(JAVASCRIPT).parse(content).root_node
    if root.has_error:
        raise Unreadable(f"line {_fault(root).start_point.row + 1} is not valid JavaScript")
    found = QueryCursor(FOUND).captures(root)
    unnamed = found.get("default", [])
    return Module(
        code=_without(content, found.get("comment", [])),
        imports=_texts(found.get("import", [])),
        later=_texts(found.get("later", [])),
        exports=_texts([each for each in found.get("export", []) if each not in unnamed]),
    )


def _fault(node: Node) -> Node:
    """The first node that the parser could not read."""
    while not (node.is_error or node.is_missing):
        node = next(each for each in node.children if each.has_error)
    return node


def _texts(nodes: list[Node]) -> tuple[str, ...]:
    ordered = sorted(nodes, key=lambda each: each.start_byte)
    return tuple(each.text.decode() for each in ordered if each.text is not None)


def _without(content: bytes, comments: list[Node]) -> bytes:
    """The content without these comments. Their line breaks stay, so that all code keeps its line
    numbers."""
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

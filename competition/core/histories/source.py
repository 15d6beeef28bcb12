"""The text of a migration, as ruff writes it: Alembic's has other quotes, hints for its author, and
imports that nothing uses."""

import ast
import re
from collections.abc import Iterator, Sequence

WIDTH = 100
INDENT = "    "
# Of this repository, where `alembic/` is a folder.
OUR_PACKAGE = "alembic"
# As `repr` writes one, in either quotes.
STRING = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""")


def tidied(source: str, *, is_ours: bool) -> str:
    """The same migration. `is_ours` says how its imports are sorted."""
    module = ast.parse(source)
    docstring, *rest = module.body
    imports = [each for each in rest if isinstance(each, ast.Import | ast.ImportFrom)]
    heads = [each for each in rest if isinstance(each, ast.Assign)]
    functions = [each for each in rest if isinstance(each, ast.FunctionDef)]
    for each in functions:
        _forget_modules(each)
    named = (each for function in functions for each in ast.walk(function))
    used = {each.id for each in named if isinstance(each, ast.Name)}
    # One that is still to be written needs them.
    is_empty = all(isinstance(each.body[0], ast.Pass) for each in functions)
    blocks = [
        ast.get_source_segment(source, docstring) or "",
        *_imports([each for each in imports if is_empty or _bound(each) in used], is_ours),
        "\n".join(map(_text, heads)),
    ]
    return "\n\n".join(blocks) + "".join(f"\n\n\n{_function(each)}" for each in functions) + "\n"


def _bound(node: ast.Import | ast.ImportFrom) -> str:
    return node.names[0].asname or node.names[0].name


def _imports(nodes: Sequence[ast.Import | ast.ImportFrom], is_ours: bool) -> Iterator[str]:
    """In blocks: other packages', then those of this repository."""
    first = [each for each in nodes if is_ours and _module(each) == OUR_PACKAGE]
    for block in ([each for each in nodes if each not in first], first):
        if block:
            block.sort(key=lambda each: (isinstance(each, ast.ImportFrom), _module(each)))
            yield "\n".join(map(ast.unparse, block))


def _module(node: ast.Import | ast.ImportFrom) -> str:
    return (node.module or "") if isinstance(node, ast.ImportFrom) else node.names[0].name


def _forget_modules(function: ast.FunctionDef) -> None:
    """What models say about a table in addition: plugins may note something there."""
    for call in ast.walk(function):
        if isinstance(call, ast.Call):
            call.keywords = [each for each in call.keywords if each.arg != "info"]


def _function(node: ast.FunctionDef) -> str:
    return "\n".join([f"def {node.name}() -> None:", *(_statement(each) for each in node.body)])


def _statement(node: ast.stmt) -> str:
    if isinstance(node, ast.Expr):
        return INDENT + _fitted(node.value, 1, "")
    return INDENT + ast.unparse(node)


def _fitted(node: ast.expr, depth: int, before: str, after: str = "") -> str:
    """In one line where it fits, else with what is in its brackets in a line of its own, or in one
    each."""
    flat = _text(node)
    if len(INDENT) * depth + len(before + flat + after) <= WIDTH:
        return before + flat + after
    if isinstance(node, ast.Call):
        opening, closing = f"{_text(node.func)}(", ")"
        items = [("", each) for each in node.args]
        items += [(f"{each.arg}=", each.value) for each in node.keywords]
    elif isinstance(node, ast.List):
        opening, closing = "[", "]"
        items = [("", each) for each in node.elts]
    else:
        return before + flat + after
    inside = "\n" + INDENT * (depth + 1)
    together = ", ".join(name + _text(each) for name, each in items)
    if len(INDENT) * (depth + 1) + len(together) <= WIDTH:
        lines = inside + together
    else:
        lines = "".join(inside + _fitted(each, depth + 1, name, ",") for name, each in items)
    return f"{before}{opening}{lines}\n{INDENT * depth}{closing}{after}"


def _text(node: ast.AST) -> str:
    return STRING.sub(lambda found: _quoted(found[0]), ast.unparse(node))


def _quoted(literal: str) -> str:
    """In double quotes, but where that takes more backslashes."""
    inside = literal[1:-1].replace("\\'", "'")
    if literal.startswith('"') or inside.count('"') > inside.count("'"):
        return literal
    return '"' + inside.replace('"', '\\"') + '"'

"""What tests read in the modules of the pages, by the parser with which the service reads them:
texts, templates, calls and names."""

import ast
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from tree_sitter import Node, Parser, Query, QueryCursor

from competition.plugins.pages.modules import JAVASCRIPT

# Takes the place of a value that a template inserts.
INSERTED = "\0"
CATALOGUE = Query(JAVASCRIPT, "(export_statement value: (object (pair) @text))")
PAIR = Query(JAVASCRIPT, "(pair) @pair")
CALL = Query(JAVASCRIPT, "(call_expression) @call")
STRING = Query(JAVASCRIPT, "[(string) (template_string)] @string")
NAME = Query(
    JAVASCRIPT, "[(identifier) (property_identifier) (shorthand_property_identifier)] @name"
)


@lru_cache(maxsize=512)
def _root(code: str) -> Node:
    return Parser(JAVASCRIPT).parse(code.encode()).root_node


def _found(query: Query, node: Node) -> list[Node]:
    nodes = [each for found in QueryCursor(query).captures(node).values() for each in found]
    return sorted(nodes, key=lambda each: each.start_byte)


def _source(node: Node | None) -> str:
    return "" if node is None or node.text is None else node.text.decode()


def _written(node: Node) -> str:
    """The text of a string or of a template."""
    written = ""
    for each in node.named_children:
        if each.type == "template_substitution":
            written += INSERTED
        elif each.type == "escape_sequence":
            written += ast.literal_eval(f'"{_source(each)}"')
        else:
            written += _source(each)
    return written


def catalogue(file: Path) -> dict[str, list[str]]:
    """The texts of a language, by their keys. A text with a number has more than one form."""
    return {
        _source(key).strip('"'): [_written(text) for text in _found(STRING, value)]
        for each in _found(CATALOGUE, _root(file.read_text()))
        if (key := each.child_by_field_name("key")) and (value := each.child_by_field_name("value"))
    }


def strings(code: str) -> list[str]:
    """All strings and templates of a module."""
    return [_written(each) for each in _found(STRING, _root(code))]


def names(code: str) -> set[str]:
    """All names of a module, of variables and of properties."""
    return {_source(each) for each in _found(NAME, _root(code))}


def calls(code: str) -> Iterator[tuple[str, list[str]]]:
    """All calls: the function as it is written, and its arguments that are strings or
    templates."""
    for each in _found(CALL, _root(code)):
        given = each.child_by_field_name("arguments")
        texts = [
            _written(argument)
            for argument in (given.named_children if given else [])
            if argument.type in ("string", "template_string")
        ]
        yield _source(each.child_by_field_name("function")), texts


def operations(code: str) -> Iterator[str]:
    """The operations of the API that a module of calls names, such as "POST /exams/{exam_id}/"."""
    for each in _found(CALL, _root(code)):
        function = _source(each.child_by_field_name("function"))
        given = each.child_by_field_name("arguments")
        arguments = given.named_children if given else []
        texts = [_written(argument) for argument in arguments if argument.type == "string"]
        verb = function.removeprefix("api.")
        if function.startswith("api.") and texts:
            yield f"{verb.upper()} {texts[0]}"
        elif function in ("ask", "request") and len(texts) > 1:
            yield f"{texts[0].upper()} {texts[1]}"
        elif function == "fetched" and texts:
            yield f"GET {texts[0]}"
        elif function == "upload" and texts:
            pairs = [pair for argument in arguments for pair in _found(PAIR, argument)]
            methods = {_source(pair.child_by_field_name("key")): pair for pair in pairs}
            method = methods.get("method")
            value = method.child_by_field_name("value") if method else None
            yield f"{_written(value) if value else 'POST'} {texts[0]}"


def markup(code: str) -> list[str]:
    """The fixed parts of the templates of a module that are markup."""
    return [_written(each) for each in _templates(code)]


def classes(code: str) -> set[str]:
    """The classes in the markup of a module, also those in a template that is the whole value of
    the attribute: class=${`card ${kind}`}."""
    found = set()
    for each in _templates(code):
        before = ""
        for part in each.named_children:
            if part.type == "template_substitution" and before.endswith("class="):
                value = part.named_child(0)
                if value is not None and value.type in ("string", "template_string"):
                    found.update(_written(value).replace(INSERTED, " ").split())
            before = _source(part)
        for value in _written(each).split('class="')[1:]:
            found.update(value.partition('"')[0].replace(INSERTED, " ").split())
    return found


def _templates(code: str) -> Iterator[Node]:
    for each in _found(CALL, _root(code)):
        template = each.child_by_field_name("arguments")
        is_markup = _source(each.child_by_field_name("function")) == "html"
        if is_markup and template is not None and template.type == "template_string":
            yield template

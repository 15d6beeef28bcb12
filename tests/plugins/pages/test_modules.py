"""What the service reads in the modules of the pages."""

import pytest

from competition.plugins.pages.modules import Unreadable, read


def test_imports_are_found_wherever_the_language_allows_them():
    module = read(
        b"""import "./one.js"; import { a } from './two.js';
        import {
          b,
        } from "./three.js";
        export * from "./four.js";
        const text = `import "./never.js"`; // import "./never.js";
        const load = () => import("./later.js");
        """
    )
    assert module.imports == ("./one.js", "./two.js", "./three.js", "./four.js")
    assert module.later == ("./later.js",)


@pytest.mark.parametrize(
    "route",
    [
        "{ path: '/a', load: () => x }",
        "{ load, open: true, path: '/a' }",
        "{ 'path': '/a', stays: true, load() { return x; } }",
        "{ open: true, // Anybody.\n path: '/a', load: async () => x }",
    ],
)
def test_a_page_is_found_whatever_the_order_and_form_of_its_fields(route):
    assert read(f"export const routes = [{route}, {{ path: '/b' }}];".encode()).pages == ("/a",)


def test_a_page_whose_address_is_no_text_is_reported_with_its_line():
    with pytest.raises(Unreadable, match="line 2: the path of a page must be a text"):
        read(b"const routes = [\n  { path: `/${a}`, load }];")


def test_comments_go_and_everything_else_stays():
    code = b"""const a = `
// no comment ${/** @type {X} */ (b)}
/* none */`; // One.
/* Two.
 */ const c = /\\/\\*/; return/* Three. */c; /** @type {Y} */ (d)
"""
    left = b"""const a = `
// no comment ${(b)}
/* none */`;

const c = /\\/\\*/; return c; (d)
"""
    assert read(code).code == left


def test_what_is_no_javascript_is_reported_with_its_line():
    with pytest.raises(Unreadable, match="line 2 is no JavaScript"):
        read(b"const a = 1;\nconst = ;\n")

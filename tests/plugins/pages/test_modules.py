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


def test_exports_are_found_in_all_their_forms():
    module = read(
        b"""export const A = 1, b = () => {}; export function c() {} export async function d() {}
        export class E {} const f = 1, g = 2; export { f, g as h }; export default { i: 1 };
        """
    )
    assert sorted(module.exports) == ["A", "E", "b", "c", "d", "f", "h"]


@pytest.mark.parametrize("code", [b"function F() {}", b"class F {}", b"async function F() {}"])
def test_the_default_export_has_no_name(code):
    assert read(b"export default " + code).exports == ()
    assert read(b"export " + code).exports == ("F",)


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
    with pytest.raises(Unreadable, match="line 2 is not valid JavaScript"):
        read(b"const a = 1;\nconst = ;\n")

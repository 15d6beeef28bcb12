"""The words for formulas whose meaning depends on what is beside their parts, in both languages."""

import pytest

from tools.formula_page import words as said


def check(tex, english, french):
    assert (said(tex), said(tex, "fr")) == (english, french)


class TestBrackets:
    @pytest.mark.parametrize(
        ("tex", "english", "french"),
        [
            (
                r"\begin{vmatrix}1&2\end{vmatrix}",
                "1 by 2 determinant, row 1: 1, 2; end determinant",
                "déterminant 1 par 2, ligne 1 : 1, 2; fin déterminant",
            ),
            (
                r"\left|\begin{matrix}1&2\end{matrix}\right|",
                "1 by 2 determinant, row 1: 1, 2; end determinant",
                "déterminant 1 par 2, ligne 1 : 1, 2; fin déterminant",
            ),
            (
                r"\begin{Vmatrix}1&2\end{Vmatrix}",
                "1 by 2 matrix norm, row 1: 1, 2; end matrix norm",
                "norme de matrice 1 par 2, ligne 1 : 1, 2; fin norme de matrice",
            ),
            (
                r"\begin{pmatrix}x\\y\end{pmatrix}",
                "2 by 1 matrix, row 1: x; row 2: y; end matrix",
                "matrice 2 par 1, ligne 1 : x; ligne 2 : y; fin matrice",
            ),
            (
                r"\begin{cases}x\\y\end{cases}",
                "case 1: x; case 2: y; end cases",
                "cas 1 : x; cas 2 : y; fin des cas",
            ),
            (r"\left({n\atop k}\right)", "n choose k", "k parmi n"),
            (
                r"\left|a|b\right|",
                "the absolute value of a divides b end absolute value",
                "la valeur absolue de a divise b fin valeur absolue",
            ),
        ],
    )
    def test_brackets_mean_the_same_after_a_term_as_alone(self, tex, english, french):
        check(tex, english, french)
        for before in ("2", "-", "=", r"\lambda", r"\frac12", r"\text{so }"):
            first = said(before), said(before, "fr")
            check(before + tex, f"{first[0]} {english}", f"{first[1]} {french}")

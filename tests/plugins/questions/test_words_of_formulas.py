"""The words for formulas whose meaning depends on what is beside their parts, in both languages."""

import unicodedata

import pytest

from competition.plugins.questions.mathematics import typed
from tools.formula_page import words as said


def check(tex, english, french):
    assert (said(tex), said(tex, "fr")) == (english, french)


def wide(text):
    """The text in full-width characters."""
    return "".join(chr(ord(each) + 0xFEE0) for each in text)


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


class TestUnits:
    @pytest.mark.parametrize(
        ("tex", "english", "french"),
        [
            (r"15\,\mathrm{min}", "15 min", "15 min"),
            (r"7{,}5~\mathrm{min}", "7 point 5 min", "7 virgule 5 min"),
            (r"\frac12\,\mathrm{min}", "one half min", "un demi min"),
            (r"1\,\mathrm{min}\,30\,\mathrm{s}", "1 min 30 s", "1 min 30 s"),
            (r"90\,\mathrm{km/min}", "90 km over min", "90 km sur min"),
            (r"\frac{\mathrm{L}}{\mathrm{min}}", "L over min", "L sur min"),
            (
                r"5\,\mathrm{L\cdot min^{-1}}",
                "5 L times min to the minus 1",
                "5 L fois min puissance moins 1",
            ),
            (r"30\,\mathrm{sec}=x", "30 sec equals x", "30 sec égale x"),
            (r"45\,\mathrm{deg}", "45 deg", "45 deg"),
            (r"t\,\mathrm{max}", "t max", "t max"),
        ],
    )
    def test_the_name_of_a_function_without_an_argument_is_a_unit(self, tex, english, french):
        check(tex, english, french)

    @pytest.mark.parametrize(
        ("tex", "english", "french"),
        [
            (r"x_{\mathrm{min}}", "x sub min", "x indice min"),
            (r"E_{\max}", "E sub max", "E indice max"),
            (r"v_{\lim}^2", "v sub lim squared", "v indice lim au carré"),
            (r"x^{\mathrm{exp}}", "x to the exp", "x puissance exp"),
        ],
    )
    def test_the_name_of_a_function_as_an_index_is_a_label(self, tex, english, french):
        check(tex, english, french)

    @pytest.mark.parametrize(
        ("tex", "english", "french"),
        [
            (
                r"2\mathrm{min}(a)",
                "2 the minimum open parenthesis a close parenthesis",
                "2 le minimum parenthèse ouvrante a parenthèse fermante",
            ),
            (r"2\sec x", "2 secant x", "2 sécante x"),
            (r"3\deg P", "3 the degree of P", "3 le degré de P"),
            (r"\mathrm{max}\,x", "the maximum x", "le maximum x"),
            (r"2\max_{i}x", "2 the maximum over i of x", "2 le maximum sur i de x"),
            (
                r"1/\min\{a\}",
                "1 over the minimum open brace a close brace",
                "1 sur le minimum accolade ouvrante a accolade fermante",
            ),
        ],
    )
    def test_a_function_with_an_argument_keeps_its_name(self, tex, english, french):
        check(tex, english, french)


class TestNumbers:
    @pytest.mark.parametrize(
        ("tex", "english", "french"),
        [
            ("1{,}05^{10}", "1 point 05 to the 10", "1 virgule 05 puissance 10"),
            (r"37{,}5^\circ", "37 point 5 degrees", "37 virgule 5 degrés"),
            ("0{,}5'", "0 point 5 prime", "0 virgule 5 prime"),
            ("3{,}14_{10}^2", "3 point 14 sub 10 squared", "3 virgule 14 indice 10 au carré"),
            (r"0{,}\overline{3}^2", "0 point repeating 3 squared", "0 virgule période 3 au carré"),
            (
                "0{,}(3)",
                "0 point open parenthesis 3 close parenthesis",
                "0 virgule parenthèse ouvrante 3 parenthèse fermante",
            ),
            (
                "0.(142857)",
                "0 point open parenthesis 142857 close parenthesis",
                "0 virgule parenthèse ouvrante 142857 parenthèse fermante",
            ),
            ("1{,}000{,}000^2", "1,000,000 squared", "1,000,000 au carré"),
            ("1{,}000_{10}", "1,000 sub 10", "1,000 indice 10"),
            (".5", "point 5", "virgule 5"),
            ("x=.5^2", "x equals point 5 squared", "x égale virgule 5 au carré"),
            ("1,05^{10}", "1, 05 to the 10", "1, 05 puissance 10"),
            (
                "√10{,}5",
                "the square root of 10 point 5 end root",
                "la racine carrée de 10 virgule 5 fin racine",
            ),
            (
                "∛1{,}5 x",
                "the cube root of 1 point 5 end root x",
                "la racine cubique de 1 virgule 5 fin racine x",
            ),
        ],
    )
    def test_a_decimal_comma_is_heard_before_digits_with_marks(self, tex, english, french):
        check(tex, english, french)


class TestBars:
    @pytest.mark.parametrize("bar", ["|", r"\mid "])
    @pytest.mark.parametrize(
        ("tex", "english", "french"),
        [
            ("a@b", "a divides b", "a divise b"),
            (r"\forall d@n", "for all d divides n", "pour tout d divise n"),
            ("A@B", "A vertical bar B", "A barre verticale B"),
            (r"\overline A@\overline B", "A bar vertical bar B bar", None),
            (r"\mathbf u@\mathbf v", "bold u vertical bar bold v", "u gras barre verticale v gras"),
            (
                r"\langle a@b\rangle",
                "open angle bracket a vertical bar b close angle bracket",
                "chevron ouvrant a barre verticale b chevron fermant",
            ),
            (
                "P_{X@Y}",
                "P sub X vertical bar Y end sub",
                "P indice X barre verticale Y fin indice",
            ),
            ("f@_A", "f vertical bar sub A", "f barre verticale indice A"),
            ("@x@", "the absolute value of x end absolute value", None),
            (
                "2@x-3@<5",
                "2 the absolute value of x minus 3 end absolute value is less than 5",
                "2 la valeur absolue de x moins 3 fin valeur absolue est inférieur à 5",
            ),
            ("@@x@@^2", "the norm of x end norm squared", "la norme de x fin norme au carré"),
            (
                "@@x@+y@",
                "the absolute value of the absolute value of x end absolute value plus y"
                " end absolute value",
                None,
            ),
            (
                r"\exists x@x^2=2",
                "there exists x such that x squared equals 2",
                "il existe x tel que x au carré égale 2",
            ),
            (
                r"\exists x\in\{1,2\}@x>1",
                "there exists x in open brace 1, 2 close brace such that x is greater than 1",
                None,
            ),
        ],
    )
    def test_a_bar_divides_only_between_numbers(self, bar, tex, english, french):
        tex = tex.replace("@", bar)
        check(tex, english, french or said(tex, "fr"))

    @pytest.mark.parametrize("bar", ["|", r"\mid "])
    @pytest.mark.parametrize(
        ("name", "english", "french"),
        [
            (r"\Pr", "the probability of", "la probabilité de"),
            (r"\operatorname{P}", "P of", "P de"),
            (r"\operatorname{Var}", "the variance of", "la variance de"),
            (r"\operatorname{Cov}", "Cov of", "Cov de"),
            (r"\ln P", "natural log P", "logarithme népérien P"),
            (r"\mathsf{P}", "P", "P"),
            (r"\mathbb{P}", "double-struck P", "P ajouré"),
            (r"\text{P}", "P", "P"),
            ("p", "p", "p"),
            ("P", "P of", "P de"),
        ],
    )
    def test_a_bar_after_a_probability_is_given(self, bar, name, english, french):
        check(
            f"{name}(A{bar}B)",
            f"{english} open parenthesis A given B close parenthesis",
            f"{french} parenthèse ouvrante A sachant B parenthèse fermante",
        )

    def test_bars_in_bars_are_a_norm_only_if_nothing_is_between_them(self):
        norm = "the norm of vector u end norm", "la norme de vecteur u fin norme"
        for tex in (r"||\vec u||", r"\|\vec u\|", r"\left|\left|\vec u\right|\right|"):
            check(tex, *norm)
        assert said("|||x|||") != said("||x||")


class TestUnicode:
    @pytest.mark.parametrize(
        ("tex", "english", "french"),
        [
            ("aᵇ", "a to the b", "a puissance b"),
            ("2ᵖ-1", "2 to the p minus 1", "2 puissance p moins 1"),
            ("x²ʸ", "x to the power 2 y end power", "x à la puissance 2 y fin puissance"),
            ("xᵅ", "x to the alpha", "x puissance alpha"),
            ("xᵦ", "x sub beta", "x indice bêta"),
            ("x_{₁}", "x sub 1", "x indice 1"),
            ("x^{ᵏ}", "x to the k", "x puissance k"),
            ("nᵗʰ", "n-th", "n-th"),
            ("1ᵉʳ", "1er", "1er"),
            ("90º", "90 degrees", "90 degrés"),
            ("30˚", "30 degrees", "30 degrés"),
            (r"20\,\mathrm{°C}", "20 degrees C", "20 degrés C"),
            ("20℃", "20 degrees C", "20 degrés C"),
            ("68℉", "68 degrees F", "68 degrés F"),
            ("①", "circled 1", "1 cerclé"),
            (wide("3+4=7"), "3 plus 4 equals 7", "3 plus 4 égale 7"),
            (
                wide("(a,b)"),
                "open parenthesis a, b close parenthesis",
                "parenthèse ouvrante a, b parenthèse fermante",
            ),
            (
                f"x{wide('^2')}≥{wide('50%')}",
                "x squared is greater than or equal to 50 percent",
                None,
            ),
            (
                f"√{wide('(x)')}",
                "the square root of open parenthesis x close parenthesis end root",
                None,
            ),
            (rf"\text{{{wide('(x)')}²}}", f"{wide('(x)')}²", None),
        ],
    )
    def test_characters_of_unicode_are_said_like_those_of_tex(self, tex, english, french):
        check(tex, english, french or said(tex, "fr"))

    def test_every_raised_and_lowered_letter_is_an_exponent_or_an_index(self):
        for letter in typed.RAISED:
            assert said(f"x{letter}") != said(f"x{unicodedata.normalize('NFKC', letter)}"), letter
        for letter in typed.LOWERED:
            assert said(f"x{letter}").startswith("x sub "), letter
        for letter in typed.WIDE:
            assert said(f"a{letter}b"), letter


class TestColons:
    @pytest.mark.parametrize(
        ("tex", "english", "french"),
        [
            (
                r"\forall x\in\mathbb{R}:x>0",
                "for all x in the real numbers: x is greater than 0",
                "pour tout x appartient à l\u2019ensemble des réels : x est supérieur à 0",
            ),
            (r"\exists! x:x=2", "there exists exactly one x such that x equals 2", None),
            (
                r"\forall x>1:\exists y:x=y",
                "for all x is greater than 1: there exists y such that x equals y",
                "pour tout x est supérieur à 1 : il existe y tel que x égale y",
            ),
            (
                r"\exists x\in\{1,2\}\colon x>1",
                "there exists x in open brace 1, 2 close brace such that x is greater than 1",
                None,
            ),
            (r"\exists f:A\to B", "there exists f from A to B", "il existe f de A vers B"),
            (
                r"\forall x,a:b=2",
                "for all x, a to b equals 2",
                "pour tout x, a deux-points b égale 2",
            ),
        ],
    )
    def test_a_colon_after_a_quantifier_begins_what_is_true(self, tex, english, french):
        check(tex, english, french or said(tex, "fr"))

    @pytest.mark.parametrize(
        ("tex", "english", "french"),
        [
            (
                r"f:\begin{array}{rcl}A&\to&B\\x&\mapsto&2\end{array}",
                "f: line 1: A to B; line 2: x maps to 2; end lines",
                "f : ligne 1 : A vers B; ligne 2 : x donne 2; fin des lignes",
            ),
            (
                r"f:\begin{cases}\mathbb R\to\mathbb R\\x\mapsto 2\end{cases}",
                "f: case 1: the real numbers to the real numbers; case 2: x maps to 2; end cases",
                None,
            ),
            (
                r"(S)\colon\begin{cases}x=1\end{cases}",
                "open parenthesis S close parenthesis: case 1: x equals 1; end cases",
                None,
            ),
            (
                r"f:A\hookrightarrow B",
                "f: A hooked right arrow B",
                "f : A flèche crochue à droite B",
            ),
        ],
    )
    def test_a_colon_before_a_table_or_an_arrow_is_a_pause(self, tex, english, french):
        check(tex, english, french or said(tex, "fr"))

    @pytest.mark.parametrize("tex", ["0:05", "10:30", "24:59", "12:15:59", r"9:15\text{ am}"])
    def test_a_time_of_day_is_said_as_it_is_written(self, tex):
        assert said(tex) == tex.replace(r"\text{", "").rstrip("}")

    @pytest.mark.parametrize(
        ("tex", "english"),
        [
            ("40:60", "40 to 60"),
            ("12:60", "12 to 60"),
            ("1:15=4:60", "1 to 15 equals 4 to 60"),
            ("2:20=1:10", "2 to 20 equals 1 to 10"),
            ("a:b=10:30", "a to b equals 10 to 30"),
            ("2:10=1:5", "2 to 10 equals 1 to 5"),
            (r"1:25\,000", "1 to 25 000"),
            (r"1:25~000", "1 to 25 000"),
            ("1:25{,}000", "1 to 25,000"),
        ],
    )
    def test_ratios_and_scales_are_no_times(self, tex, english):
        check(tex, english, english.replace("to", "deux-points").replace("equals", "égale"))

    @pytest.mark.parametrize("sign", ["+", "-"])
    def test_an_arrow_to_infinity_with_a_sign_is_to(self, sign):
        word = {"+": ("plus", "plus"), "-": ("minus", "moins")}[sign]
        check(rf"x\to{sign}\infty", f"x to {word[0]} infinity", f"x vers {word[1]} l\u2019infini")


class TestPrimes:
    @pytest.mark.parametrize(
        ("tex", "english", "french"),
        [
            ("x'^2", "x prime squared", "x prime au carré"),
            ("f'^{-1}", "f prime to the minus 1", "f prime puissance moins 1"),
            ("y''^{n+1}", "y double prime to the power n plus 1 end power", None),
            ("x_1'^2", "x sub 1 prime squared", "x indice 1 prime au carré"),
            ("x^{'}", "x prime", "x prime"),
            ("f\u2019g", "f prime g", "f prime g"),
            ('5"', "5 double prime", "5 seconde"),
            ("5\u201d", "5 double prime", "5 seconde"),
        ],
    )
    def test_a_prime_is_no_power(self, tex, english, french):
        check(tex, english, french or said(tex, "fr"))


class TestBarsAbove:
    @pytest.mark.parametrize(
        ("tex", "english", "french"),
        [
            (
                r"\overline{1011}_2",
                "bar over 1011 end bar sub 2",
                "barre sur 1011 fin barre indice 2",
            ),
            (r"9\overline{25}", "9 bar over 25 end bar", "9 barre sur 25 fin barre"),
            (r"\dot{2}", "2 dot", "2 point"),
            (r"3,\overline{2}", "3, 2 bar", "3, 2 barre"),
            (r"0.1\overline{6}", "0.1 repeating 6", "0.1 période 6"),
            (r"0{,}1\overline{6}", "0 point 1 repeating 6", "0 virgule 1 période 6"),
            (r".\overline{3}", "point repeating 3", "virgule période 3"),
            (
                r"0.\dot{1}4\dot{2}^2",
                "0 point 1 recurring 4 2 recurring squared",
                "0 virgule 1 périodique 4 2 périodique au carré",
            ),
        ],
    )
    def test_digits_repeat_only_after_a_decimal_point(self, tex, english, french):
        check(tex, english, french)


class TestSigns:
    @pytest.mark.parametrize(
        ("tex", "english", "french"),
        [
            (r"\vec u.\vec v", "vector u dot vector v", "vecteur u scalaire vecteur v"),
            (r"\mathbf u\,.\,\mathbf v", "bold u dot bold v", "u gras scalaire v gras"),
            (r"AB\bot CD", "A B is perpendicular to C D", "A B est perpendiculaire à C D"),
            (
                r"(d)\bot(e)",
                "open parenthesis d close parenthesis is perpendicular to open parenthesis e"
                " close parenthesis",
                None,
            ),
            (r"p\lor\bot", "p or false", "p ou faux"),
            (r"\bot", "false", "faux"),
        ],
    )
    def test_a_sign_between_vectors_or_lines_is_said_by_its_meaning(self, tex, english, french):
        check(tex, english, french or said(tex, "fr"))

    @pytest.mark.parametrize(
        ("tex", "english", "french"),
        [
            (
                r"\{n\in A\ /\ n\text{ even}\}",
                "open brace n in A such that n even close brace",
                "accolade ouvrante n appartient à A tel que n even accolade fermante",
            ),
            (
                r"\{x\in A/x/2>3\}",
                "open brace x in A such that x over 2 is greater than 3 close brace",
                None,
            ),
            (r"\{x\ /\ x>0\}", "open brace x such that x is greater than 0 close brace", None),
            (r"\exists x\in A\ /\ x>0", "there exists x in A such that x is greater than 0", None),
            (r"\{x/2\}", "open brace x over 2 close brace", None),
            (r"\{x\in A,y=1/2\}", "open brace x in A, y equals 1 over 2 close brace", None),
            (r"\{x\in A/B\}", "open brace x in A over B close brace", None),
        ],
    )
    def test_a_slash_before_a_condition_is_such_that(self, tex, english, french):
        check(tex, english, french or said(tex, "fr"))

    @pytest.mark.parametrize(
        ("tex", "words"),
        [
            (r"\ (\text{mod }n)", "open parenthesis mod n close parenthesis"),
            (r"\text{ modulo }n", "modulo n"),
            (r"\pod n", "open parenthesis n close parenthesis"),
            (r"\ [2\pi]", "open bracket 2 pi close bracket"),
            (r"\pmod n", "open parenthesis mod n close parenthesis"),
        ],
    )
    def test_an_equivalence_with_a_modulus_is_a_congruence(self, tex, words):
        assert said(rf"a\equiv b{tex}") == f"a is congruent to b {words}"

    def test_an_equivalence_without_a_modulus_is_an_identity(self):
        assert said(r"f\equiv g(x)").startswith("f is identical to g")
        assert said(r"f\equiv 0\ (x>1)").startswith("f is identical to 0")

    @pytest.mark.parametrize(
        ("tex", "english", "french"),
        [
            ("a<=b", "a is less than or equal to b", "a est inférieur ou égal à b"),
            ("a&gt;=b", "a is greater than or equal to b", "a est supérieur ou égal à b"),
            ("p<=>q", "p if and only if q", "p équivaut à q"),
            ("f:A->B", "f from A to B", "f de A vers B"),
            (r"\text{a<=b}", "a<=b", "a<=b"),
            ("a<-1", "a is less than minus 1", "a est inférieur à moins 1"),
        ],
    )
    def test_signs_that_keyboards_lack_may_be_typed(self, tex, english, french):
        check(tex, english, french)

    @pytest.mark.parametrize(
        ("tex", "english", "french"),
        [
            (r"a\not|b", "a does not divide b", "a ne divise pas b"),
            (
                r"a\not\perp b",
                "a is not perpendicular to b",
                "a n\u2019est pas perpendiculaire à b",
            ),
            (r"a\not\propto b", "a is not proportional to b", None),
            (r"a\not\Vert b", "a is not parallel to b", None),
            (r"a\not\ll b", "a is not much less than b", None),
        ],
    )
    def test_a_sign_with_a_stroke_has_a_word(self, tex, english, french):
        check(tex, english, french or said(tex, "fr"))
        assert "overlay" not in said(tex, "fr")

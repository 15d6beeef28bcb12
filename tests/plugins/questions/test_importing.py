"""Imports of questions: tables, GIFT, Aiken and Moodle XML (organisers.md, O1)."""

import base64
import io

import pytest
import xlsxwriter
from PIL import Image

from competition.core.auth.access import staff
from competition.core.imports import ImportKind, Unreadable
from competition.core.messages import worded
from competition.plugins.imports.services.reading import formats
from competition.plugins.questions.services.importing import aiken, gift, markup, moodle_xml
from competition.testing.exam_day import make_exam, take
from tests.support.imports import FILES, apply, bring, check, rows, send

HEADER = "text,option_a,option_b,option_c,option_d,correct_answer\n"
SUM = "1 + 1 = ?,1,2,3,4,B\n"
OPTIONS = ("option_a", "option_b", "option_c", "option_d")


def lines(reader, text):
    content = text.encode() if isinstance(text, str) else text
    return list(reader.read(io.BytesIO(content)))


def shown(line):
    """A question as its text, its options and the right letter, or the message about the line."""
    if line.errors:
        return worded(next(iter(line.errors.values()))[0])
    cells = line.cells
    return (cells["text"], *(cells[name] for name in OPTIONS), cells["correct_answer"])


def one(reader, text):
    [found] = lines(reader, text)
    return shown(found)


# GIFT.


def test_the_file_of_gift_questions():
    found = lines(gift, (FILES / "questions.gift").read_bytes())
    frac = r"\(\frac{1}{2} + \frac{1}{3}\)"
    fractions = (r"\(\frac{5}{6}\)", r"\(\frac{2}{5}\)", r"\(\frac{1}{6}\)")
    coat = "A coat costs ₦5000. It is reduced by 20%. What is the new price?"
    typed = "This question has the type {}. Only multiple choice can be imported."
    # The formulas of the options stand alone in their paragraphs.
    roots = (r"\[-3\]", r"\[3\]", r"\[9\]", r"\[-9\]")
    assert [(each.number, shown(each)) for each in found] == [
        (4, (f"What is {frac}?", *fractions, "1", "A")),
        (11, (coat, "₦4900", "₦4800", "₦4000", "₦1000", "C")),
        (18, (r"Solve \(x^2 = 9\) with \(x < 0\).", *roots, "A")),
        (20, "This question has 5 options. It needs four."),
        (22, typed.format("true or false")),
        (24, typed.format("number")),
        (26, typed.format("short answer")),
        (28, "This question needs exactly one right option."),
        (30, ("The set {1, 2, 3} has how many subsets?", "3", "6", "8", "9", "C")),
        (32, "The text has <sup>, which can't be imported. Write it in TeX."),
        (34, ("What is **2 + 2**?", "4", "3", "5", "22", "A")),
        (36, ("The number _____ is prime and odd.", "5", "4", "6", "7", "A")),
    ]


# From https://docs.moodle.org/en/GIFT_format.
DOCUMENTED = {
    "// multiple choice with specified feedback for right and wrong answers\n"
    "::Q2:: What's between orange and green in the spectrum?\n"
    "{ =yellow # right; good! ~red # wrong, it's yellow ~blue # wrong ~brown # no }": (
        "What's between orange and green in the spectrum?",
        *("yellow", "red", "blue", "brown", "A"),
    ),
    "Who's buried in Grant's tomb?{\n=Grant\n~no one\n~Napoleon\n~Churchill\n}": (
        "Who's buried in Grant's tomb?",
        *("Grant", "no one", "Napoleon", "Churchill", "A"),
    ),
    "Grant is {~buried =entombed ~living ~here} in Grant's tomb.": (
        "Grant is _____ in Grant's tomb.",
        *("buried", "entombed", "living", "here", "B"),
    ),
    r"Which answer equals 5? {~ \= 2 + 2 = \= 2 + 3 ~ \= 2 + 4 ~ \= 1}": (
        "Which answer equals 5?",
        *("= 2 + 2", "= 2 + 3", "= 2 + 4", "= 1", "B"),
    ),
    r"::GIFT Control Characters:: Which is NOT one? {~ \~ ~ \# = & ~ \{ \} }": (
        "Which is NOT one?",
        *("~", "#", "&", "{ }", "C"),
    ),
    "Where do you live? {}": "essay",
    "You can use your pencil and paper for these questions.": "description",
    "When was Ulysses S. Grant born? {#1822:5}": "number",
    "What is 3 to 8?{#3..8}": "number",
    "Match. { =subquestion1 -> subanswer1 =subquestion2 -> subanswer2 }": "matching",
    "Grant was buried in a tomb in NY.{T}": "true or false",
    "The sun rises in the West.{FALSE#It rises in the east}": "true or false",
    "Two plus two equals {=four =4}.": "short answer",
    "Jesus' hometown? {~Jerusalem#No ~%25%Bethlehem#Partly ~%50%Galilee ~Nazareth}": (
        "This question needs exactly one right option."
    ),
    "What? {=a ~b ~c ~d ####Feedback for all = with ~ signs}": ("What?", *"abcd", "A"),
    "Two {=a ~b ~c ~d} gaps {=a ~b ~c ~d}.": "gaps to fill in",
    "One? {=a ~b ~c ~d}\nTwo? {=a ~b ~c ~d}": "gaps to fill in",
    "// a comment alone\n\n$CATEGORY: tom/dick\n\nWhat? {=a ~b ~c ~d}": ("What?", *"abcd", "A"),
}


@pytest.mark.parametrize(("source", "means"), DOCUMENTED.items())
def test_documented_examples_of_gift(source, means):
    found = one(gift, source)
    if isinstance(means, str) and "option" not in means:
        means = f"This question has the type {means}. Only multiple choice can be imported."
    assert found == means


def test_a_backslash_in_gift_is_written_as_two():
    assert one(gift, r"\\(x\\) \: 5\n6 {=\\(a\\) ~b\~c ~\#d ~e\{f\}}") == (
        "\\(x\\) : 5\n6",
        *(r"\(a\)", "b~c", "#d", "e{f}", "A"),
    )


# Aiken.


def test_the_file_of_aiken_questions():
    found = lines(aiken, (FILES / "questions-aiken.txt").read_bytes())
    assert [(each.number, shown(each)) for each in found] == [
        (1, ("What is 15% of 200?", "15", "30", "20", "35", "B")),
        (8, ("If 2^x = 32, what is x?", "4", "5", "6", "16", "B")),
        (15, ("Which is greatest?", "0.3", "1/3", "30%", "0.33", "B")),
        (22, "This question has 5 options. It needs four."),
    ]


# From https://docs.moodle.org/en/Aiken_format.
DOCUMENTED_AIKEN = """\
What is the correct answer to this question?
A. Is it this one?
B. Maybe this answer?
C. Possibly this one?
D. Must be this one!
ANSWER: D

Which LMS has the most quiz import formats?
A) Moodle
B) ATutor
C) Claroline
D) Blackboard
ANSWER: A
"""


def test_documented_examples_of_aiken():
    found = [shown(each) for each in lines(aiken, DOCUMENTED_AIKEN)]
    assert [each[0].split()[-1] for each in found] == ["question?", "formats?"]
    assert [each[1:] for each in found] == [
        ("Is it this one?", "Maybe this answer?", "Possibly this one?", "Must be this one!", "D"),
        ("Moodle", "ATutor", "Claroline", "Blackboard", "A"),
    ]


def test_an_aiken_question_without_an_answer_is_named():
    found = lines(
        aiken, "One?\nA. 1\nB. 2\nC. 3\nD. 4\n\nTwo?\nA. 1\nB. 2\nC. 3\nD. 4\nANSWER: A\n"
    )
    assert [each.number for each in found] == [1, 7]
    assert "ANSWER" in shown(found[0])
    assert shown(found[1])[0] == "Two?"


# Markup.


@pytest.mark.parametrize(
    ("source", "means"),
    [
        ("<p>One</p><p>Two</p>", "One\nTwo"),
        ("One<br>Two<br />Three", "One\nTwo\nThree"),
        ("<div><span class='a'>A</span> <b>B</b> <em>C</em></div>", "A B C"),
        ("x &lt; 5 &amp;lt; y&nbsp;z", "x < 5 &lt; y z"),
        ("if a<b then b>a", "if a<b then b>a"),
        ("5 < 6 and 7 > 2", "5 < 6 and 7 > 2"),
        ("<p>$$x^2$$</p>", r"\[x^2\]"),
        ("<p>So $$x &lt; 2$$ holds</p>", r"So \(x < 2\) holds"),
        ("<p>Solve</p><p> $$x$$ </p>", "Solve\n\\[x\\]"),
        (r"\(a\) and $$b$$ and \[c\]", r"\(a\) and \(b\) and \[c\]"),
        ("A $$$$ formula", "A  formula"),
        ("$5 and $6", "$5 and $6"),
        ("<!-- not shown -->Shown", "Shown"),
        ("<![if !supportLists]>Shown<![endif]>", "Shown"),
        ("<p>$$a$$ or $$b$$</p>", r"\(a\) or \(b\)"),
        (r"Solve \( \) now \[&nbsp;\]", "Solve  now"),
        ("<br clear>One<div hidden>Two</div>", "One\nTwo"),
    ],
)
def test_html_becomes_text(source, means):
    found = markup.converted(source, "html")
    assert (found.text, found.errors) == (means, [])


@pytest.mark.parametrize("form", ["markdown", "plain", "plain_text"])
def test_typed_text_stays_as_it_is(form):
    assert markup.converted(" <b>x</b> $$y$$ &lt; ", form).text == "<b>x</b> $$y$$ &lt;"


def test_an_image_may_have_an_attribute_without_a_value():
    found = markup.converted('<img src="@@PLUGINFILE@@/a.png" alt>', "html")
    assert (found.text, found.pictures, found.errors) == ("[image:a.png]", {"a.png": ""}, [])


def test_the_name_of_an_image_is_decoded_and_has_no_query():
    source = '<img alt="x" src="@@PLUGINFILE@@/50%25%3F%20b.png?time=1700000000">'
    assert markup.converted(source, "html").pictures == {"50%? b.png": "x"}


def test_an_element_with_an_attribute_without_a_value_is_named():
    [error] = markup.converted("<td nowrap>2</td>", "html").errors
    assert "<td>" in worded(error)


@pytest.mark.parametrize("tag", ["sup", "sub", "table", "script", "u", "o:p", "my-element"])
def test_another_element_is_named(tag):
    [error] = markup.converted(f"x<{tag}>2</{tag}>", "html").errors[:1]
    assert f"<{tag}>" in worded(error)


# Moodle XML.


def picture(form="PNG", colour="red"):
    content = io.BytesIO()
    Image.new("RGB", (8, 6), colour).save(content, form)
    return content.getvalue()


def xml(*questions):
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n{"".join(questions)}</quiz>'


def question(text="2 + 2?", kind="multichoice", right=0, options="4567", more="", form="html"):
    answers = "".join(
        f'<answer fraction="{100 if place == right else 0}" format="html"><text>{each}</text>'
        "<feedback><text>no</text></feedback></answer>\n"
        for place, each in enumerate(options)
    )
    return (
        f'<question type="{kind}"><name><text>Q</text></name>\n<questiontext format="{form}">'
        f"<text>{text}</text>{more}</questiontext>\n{answers}<single>true</single></question>\n"
    )


def test_moodle_xml():
    category = '<question type="category"><category><text>$course$</text></category></question>\n'
    found = lines(
        moodle_xml,
        xml(
            category,
            question("<![CDATA[<p>Is $$x &lt; 2$$?</p>]]>", right=2),
            question(kind="essay"),
            question(kind="cloze"),
            question(options="45678"),
            question("**2**", form="markdown"),
        ),
    )
    assert [each.number for each in found] == [4, 11, 18, 25, 33]
    assert shown(found[0]) == (r"Is \(x < 2\)?", "4", "5", "6", "7", "C")
    assert "essay" in shown(found[1])
    assert "cloze" in shown(found[2])
    assert "5 options" in shown(found[3])
    assert shown(found[4])[0] == "**2**"


def test_tags_of_moodle_xml_need_not_be_escaped():
    escaped = "Is <b>x &lt; 2</b>,<br/>if x &amp; y?"
    plain, in_options, sup, math, typed = lines(
        moodle_xml,
        xml(
            question(escaped),
            question(options=("10<sup>3</sup>", "<p>5</p>", "<span>6</span> m", "7")),
            question("Solve x<sup>2</sup>=4 now"),
            question('<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi></math>'),
            question("x <b>y</b> z", form="plain_text"),
        ),
    )
    assert shown(plain) == ("Is x < 2,\nif x & y?", "4", "5", "6", "7", "A")
    assert {**in_options.cells, "option_a": ""} == {
        **{"text": "2 + 2?", "correct_answer": "A"},
        **{"option_a": "", "option_b": "5", "option_c": "6 m", "option_d": "7"},
    }
    for line, name, tag in ((in_options, "option_a", "sup"), (sup, "text", "sup")):
        assert [worded(each) for each in line.errors[name]] == [
            f"The text has <{tag}>, which can't be imported. Write it in TeX."
        ]
    assert "<math>" in worded(math.errors["text"][0])
    assert typed.cells["text"] == "x <b>y</b> z"


def test_a_doctype_is_rejected():
    text = '<?xml version="1.0"?><!DOCTYPE quiz [<!ENTITY x "y">]><quiz>&x;</quiz>'
    with pytest.raises(Unreadable) as raised:
        lines(moodle_xml, text)
    assert "DOCTYPE" in worded(raised.value.message)


@pytest.mark.parametrize(
    "text", ["<quiz><question>", "x", '<?xml version="1.0" encoding="x"?><a/>']
)
def test_damaged_xml_cannot_be_read(text):
    with pytest.raises(Unreadable):
        lines(moodle_xml, text)


def test_images_of_moodle_become_images_of_the_bank(app, moderator):
    encoded = base64.b64encode(picture()).decode()
    file = f'<file name="a circle.png" path="/" encoding="base64">{encoded}</file>'
    image = '<p>See <img src="@@PLUGINFILE@@/a%20circle.png" alt="{}"></p>'
    content = xml(
        question(f"<![CDATA[{image.format('A circle')}]]>", more=file),
        question(f"<![CDATA[{image.format('')}]]>", more=file, options="1234"),
        question('<![CDATA[<img src="@@PLUGINFILE@@/gone.png">]]>'),
        question('<![CDATA[<img src="https://x.example/a.png">]]>'),
    )
    found = check(app, moderator, "questions", content, "quiz.xml")
    one, two, three, four = rows(moderator, found)
    assert one["values"]["text"] == "See [image:a circle.png]"
    assert (one["state"], one["warnings"]) == ("new", [])
    assert "no alternative text" in two["warnings"][0]
    assert [each["state"] for each in (three, four)] == ["invalid", "invalid"]
    assert apply(app, moderator, found, invalid="skip")["status"] == "applied"
    images = moderator.get("/questions/images/?ordering=id").json["results"]
    assert [each["alt"] for each in images] == ["A circle", "a circle.png"]
    texts = {each["text"] for each in moderator.get("/questions/").json["results"]}
    assert texts == {f"See [image:{each['id']}]" for each in images}


def with_image(colour, text="See", **options):
    """A question of Moodle XML with an image that has the same name in each question."""
    encoded = base64.b64encode(picture(colour=colour)).decode()
    file = f'<file name="my pic.png" path="/" encoding="base64">{encoded}</file>'
    image = '<img src="@@PLUGINFILE@@/my%20pic.png" alt="A picture">'
    return question(f"<![CDATA[{text} {image}]]>", more=file, **options)


def test_a_question_with_an_image_is_known_by_the_content_of_the_image(app, moderator):
    content = xml(with_image("red"), with_image("red", options="1234"))
    assert states(bring(app, moderator, "questions", content, "quiz.xml")) == ["new", "new"]
    content = xml(with_image("red"), with_image("red", options="1234", right=1), with_image("blue"))
    again = bring(app, moderator, "questions", content, "quiz.xml")
    assert states(again) == ["unchanged", "changed", "new"]
    assert states(bring(app, moderator, "questions", content, "quiz.xml")) == ["unchanged"] * 3
    assert len(moderator.get("/questions/").json["results"]) == 3
    assert len(moderator.get("/questions/images/").json["results"]) == 3


def test_the_same_image_twice_in_a_file_is_the_same_question(app, moderator):
    content = xml(with_image("red"), with_image("blue"), with_image("red"))
    listed = rows(moderator, check(app, moderator, "questions", content, "quiz.xml"))
    assert states(listed) == ["new", "new", "invalid"]
    assert [*listed[2]["errors"]] == ["line"]


def states(listed):
    return [each["state"] for each in listed]


KIND = ImportKind(
    *("questions", staff(), ()),
    **dict.fromkeys(("read", "check", "apply")),
    readers={"gift": gift.read, "aiken": aiken.read},
)


@pytest.mark.parametrize("part", ["\n", " ", "<!--", "\\(", "\\(\\[$$<!--{", "<a b", " b='"])
def test_a_long_text_is_read_in_one_go(part):
    """A pattern that goes back at each character takes minutes for some of these."""
    text = f"x <a {{{part * 50_000} ====="
    markup.converted(text, "html")
    formats.detected(io.BytesIO(text.encode()), "list.txt", None, KIND)


# Rows.


def test_questions_are_imported(app, moderator):
    [row] = bring(app, moderator, "questions", HEADER + SUM)
    assert (row["state"], row["line"]) == ("new", 2)
    [found] = moderator.get("/questions/").json["results"]
    assert (found["text"], found["option_b"], found["correct_answer"]) == ("1 + 1 = ?", "2", "B")
    assert found["difficulty"] == "moderate"
    assert found["created_by"]["user"]["id"] == str(moderator.id)


def test_a_formula_without_delimiters_is_a_warning(app, moderator):
    found = check(app, moderator, "questions", f"{HEADER}What is x^2?,1,2,3,4,B\n")
    [row] = rows(moderator, found)
    assert row["state"] == "new"
    assert row["warnings"] == [
        r"Candidates see x^2 as it is typed here. For a formula, write \(x^2\)"
    ]


@pytest.mark.parametrize(
    ("given", "means"),
    [("B", "B"), ("b", "B"), ("2", "B"), ("yes", "B"), ("no", None), ("E", None), ("0", None)],
)
def test_the_right_answer_is_a_letter_a_number_or_a_text(app, moderator, given, means):
    content = f"{HEADER}Is it?,no,yes,no,maybe,{given}\n"
    [row] = rows(moderator, check(app, moderator, "questions", content))
    assert (row["values"]["correct_answer"] if means else None) == means
    assert [*row["errors"]] == ([] if means else ["correct_answer"])


def test_a_number_that_is_also_the_text_of_another_option_is_unclear(app, moderator):
    content = f"{HEADER}2 + 2 = ?,3,4,5,6,4\n2 + 1 = ?,5,2,3,1,3\n"
    one, two = rows(moderator, check(app, moderator, "questions", content))
    assert [*one["errors"]] == ["correct_answer"]
    assert two["values"]["correct_answer"] == "C"


def test_the_difficulty_may_have_any_case_and_its_old_name(app, moderator):
    header = HEADER.strip() + ",Level\n"
    content = header + "a,1,2,3,4,A,HARD\nb,1,2,3,4,A,Medium\nc,1,2,3,4,A,x\n"
    found = rows(moderator, check(app, moderator, "questions", content))
    assert [each["values"]["difficulty"] for each in found] == ["hard", "moderate", "x"]
    assert [*found[2]["errors"]] == ["difficulty"]


def test_a_known_question_is_changed_and_runs_of_spaces_count_as_one(app, moderator):
    bring(app, moderator, "questions", HEADER + SUM)
    again = HEADER + '"1  +\n1 = ?",1,2,3,4,C\n1 + 1 = ?,2,1,3,4,A\n'
    known, other = rows(moderator, check(app, moderator, "questions", again))
    assert (known["state"], known["before"]) == ("changed", {"correct_answer": "B"})
    assert other["state"] == "new"
    upper = HEADER + "A,x,y,z,w,A\na,x,y,z,w,A\n"
    assert [each["state"] for each in bring(app, moderator, "questions", upper)] == ["new", "new"]


def test_an_archived_question_is_not_known(app, moderator):
    bring(app, moderator, "questions", HEADER + SUM)
    [found] = moderator.get("/questions/").json["results"]
    moderator.delete(f"/questions/{found['id']}/")
    [row] = rows(moderator, check(app, moderator, "questions", HEADER + SUM))
    assert row["state"] == "new"


def test_the_same_question_twice_names_the_earlier_line(app, moderator):
    _, row = rows(moderator, check(app, moderator, "questions", HEADER + SUM + SUM))
    assert (row["state"], row["errors"]) == (
        "invalid",
        {"line": ["Line 2 has the same question. Delete one of the two lines."]},
    )


def test_a_formula_that_cannot_be_read_is_beside_its_cell(app, moderator):
    content = HEADER + "What is \\(\\frac{1}\\)?,1,\\(x,3,4,A\n"
    [row] = rows(moderator, check(app, moderator, "questions", content))
    assert sorted(row["errors"]) == ["option_b", "text"]


def test_the_sheet_of_an_item_writer(app, moderator):
    content = (FILES / "questions-item-writer.xlsx").read_bytes()
    found = check(app, moderator, "questions", content, "items.xlsx")
    assert found["ignored_columns"] == ["No", "Topic"]
    listed = {each["line"]: each for each in rows(moderator, found)}
    assert [line for line, each in listed.items() if each["state"] == "invalid"] == [5, 10]
    assert sorted(listed[5]["errors"]) == ["option_a", "text"]
    assert [*listed[10]["errors"]] == ["correct_answer"]
    assert listed[2]["values"] == {
        "text": "What is ½ + ¼?",
        "option_a": "¾",
        "option_b": "²⁄₆",  # noqa: RUF001
        "option_c": "0.75",
        "option_d": "1",
        "correct_answer": "A",
        "difficulty": "hard",
    }
    assert listed[3]["values"]["option_a"] == "-7"
    assert listed[6]["values"]["option_d"] == "2E1"
    assert listed[7]["values"]["option_a"] == "2026-03-01"
    warned = {line: len(each["warnings"]) for line, each in listed.items() if each["warnings"]}
    # Two options are dates, and two are TRUE and FALSE.
    assert warned == {7: 2, 8: 2}
    assert listed[9]["values"]["text"] == r"Compute \(\frac{1}{0{,}5}\)"


def test_a_raised_character_makes_the_row_invalid(app, moderator):
    """Without its format, 5² would be 52."""
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        raised = book.add_format({"font_script": 1})
        sheet.write_row(0, 0, [*HEADER.strip().split(","), "Remark"])
        sheet.write_row(1, 0, ["What is 2 · 12?", "24", "25", "26", "27", "A"])
        sheet.write_rich_string(1, 6, "The 2", raised, "nd")
        sheet.write_row(2, 0, ["", "", "25", "52", "50", "B"])
        sheet.write_rich_string(2, 0, "What is 5", raised, "2", "?")
        sheet.write_rich_string(2, 1, "2", raised, "4")
    found = check(app, moderator, "questions", content.getvalue(), "list.xlsx")
    plain, power = rows(moderator, found)
    assert plain["state"] == "new"
    message = (
        "This cell has a raised or lowered character, which can't be imported. Write it in TeX,"
        r" such as \(x^2\)."
    )
    assert (power["state"], power["errors"]) == (
        "invalid",
        {"text": [message], "option_a": [message]},
    )


def test_formats_are_found_by_content_and_name(app, moderator):
    for filename, form in (("questions.gift", "gift"), ("questions-aiken.txt", "aiken")):
        content = (FILES / filename).read_bytes()
        assert send(moderator, "questions", content, filename)["format"] == form
    assert send(moderator, "questions", xml(question()), "quiz.xml")["format"] == "moodle_xml"
    text = "Question\tA\tB\tC\tD\tKey\n1?\t1\t2\t3\t4\tA\n"
    assert send(moderator, "questions", text, "list.txt")["format"] == "csv"
    for formula in (r"\(\frac{T}{2}\)", r"$$\text{If}$$", "x_{T}"):
        text = f"Question\tA\tB\tC\tD\tKey\nIs it {formula}?\t1\t2\t3\t4\tA\n"
        assert send(moderator, "questions", text, "list.txt")["format"] == "csv"
        text = f"Is it {formula}? {{=1 ~2 ~3 ~4}}\n"
        assert send(moderator, "questions", text, "list.txt")["format"] == "gift"


@pytest.mark.parametrize(
    ("filename", "content"), [("quiz.xml", "<quiz></quiz>"), ("quiz.gift", "// Nothing yet\n")]
)
def test_a_file_without_questions_says_so(app, moderator, filename, content):
    found = check(app, moderator, "questions", content, filename)
    assert found["status"] == "failed"
    assert found["detail"].startswith("This file has no rows.")


# With an exam.


def test_questions_are_added_to_an_exam_in_the_order_of_the_file(app, admin):
    exam = make_exam(app, admin)
    before = [each["id"] for each in questions_of(admin, exam)]
    bring(app, admin, "questions", HEADER + SUM)
    content = HEADER + "New?,1,2,3,4,A\n" + SUM
    found = bring(app, admin, "questions", content, exam=exam)
    assert [each["state"] for each in found] == ["new", "changed"]
    listed = questions_of(admin, exam)
    assert [each["id"] for each in listed][: len(before)] == before
    assert [each["text"] for each in listed][len(before) :] == ["New?", "1 + 1 = ?"]
    again = check(app, admin, "questions", content, exam=exam)
    assert again["counts"]["unchanged"] == 2


def questions_of(admin, exam):
    return admin.get(f"/exams/{exam}/?limit=100").json["questions"]["results"]


def test_an_exam_that_has_started_takes_no_questions(app, admin):
    exam = make_exam(app, admin)
    found = check(app, admin, "questions", HEADER + SUM, exam=exam)
    take(app.candidate(), exam)
    refused = send(admin, "questions", HEADER + SUM, exam=exam, status=400, code="invalid")
    assert [*refused["errors"]] == ["exam"]
    assert apply(app, admin, found)["status"] == "failed"


def test_only_admins_add_questions_to_exams(app, admin, moderator):
    exam = make_exam(app, admin)
    send(moderator, "questions", HEADER + SUM, exam=exam, status=403, code="permission_denied")
    send(admin, "questions", HEADER + SUM, exam=999_999, status=404)

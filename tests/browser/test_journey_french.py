"""The exam in French, as a screen reader finds it: roles, names and states, in their order."""

import re

import pytest
from playwright.sync_api import expect

from competition.testing.exam_day import make_exam
from tests.support.browser import PHONE
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

QUESTION = {
    "text": r"Combien font \(\frac{1}{2} + \frac{1}{3}\) ?",
    "option_a": r"\(\frac{2}{5}\)",
    "option_b": r"\(\frac{5}{6}\)",
    "option_c": r"\(x^2 + 1\)",
    "option_d": "Aucune de ces réponses",
    "correct_answer": "B",
    "difficulty": "easy",
}
# The service can't write formulas in French words yet, so the options have English names.
VIEW = """
- link "Aller à la question"
- banner:
  - text: Temps restant
  - timer
  - button "Masquer"
  - paragraph: /Votre réponse est enregistrée à \\d\\d:\\d\\d\\./
  - button "Aucun message"
- navigation "Questions":
  - list:
    - listitem:
      - 'link "Question 1 : B"'
    - listitem:
      - 'link "Question 2 : sans réponse"'
- main:
  - heading "Premier tour Question 1 sur 2" [level=1]
  - region "Question 1":
    - group "Combien font un demi plus un tiers ?":
      - text: Combien font
      - math: 1 2 + 1 3
      - text: "?"
      - radio "A, deux cinquièmes"
      - math: 2 5
      - radio "B, cinq sixièmes" [checked]
      - math: 5 6
      - radio "C, x au carré plus 1"
      - math: x 2 + 1
      - radio "D, Aucune de ces réponses"
    - button "Marquer"
    - button "Poser une question"
    - button "Effacer la réponse"
- contentinfo:
  - button "Précédente" [disabled]
  - link "Toutes"
  - button "Suivante"
"""


@pytest.fixture
def page(site):
    """A candidate's page of an exam with two questions, before the start."""
    admin = site.service.staff("admin")
    questions = [
        admin.post("/questions/", {**QUESTION, **changes}, status=201).json["id"]
        for changes in ({}, {"text": "Combien font 7 fois 8 ?"})
    ]
    exam_id = make_exam(site.service, admin, "", title="Premier tour", questions=questions)
    context = site.device(viewport=PHONE, locale="fr-FR")
    return site.signed_in(site.service.candidate(), f"/exams/{exam_id}", context=context)


def test_the_view_of_a_question_is_french_for_a_screen_reader(page):
    page.get_by_role("button", name="Commencer").click()
    page.get_by_role("radio", name=re.compile("^B, ")).check()
    page.locator(".bar").get_by_text("enregistrée").wait_for()
    expect(page.locator("body")).to_match_aria_snapshot(VIEW)

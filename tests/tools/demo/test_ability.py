from statistics import mean

from tools.demo.ability import BLANK, OPTIONS, answer_sheet, chance
from tools.demo.problems import PROBLEMS


def correct(mind: int) -> int:
    sheet = answer_sheet(mind, PROBLEMS)
    return sum(option == problem.correct for option, problem in zip(sheet, PROBLEMS, strict=True))


def test_the_answers_of_a_mind_do_not_depend_on_the_order_of_the_problems() -> None:
    sheet = answer_sheet(7, PROBLEMS)
    assert answer_sheet(7, PROBLEMS) == sheet
    assert answer_sheet(7, reversed(PROBLEMS)) == sheet[::-1]
    assert answer_sheet(8, PROBLEMS) != sheet


def test_every_answer_is_an_option_or_blank() -> None:
    seen = {option for mind in range(20) for option in answer_sheet(mind, PROBLEMS)}
    assert seen == {*OPTIONS, BLANK}


def test_the_candidates_are_spread_out() -> None:
    scores = [correct(mind) for mind in range(200)]
    assert min(scores) < 15
    assert max(scores) > 50
    assert len(set(scores)) > 30


def test_harder_problems_are_solved_less_often() -> None:
    assert chance(0, "easy") > chance(0, "moderate") > chance(0, "hard")
    assert chance(1, "hard") > chance(-1, "hard")
    solved = {"easy": [], "moderate": [], "hard": []}
    for mind in range(100):
        for option, problem in zip(answer_sheet(mind, PROBLEMS), PROBLEMS, strict=True):
            solved[problem.difficulty].append(option == problem.correct)
    assert mean(solved["easy"]) > mean(solved["moderate"]) > mean(solved["hard"])

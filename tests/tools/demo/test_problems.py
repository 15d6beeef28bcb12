"""The answer keys of the demo problems, computed independently.

Every solver takes the numbers from the statement of the problem. :func:`ints` returns all of them,
so that a solver fails if a number is added or removed. Solvers use brute force, exact arithmetic or
numerical geometry, never the formula of the elegant solution. The result must agree with the right
option and with no other option.
"""

import math
import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, permutations, product

import pytest

from competition.plugins.questions.mathematics import rendering
from tools.demo.problems import PROBLEMS, Problem

Number = int | Fraction | float
Answer = Number | str
Solver = Callable[[str], Answer]
Point = tuple[float, ...]

LETTERS = "ABCD"
BY_SLUG = {problem.slug: problem for problem in PROBLEMS}


def in_dollars(text: str) -> str:
    """The text with dollar signs around its formulas, in the form that the solvers read."""
    return text.replace(r"\(", "$").replace(r"\)", "$")


SOLVERS: dict[str, Solver] = {}

# The slugs of problems whose answer key has a proof but no solver. There are none so far.
PROVED_BY_HAND: frozenset[str] = frozenset()


def solver(slug: str) -> Callable[[Solver], Solver]:
    """Register the decorated function as the solver of the problem with this slug."""

    def register(function: Solver) -> Solver:
        assert slug not in SOLVERS
        SOLVERS[slug] = function
        return function

    return register


# Reading statements and options.


def ints(text: str) -> list[int]:
    """All numbers in the text, in their order: each run of digits is a number."""
    return [int(run) for run in re.findall(r"\d+", text)]


def says(text: str, *snippets: str) -> None:
    """Assert that the statement contains the wording on which a solver depends."""
    for snippet in snippets:
        assert snippet in text, f"the statement no longer says {snippet!r}"


class OptionReader:
    """A recursive-descent reader of the LaTeX in options, exact unless a root is irrational."""

    TOKEN = re.compile(r"\\frac|\\sqrt|\d+|[-+^{}]")

    def __init__(self, latex: str) -> None:
        bare = latex.replace(r"^\circ", "").replace(" ", "")
        self.tokens = self.TOKEN.findall(bare)
        assert "".join(self.tokens) == bare, f"unreadable option {latex!r}"

    def read(self) -> Fraction | float:
        value = self.sum()
        assert not self.tokens
        return value

    def accept(self, token: str) -> bool:
        if self.tokens and self.tokens[0] == token:
            del self.tokens[0]
            return True
        return False

    def sum(self) -> Fraction | float:
        value = -self.term() if self.accept("-") else self.term()
        while self.tokens and self.tokens[0] in "+-":
            sign = -1 if self.tokens.pop(0) == "-" else 1
            value += sign * self.term()
        return value

    def term(self) -> Fraction | float:
        value = self.power()
        while self.tokens and self.tokens[0] not in {"+", "-", "}"}:
            value *= self.power()
        return value

    def power(self) -> Fraction | float:
        base = self.atom()
        return base ** int(self.group()) if self.accept("^") else base

    def atom(self) -> Fraction | float:
        if self.accept(r"\frac"):
            numerator = self.group()
            return numerator / self.group()
        if self.accept(r"\sqrt"):
            return math.sqrt(self.group())
        return Fraction(self.tokens.pop(0))

    def group(self) -> Fraction | float:
        assert self.accept("{")
        value = self.sum()
        assert self.accept("}")
        return value


def option_value(option: str) -> Answer:
    """The number that the option denotes, or the option itself if it is a word."""
    option = in_dollars(option)
    if option.startswith("$") and option.endswith("$"):
        return OptionReader(option[1:-1]).read()
    return option


def agree(computed: Answer, option: Answer) -> bool:
    """Whether two values are equal, compared exactly if both are exact."""
    if isinstance(computed, float) or isinstance(option, float):
        assert not isinstance(computed, str)
        assert not isinstance(option, str)
        return math.isclose(computed, option, rel_tol=1e-6)
    return computed == option


# Tools that several solvers share.


def is_square(n: int) -> bool:
    return math.isqrt(n) ** 2 == n


def solve_linear(matrix: Sequence[Sequence[int]], right: Sequence[Number]) -> list[Fraction]:
    """The solution of linear equations, by Gauss-Jordan elimination over the rationals."""
    rows = [[Fraction(x) for x in (*row, r)] for row, r in zip(matrix, right, strict=True)]
    for column in range(len(rows)):
        pivot = next(i for i in range(column, len(rows)) if rows[i][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [x / rows[column][column] for x in rows[column]]
        for i, row in enumerate(rows):
            if i != column:
                rows[i] = [x - row[column] * y for x, y in zip(row, rows[column], strict=True)]
    return [row[-1] for row in rows]


def bisect(function: Callable[[float], float], low: float, high: float) -> float:
    """The zero of an increasing function."""
    assert function(low) < 0 < function(high)
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return low


def greatest(function: Callable[[float], float], low: float, high: float) -> float:
    """The greatest value of a unimodal function, by ternary search."""
    for _ in range(100):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (left, high) if function(left) < function(right) else (low, right)
    return function(low)


def connected(nodes: Iterable[int], edges: Iterable[tuple[int, int]]) -> bool:
    group = {node: node for node in nodes}
    for a, b in edges:
        old, new = group[a], group[b]
        group = {node: new if g == old else g for node, g in group.items()}
    return len(set(group.values())) == 1


def largest_clique(adjacent: Sequence[int]) -> int:
    """The size of the largest clique, by branch and bound with greedy colouring. ``adjacent`` has
    one bit mask per vertex."""
    best = 0

    def grow(size: int, candidates: int) -> None:
        nonlocal best
        best = max(best, size)
        order: list[tuple[int, int]] = []
        left, colours = candidates, 0
        while left:
            colours += 1
            free = left
            while free:
                vertex = (free & -free).bit_length() - 1
                left &= ~(1 << vertex)
                free &= ~(1 << vertex) & ~adjacent[vertex]
                order.append((vertex, colours))
        for vertex, colour in reversed(order):
            if size + colour <= best:
                return
            grow(size + 1, candidates & adjacent[vertex])
            candidates &= ~(1 << vertex)

    grow(0, (1 << len(adjacent)) - 1)
    return best


def coverings(cells: frozenset[Point], pieces: Sequence[Sequence[Point]]) -> int:
    """The number of ways in which translates of the pieces cover the cells.

    The cells of each piece are relative to its least cell, which comes first and is (0, 0).
    """

    @cache
    def count(empty: frozenset[Point]) -> int:
        if not empty:
            return 1
        x, y = min(empty)
        total = 0
        for piece in pieces:
            placed = frozenset((x + dx, y + dy) for dx, dy in piece)
            if placed <= empty:
                total += count(empty - placed)
        return total

    return count(cells)


DOMINOES: tuple[tuple[Point, ...], ...] = (((0, 0), (0, 1)), ((0, 0), (1, 0)))
CORNERS: tuple[tuple[Point, ...], ...] = (
    ((0, 0), (0, 1), (1, 0)),
    ((0, 0), (0, 1), (1, 1)),
    ((0, 0), (1, 0), (1, 1)),
    ((0, 0), (1, -1), (1, 0)),
)


# Easy problems.


@solver("painted-brick")
def _painted_brick(text: str) -> Answer:
    *sides, cubes = ints(text)
    says(text, "exactly one red face")
    faces = [
        sum((x == 0) + (x == side - 1) for x, side in zip(cube, sides, strict=True))
        for cube in product(*map(range, sides))
    ]
    assert len(faces) == cubes
    return faces.count(1)


@solver("last-digit")
def _last_digit(text: str) -> Answer:
    says(text, "last digit", "^{")
    a, m, b, n = ints(text)
    return (pow(a, m, 10) + pow(b, n, 10)) % 10


@solver("broken-vase")
def _broken_vase(text: str) -> Answer:
    children = ("Anna", "Ben", "Cleo", "Dora")
    says(text, "Exactly one of four children, Anna, Ben, Cleo and Dora, broke")
    true_statements, statements = ints(text)
    readings: dict[str, Callable[[str], bool]] = {
        "Anna says: “It was Ben or Cleo.”": lambda culprit: culprit in {"Ben", "Cleo"},
        "Ben says: “It was Dora.”": lambda culprit: culprit == "Dora",
        "Cleo says: “It was neither Anna nor I.”": lambda culprit: culprit not in {"Anna", "Cleo"},
        "Dora says: “What Ben says is true.”": lambda culprit: culprit == "Dora",
    }
    says(text, *readings)
    assert len(readings) == statements
    (culprit,) = (
        child
        for child in children
        if sum(reading(child) for reading in readings.values()) == true_statements
    )
    return culprit


@solver("twins-shaking-hands")
def _twins_shaking_hands(text: str) -> Answer:
    (pairs,) = ints(text)
    says(text, "pairs of twins", "except with his or her own twin")
    guests = product(range(pairs), range(2))
    return sum(a[0] != b[0] for a, b in combinations(guests, 2))


@solver("clock-hands")
def _clock_hands(text: str) -> Answer:
    says(text, "smaller of the two angles")
    hour, minute = ints(text)
    minutes = 60 * hour + minute
    hour_hand, minute_hand = Fraction(minutes * 360, 12 * 60) % 360, Fraction(minute * 360, 60)
    turn = abs(hour_hand - minute_hand)
    return min(turn, 360 - turn)


@solver("multiple-of-digit-sum")
def _multiple_of_digit_sum(text: str) -> Answer:
    (factor,) = ints(text)
    says(text, "two-digit numbers")
    return sum(n == factor * sum(map(int, str(n))) for n in range(10, 100))


@solver("ant-and-glue")
def _ant_and_glue(text: str) -> Answer:
    x0, y0, x1, y1, *glue = ints(text)

    def routes(x: int, y: int) -> int:
        if [x, y] == glue or x > x1 or y > y1:
            return 0
        return 1 if (x, y) == (x1, y1) else routes(x + 1, y) + routes(x, y + 1)

    return routes(x0, y0)


@solver("three-taps")
def _three_taps(text: str) -> Answer:
    says(
        text,
        "The first and the second tap",
        "the second and the third in",
        "the first and the third in",
    )
    hours = ints(text)
    pairs = ((1, 1, 0), (0, 1, 1), (1, 0, 1))
    return 1 / sum(solve_linear(pairs, [Fraction(1, h) for h in hours]))


@solver("match-lattice")
def _match_lattice(text: str) -> Answer:
    rows, columns = ints(text)
    matches = set()
    for x, y in product(range(rows), range(columns)):
        corners = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1), (x, y))
        matches |= {frozenset(side) for side in pairwise(corners)}
    return len(matches)


@solver("triangle-in-rectangle")
def _triangle_in_rectangle(text: str) -> Answer:
    says(text, "$M$ be the midpoint of $BC$ and $N$ the midpoint of $CD$", "triangle $AMN$")
    says(text, "$AB=", "$BC=")
    ab, bc = ints(text)
    m, n = (ab, Fraction(bc, 2)), (Fraction(ab, 2), bc)
    return abs(m[0] * n[1] - m[1] * n[0]) / 2


@solver("square-on-the-dice")
def _square_on_the_dice(text: str) -> Answer:
    says(text, "Two fair dice", "product of the two numbers rolled is a perfect square")
    low, high = ints(text)
    rolls = list(product(range(low, high + 1), repeat=2))
    return Fraction(sum(is_square(a * b) for a, b in rolls), len(rolls))


@solver("noughts-and-fives")
def _noughts_and_fives(text: str) -> Answer:
    divisor, *digits = ints(text)
    for length in range(1, 16):
        for word in product(map(str, digits), repeat=length):
            if word[0] != "0" and int("".join(word)) % divisor == 0:
                return length
    raise AssertionError


@solver("pupils-in-rows")
def _pupils_in_rows(text: str) -> Answer:
    low, high, *rows = ints(text)
    says(text, "More than", "but fewer than")
    conditions = list(zip(rows[::2], rows[1::2], strict=True))
    (pupils,) = (
        n for n in range(low + 1, high) if all(n % row == left for row, left in conditions)
    )
    return pupils


@solver("taking-stones")
def _taking_stones(text: str) -> Answer:
    says(text, "the player who takes the last stone wins")
    stones, *moves = ints(text)

    @cache
    def wins(left: int) -> bool:
        return any(not wins(left - move) for move in moves if move <= left)

    (first,) = (move for move in moves if not wins(stones - move))
    return first


@solver("light-coin")
def _light_coin(text: str) -> Answer:
    (coins,) = ints(text)
    says(text, "the counterfeit one is lighter", "two-pan balance")

    @cache
    def weighings(suspects: int) -> int:
        if suspects == 1:
            return 0
        return 1 + min(
            max(weighings(pan), weighings(suspects - 2 * pan) if suspects > 2 * pan else 0)
            for pan in range(1, suspects // 2 + 1)
        )

    return weighings(coins)


@solver("socks-in-the-dark")
def _socks_in_the_dark(text: str) -> Answer:
    *drawer, colours = ints(text)
    unlucky = (
        sum(taken)
        for taken in product(*(range(socks + 1) for socks in drawer))
        if sum(socks >= 2 for socks in taken) < colours
    )
    return max(unlucky) + 1


@solver("collapsing-product")
def _collapsing_product(text: str) -> Answer:
    says(text, r"\left(1+\frac{1}{", r"\cdots\left(1+\frac{1}{")
    numbers = ints(text)
    *shown, last = numbers[2::3]
    assert set(numbers[0::3] + numbers[1::3]) == {1}
    assert shown == [shown[0], shown[0] + 1, shown[0] + 2]
    return math.prod((1 + Fraction(1, k) for k in range(shown[0], last + 1)), start=Fraction(1))


@solver("growing-runs")
def _growing_runs(text: str) -> Answer:
    *shown, index = ints(text)
    sequence = [k for k in range(1, index + 1) for _ in range(k)]
    assert sequence[: len(shown)] == shown
    return sequence[index - 1]


@solver("five-mondays")
def _five_mondays(text: str) -> Answer:
    week = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    wanted = {day: int(n) for n, day in re.findall(r"exactly \$(\d+)\$ (\w+day)s", text)}
    assert len(wanted) == len(ints(text)) == 3
    followers = set()
    for start, length in product(range(7), range(28, 32)):
        days = Counter(week[(start + i) % 7] for i in range(length))
        if all(days[day] == n for day, n in wanted.items()):
            followers.add(week[(start + length) % 7])
    (follower,) = followers
    return follower


@solver("merging-numbers")
def _merging_numbers(text: str) -> Answer:
    says(text, "the number $a+b-1$ is written")
    *shown, last, loss, moves = ints(text)
    assert shown == [1, 2, 3]
    boards = {tuple(range(shown[0], last + 1))}
    for _ in range(moves):
        boards = {
            tuple(sorted((*board[:i], *board[i + 1 : j], *board[j + 1 :], a + b - loss)))
            for board in boards
            for (i, a), (j, b) in combinations(enumerate(board), 2)
        }
    ((result,),) = boards
    return result


# Moderate problems.


@solver("odd-guests")
def _odd_guests(text: str) -> Answer:
    lamps, first, last_lamp, *shown, last = ints(text)
    assert (first, last_lamp, shown) == (1, lamps, [1, 3, 5])
    assert last % 2 == 1
    lit = [False] * (lamps + 1)
    for guest in range(shown[0], last + 1, shown[1] - shown[0]):
        for lamp in range(guest, lamps + 1, guest):
            lit[lamp] = not lit[lamp]
    return sum(lit)


@solver("liars-and-divisors")
def _liars_and_divisors(text: str) -> Answer:
    count, first, last = ints(text)
    says(text, "there is at least one liar", "liars among the ten of us is divisible by $k$")
    assert (count, first) == (last, 1) == (10, 1)
    possible = set()
    for liar in product((False, True), repeat=count):
        liars = sum(liar)
        if liars and all(liar[k - 1] == (liars % k != 0) for k in range(first, last + 1)):
            possible.add(liars)
    (answer,) = possible
    return answer


@solver("board-with-a-hole")
def _board_with_a_hole(text: str) -> Answer:
    total, rows, columns, again, dominoes = ints(text)
    cells = frozenset[Point](product(range(rows), range(columns)))
    assert len(cells) == total == again == 2 * dominoes + 1
    return sum(coverings(cells - {hole}, DOMINOES) > 0 for hole in cells)


@solver("cyclic-substitution")
def _cyclic_substitution(text: str) -> Answer:
    says(text, r"f(x)+2f\left(\frac{1}{1-x}\right)=x.")
    *excluded, factor, numerator, constant, start = ints(text)
    assert excluded == [0, 1]
    orbit = [Fraction(start)]
    while (image := numerator / (constant - orbit[-1])) != start:
        orbit.append(image)
    size = len(orbit)
    matrix = [[(i == j) + factor * (j == (i + 1) % size) for j in range(size)] for i in range(size)]
    return solve_linear(matrix, orbit)[0]


@solver("two-centres")
def _two_centres(text: str) -> Answer:
    says(text, "legs of a right-angled triangle", "inscribed circle", "circumscribed circle")
    a, b = ints(text)
    inradius = bisect(lambda r: a * r + b * r + math.hypot(a, b) * r - a * b, 0, a + b)
    return math.dist((inradius, inradius), (a / 2, b / 2))


@solver("square-divisors")
def _square_divisors(text: str) -> Answer:
    n, *factors = ints(text)
    assert factors == [1, 2, 3, n]
    value = math.factorial(n)
    return sum(value % (d * d) == 0 for d in range(1, math.isqrt(value) + 1))


@solver("changing-chairs")
def _changing_chairs(text: str) -> Answer:
    friends, chairs, fixed = ints(text)
    assert friends == chairs
    return sum(
        sum(i == seat for i, seat in enumerate(seats)) == fixed
        for seats in permutations(range(friends))
    )


@solver("central-binomial")
def _central_binomial(text: str) -> Answer:
    says(text, r"$2^k$ divides", r"\binom")
    base, n, k = ints(text)
    value, power = math.comb(n, k), 0
    while value % base == 0:
        value, power = value // base, power + 1
    return power


@solver("weighted-reciprocals")
def _weighted_reciprocals(text: str) -> Answer:
    says(text, r"$x+4y=1$", r"least possible value of $\frac{1}{x}+\frac{1}{y}$")
    weight, total, _, _ = ints(text)
    tiny = 1e-9
    return -greatest(lambda y: -1 / (total - weight * y) - 1 / y, tiny, total / weight - tiny)


@solver("climbing-king")
def _climbing_king(text: str) -> Answer:
    says(text, "square above", "on the right", "diagonally above and to the right")
    says(text, "cannot move loses", "moves second")
    squares, rows, columns = ints(text)

    @cache
    def wins(x: int, y: int) -> bool:
        moves = ((x + 1, y), (x, y + 1), (x + 1, y + 1))
        return any(not wins(*move) for move in moves if move[0] < columns and move[1] < rows)

    starts = list(product(range(columns), range(rows)))
    assert len(starts) == squares
    return sum(not wins(*start) for start in starts)


@solver("surely-connected")
def _surely_connected(text: str) -> Answer:
    (towns,) = ints(text)
    says(text, "each pair by at most one")

    @cache
    def most_roads(left: int, largest: int) -> int:
        """The most roads between the towns, if no component has more than ``largest`` of them."""
        if left == 0:
            return 0
        return max(
            math.comb(part, 2) + most_roads(left - part, part)
            for part in range(1, min(left, largest) + 1)
        )

    return most_roads(towns, towns - 1) + 1


@solver("circle-in-the-gap")
def _circle_in_the_gap(text: str) -> Answer:
    says(text, "touch each other externally", "from the same side")
    big, small = ints(text)

    def between(r: float, s: float) -> float:
        """The distance between the points where touching circles of these radii touch a line."""
        return math.sqrt((r + s) ** 2 - (r - s) ** 2)

    return bisect(lambda r: between(big, r) + between(small, r) - between(big, small), 0, small)


@solver("rational-recurrence")
def _rational_recurrence(text: str) -> Answer:
    says(text, r"$a_1=2$ and $a_2=3$", r"a_{n+2}=\frac{1+a_{n+1}}{a_n}.", "sum of the first")
    _, first, _, second, _, constant, _, count = ints(text)
    terms = [Fraction(first), Fraction(second)]
    while len(terms) < count:
        terms.append((constant + terms[-1]) / terms[-2])
    return sum(terms)


@solver("reciprocal-roots")
def _reciprocal_roots(text: str) -> Answer:
    match = re.search(r"x\^3-(\d+)x\^2\+(\d+)x-(\d+)=0", text)
    assert match
    says(text, r"$\frac{1}{a^2}+\frac{1}{b^2}+\frac{1}{c^2}$")
    p, q, r = map(int, match.groups())

    def polynomial(x: float) -> float:
        return x**3 - p * x**2 + q * x - r

    grid = [i / 16 for i in range(-160, 161)]
    roots = []
    for low, high in pairwise(grid):
        if polynomial(low) < 0 < polynomial(high):
            roots.append(bisect(polynomial, low, high))
        elif polynomial(low) > 0 > polynomial(high):
            roots.append(bisect(lambda x: -polynomial(x), low, high))
    assert len(roots) == 3
    return sum(root**-2 for root in roots)


@solver("two-bisectors")
def _two_bisectors(text: str) -> Answer:
    says(text, "$BF=", "$CE=", "angle at $B$ meets the side $AC$ at $E$")
    says(text, "angle at $C$ meets the side $AB$ at $F$", "length of $BC$")
    alpha, bf, ce = ints(text)

    def segments(beta: float) -> tuple[float, float]:
        """BF and CE, by the law of sines, in the triangle with BC = 1 and this angle at B."""
        gamma = 180 - alpha - beta
        sine = [math.sin(math.radians(x)) for x in (beta, gamma, beta / 2, gamma / 2)]
        return (
            sine[3] / math.sin(math.radians(beta + gamma / 2)),
            sine[2] / math.sin(math.radians(gamma + beta / 2)),
        )

    def imbalance(beta: float) -> float:
        f, e = segments(beta)
        return e * bf - f * ce

    return bf / segments(bisect(imbalance, 1e-6, 180 - alpha - 1e-6))[0]


@solver("turning-cups")
def _turning_cups(text: str) -> Answer:
    cups, turned = ints(text)
    moves = {0: 0}
    queue = deque(moves)
    while queue:
        upright = queue.popleft()
        for down in range(turned + 1):
            up = turned - down
            if up > cups - upright or down > upright:
                continue
            reached = upright + up - down
            if reached not in moves:
                moves[reached] = moves[upright] + 1
                queue.append(reached)
    return moves[cups]


@solver("waiting-for-white")
def _waiting_for_white(text: str) -> Answer:
    says(text, "white and", "without replacement", "including this white one")
    white, black = ints(text)
    places = list(combinations(range(1, white + black + 1), white))
    return Fraction(sum(map(min, places)), len(places))


@solver("obtuse-triangles")
def _obtuse_triangles(text: str) -> Answer:
    (n,) = ints(text)
    says(text, "obtuse-angled triangles", "regular")
    return sum(2 * max(b - a, c - b, n - c + a) > n for a, b, c in combinations(range(n), 3))


@solver("neither-square-nor-cube")
def _neither_square_nor_cube(text: str) -> Answer:
    says(text, "neither perfect squares nor perfect cubes")
    *shown, index = ints(text)
    powers = {k**e for e in (2, 3) for k in range(2 * index)}
    listed = [n for n in range(1, 2 * index) if n not in powers]
    assert listed[: len(shown)] == shown
    return listed[index - 1]


@solver("beetle-on-a-cube")
def _beetle_on_a_cube(text: str) -> Answer:
    length, count = ints(text)
    says(text, "each of the", "edges at least once and returns")
    edges = [(v, v | bit) for v in range(8) for bit in (1, 2, 4) if not v & bit]
    assert len(edges) == count
    # A closed route that uses every edge exists as soon as every vertex has an even degree.
    for repeated in range(count + 1):
        for again in combinations(edges, repeated):
            degrees = Counter(vertex for edge in (*edges, *again) for vertex in edge)
            if all(degree % 2 == 0 for degree in degrees.values()):
                return (count + repeated) * length
    raise AssertionError


# Hard problems.


@solver("divisible-by-the-product")
def _divisible_by_the_product(text: str) -> Answer:
    says(text, "ordered pairs", "$a^2+b^2+1$ is divisible by $ab$")
    bound, p, q, constant = ints(text)
    return sum(
        (pow(a, p, a * b) + pow(b, q, a * b) + constant) % (a * b) == 0
        for a, b in product(range(1, bound + 1), repeat=2)
    )


@solver("dominoes-and-corners")
def _dominoes_and_corners(text: str) -> Answer:
    says(text, r"$1\times2$ rectangles", r"$2\times2$ squares from which one cell", "different")
    rows, columns, *_ = ints(text)
    cells = frozenset[Point](product(range(columns), range(rows)))
    return coverings(cells, DOMINOES + CORNERS)


@solver("euclid-plays")
def _euclid_plays(text: str) -> Answer:
    says(text, "positive multiple of the other", "moves second")
    says(text, r"\le n\le", "first obtains the number")
    zero, low, high, start = ints(text)
    assert zero == 0

    @cache
    def wins(a: int, b: int) -> bool:
        """Whether the player to move wins, for a <= b."""
        results = (b - multiple for multiple in range(a, b + 1, a))
        return any(r == zero or not wins(min(a, r), max(a, r)) for r in results)

    return sum(not wins(min(start, n), max(start, n)) for n in range(low, high + 1))


@solver("product-of-distances")
def _product_of_distances(text: str) -> Answer:
    a, b, c = ints(text)
    says(text, "greatest possible value of the product $pqr$")
    s = (a + b + c) / 2
    double_area = 2 * math.sqrt(s * (s - a) * (s - b) * (s - c))

    def best(p: float) -> float:
        rest = double_area - a * p
        return greatest(lambda q: p * q * (rest - b * q) / c, 0, rest / b)

    return greatest(best, 0, double_area / a)


@solver("heptagon-diagonals")
def _heptagon_diagonals(text: str) -> Answer:
    vertices, side, *_ = ints(text)
    says(text, "only two different lengths, $d$ and $e$", r"$\frac{1}{d}+\frac{1}{e}$")
    points = [
        (math.cos(math.tau * k / vertices), math.sin(math.tau * k / vertices))
        for k in range(vertices)
    ]
    scale = side / math.dist(points[0], points[1])
    lengths = {round(scale * math.dist(points[0], point), 9) for point in points[2:-1]}
    assert len(lengths) == 2
    return sum(1 / length for length in lengths)


@solver("restless-round-table")
def _restless_round_table(text: str) -> Answer:
    seats, knights, neighbours = ints(text)
    says(text, "round table", "everybody returns to his own seat is counted as well")
    assert (seats, neighbours) == (knights, 2)
    return sum(
        len({(i + shift) % seats for i, shift in enumerate(shifts)}) == seats
        for shifts in product((-1, 0, 1), repeat=knights)
    )


@solver("icosahedron-walk")
def _icosahedron_walk(text: str) -> Answer:
    says(text, "regular icosahedron", "vertex opposite to its starting point")
    count, degree = ints(text)
    golden = (1 + math.sqrt(5)) / 2
    vertices: list[Point] = [
        (0.0, x, y * golden)[shift:] + (0.0, x, y * golden)[:shift]
        for shift in range(3)
        for x, y in product((-1.0, 1.0), repeat=2)
    ]
    assert len(vertices) == count
    target = next(i for i, v in enumerate(vertices) if math.dist(v, vertices[0]) > 2 * golden)
    matrix, right = [], []
    for i, v in enumerate(vertices):
        adjacent = [math.isclose(math.dist(v, w), 2) for w in vertices]
        assert sum(adjacent) == degree
        if i == target:
            matrix.append([int(j == target) for j in range(count)])
            right.append(0)
        else:
            matrix.append([degree * (j == i) - adjacent[j] for j in range(count)])
            right.append(degree)
    return solve_linear(matrix, right)[0]


@solver("rational-depth")
def _rational_depth(text: str) -> Answer:
    says(text, r"f\left(\frac{1}{x}\right)=f(x)", "f(x+1)=f(x)+1")
    start, start_value, *_, value = ints(text)
    assert (start, start_value) == (1, 1)
    # If f(y) > 1, then y or 1/y exceeds 1 and is therefore x + 1 for some x with f(x) = f(y) - 1.
    level = {Fraction(start)}
    for _ in range(value - start_value):
        level = {y for x in level for y in (x + 1, 1 / (x + 1))}
    return len(level)


@solver("long-period")
def _long_period(text: str) -> Answer:
    says(text, "decimal expansion", r"\frac", "shortest period")
    numerator, denominator = ints(text)
    seen: dict[int, int] = {}
    remainder, position = numerator % denominator, 0
    while remainder not in seen:
        seen[remainder] = position
        remainder, position = remainder * 10 % denominator, position + 1
    return position - seen[remainder]


@solver("touching-lamps")
def _touching_lamps(text: str) -> Answer:
    says(text, "lamp in this cell", "a side in common with it", "the initial one included")
    rows, columns = ints(text)
    cells = list(product(range(rows), range(columns)))
    reached = {0}
    for x, y in cells:
        touch = sum(1 << i for i, (u, v) in enumerate(cells) if abs(x - u) + abs(y - v) <= 1)
        reached |= {pattern ^ touch for pattern in reached}
    return len(reached)


@solver("friends-without-triangles")
def _friends_without_triangles(text: str) -> Answer:
    says(text, "are all friends with one another", "so that no two friends belong to the same")
    pupils, clique, groups = ints(text)
    assert (clique, groups) == (3, 2)

    def graphs(adjacent: list[int]) -> Iterator[list[int]]:
        """All triangle-free graphs that extend the given graph to all pupils."""
        size = len(adjacent)
        if size == pupils:
            yield adjacent
            return
        for friends in range(1 << size):
            chosen = [i for i in range(size) if friends >> i & 1]
            if all(not adjacent[i] & friends for i in chosen):
                extended = [a | (friends >> i & 1) << size for i, a in enumerate(adjacent)]
                yield from graphs([*extended, friends])

    def divisible(adjacent: list[int]) -> bool:
        full = (1 << pupils) - 1
        return any(
            all(not a & (side if side >> i & 1 else full ^ side) for i, a in enumerate(adjacent))
            for side in range(1 << pupils)
        )

    best = 0
    for graph in graphs([]):
        pairs = sum(a.bit_count() for a in graph) // 2
        if pairs > best and not divisible(graph):
            best = pairs
    return best


@solver("crossing-subsets")
def _crossing_subsets(text: str) -> Answer:
    says(text, "have an element in common", "neither of the two contains the other")
    elements = ints(text)
    assert elements == list(range(1, len(elements) + 1))
    subsets = range(1 << len(elements))
    adjacent = [sum(1 << t for t in subsets if s & t and s & t not in {s, t}) for s in subsets]
    return largest_clique(adjacent)


@solver("every-third-binomial")
def _every_third_binomial(text: str) -> Answer:
    elements, divisor = ints(text)
    says(text, "the empty subset included")
    return sum(mask.bit_count() % divisor == 0 for mask in range(1 << elements))


@solver("chain-of-products")
def _chain_of_products(text: str) -> Answer:
    says(text, "a^2+b^2+c^2+d^2=", "greatest possible value of $ab+bc+cd$")
    total = ints(text)[-1]
    # The power method on the symmetric matrix of the form, shifted to be positive definite.
    vector = [1.0, 1.0, 1.0, 1.0]
    for _ in range(500):
        padded = [0.0, *vector, 0.0]
        vector = [padded[i] + (padded[i - 1] + padded[i + 1]) / 2 for i in range(1, 5)]
        norm = math.hypot(*vector)
        vector = [x / norm for x in vector]
    return total * sum(x * y for x, y in pairwise(vector))


@solver("polynomial-imitates-a-fraction")
def _polynomial_imitates_a_fraction(text: str) -> Answer:
    says(text, r"has degree at most $4$ and satisfies $P(k)=\frac{1}{k^2}$", "$P(6)$")
    degree, numerator, exponent, *nodes, target = ints(text)
    assert len(nodes) == degree + 1
    matrix = [[node**i for i in range(degree + 1)] for node in nodes]
    coefficients = solve_linear(matrix, [Fraction(numerator, node**exponent) for node in nodes])
    return sum(coefficient * Fraction(target) ** i for i, coefficient in enumerate(coefficients))


@solver("kings-on-a-doughnut")
def _kings_on_a_doughnut(text: str) -> Answer:
    says(text, "top edge is joined to the bottom edge and the left edge to the right edge")
    rows, columns, neighbours = ints(text)
    cells = list(product(range(rows), range(columns)))
    near = {0, 1}
    peaceful = [
        sum(
            1 << i
            for i, (u, v) in enumerate(cells)
            if min((x - u) % rows, (u - x) % rows) not in near
            or min((y - v) % columns, (v - y) % columns) not in near
        )
        for x, y in cells
    ]
    assert all(len(cells) - 1 - mask.bit_count() == neighbours for mask in peaceful)
    return largest_clique(peaceful)


@solver("always-in-the-lead")
def _always_in_the_lead(text: str) -> Answer:
    says(text, "Ada received", "Bob received", "always strictly ahead of Bob")
    ada, bob = ints(text)
    orders = list(combinations(range(ada + bob), bob))
    leading = sum(
        # It is enough to check Bob's votes. Just after the vote at place p, which is his vote
        # number j + 1, Ada has p - j votes.
        all(p - j > j + 1 for j, p in enumerate(order))
        for order in orders
    )
    return Fraction(leading, len(orders))


@solver("ball-among-balls")
def _ball_among_balls(text: str) -> Answer:
    balls, radius = ints(text)
    says(text, "touches the other three", "touches all of them")
    centres = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]
    assert balls == len(centres)
    distances = {math.dist(a, b) for a, b in combinations(centres, 2)}
    assert len(distances) == 1
    scale = 2 * radius / distances.pop()
    return scale * math.dist((0, 0, 0), centres[0]) - radius


@solver("consecutive-secrets")
def _consecutive_secrets(text: str) -> Answer:
    (difference,) = ints(text)
    says(text, "both know that the two numbers differ by exactly")
    horizon = 60
    worlds = {
        (a, b) for a, b in product(range(1, horizon + 1), repeat=2) if abs(a - b) == difference
    }
    conversation = re.findall(r"(Ana|Boris): “(.+?)”", text)
    assert len(conversation) == 4
    for speaker, sentence in conversation:
        index = ("Ana", "Boris").index(speaker)
        knows = "not know" not in sentence
        seen = Counter(world[index] for world in worlds)
        worlds = {world for world in worlds if (seen[world[index]] == 1) == knows}
    # Worlds near the horizon are artefacts of cutting the integers off there.
    return max(sum(world) for world in worlds if max(world) < horizon / 2)


@solver("capital-at-the-end")
def _capital_at_the_end(text: str) -> Answer:
    towns, roads = ints(text)
    says(text, "exactly one of the roads ends in the capital")
    networks = combinations(combinations(range(towns), 2), roads)
    return sum(
        sum(0 in road for road in network) == 1 and connected(range(towns), network)
        for network in networks
    )


# The tests.


@pytest.mark.parametrize("slug", SOLVERS)
def test_the_answer_key_equals_the_computed_answer(slug: str) -> None:
    problem = BY_SLUG[slug]
    computed = SOLVERS[slug](in_dollars(problem.text))
    fitting = [
        letter
        for letter, option in zip(LETTERS, problem.options, strict=True)
        if agree(computed, option_value(option))
    ]
    assert fitting == [problem.correct], f"computed {computed}"


def test_every_problem_is_solved_or_proved() -> None:
    assert not SOLVERS.keys() & PROVED_BY_HAND
    assert SOLVERS.keys() | PROVED_BY_HAND == BY_SLUG.keys()
    assert len(SOLVERS) >= 45


def test_there_are_twenty_problems_of_each_difficulty() -> None:
    assert len(PROBLEMS) == 60
    assert len(BY_SLUG) == 60
    assert Counter(problem.difficulty for problem in PROBLEMS) == {
        "easy": 20,
        "moderate": 20,
        "hard": 20,
    }


def test_texts_differ_by_more_than_numbers() -> None:
    assert len({problem.text for problem in PROBLEMS}) == 60
    assert len({re.sub(r"[\d\W_]+", " ", problem.text) for problem in PROBLEMS}) == 60


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.slug)
def test_every_problem_is_well_formed(problem: Problem) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", problem.slug)
    assert problem.correct in LETTERS
    assert len(problem.options) == len(LETTERS)
    assert 1 <= len(problem.text) <= 10_000
    for string in (problem.text, *problem.options):
        assert string == " ".join(string.split()) != ""
        assert rendering.render(string, {}).words
        assert string.count("{") - string.count(r"\{") == string.count("}") - string.count(r"\}")
    assert all(len(option) <= 2_000 for option in problem.options)
    values = [option_value(option) for option in problem.options]
    assert not any(agree(a, b) for a, b in combinations(values, 2))


def test_right_answers_are_spread_over_the_letters() -> None:
    keys = Counter(problem.correct for problem in PROBLEMS)
    assert all(10 <= keys[letter] <= 20 for letter in LETTERS)

r"""The problem bank of the demo season: three difficulties, twenty problems each.

Formulas are LaTeX between dollar signs.  Every number that a solution depends on is written in
figures, because the tests read the numbers from the statement and compute the answer afresh.
The wrong options are the results of typical mistakes.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """A multiple-choice problem; ``slug`` names it for good, whatever becomes of its wording."""

    slug: str
    text: str
    options: tuple[str, str, str, str]  # A, B, C, D
    correct: str  # "A".."D"
    difficulty: str  # "easy" | "moderate" | "hard"


_EASY: tuple[Problem, ...] = (
    Problem(
        slug="painted-brick",
        text=(
            r"A wooden brick measuring $3\times4\times5$ is dipped in red paint and, once it has "
            r"dried, sawn into $60$ unit cubes. How many of the unit cubes have exactly one red "
            r"face?"
        ),
        options=("$22$", "$24$", "$54$", "$94$"),
        correct="A",
        difficulty="easy",
    ),
    Problem(
        slug="last-digit",
        text=r"What is the last digit of the number $2^{2026}+3^{2026}$?",
        options=("$1$", "$3$", "$5$", "$7$"),
        correct="B",
        difficulty="easy",
    ),
    Problem(
        slug="broken-vase",
        text=(
            "Exactly one of four children, Anna, Ben, Cleo and Dora, broke the vase. "
            "Anna says: “It was Ben or Cleo.” "
            "Ben says: “It was Dora.” "
            "Cleo says: “It was neither Anna nor I.” "
            "Dora says: “What Ben says is true.” "
            "Exactly $2$ of these $4$ statements are true. Who broke the vase?"
        ),
        options=("Anna", "Ben", "Cleo", "Dora"),
        correct="B",
        difficulty="easy",
    ),
    Problem(
        slug="twins-shaking-hands",
        text=(
            "At a festival, $6$ pairs of twins meet. Everybody shakes hands exactly once with "
            "everybody else, except with his or her own twin. How many handshakes are exchanged?"
        ),
        options=("$30$", "$60$", "$66$", "$120$"),
        correct="B",
        difficulty="easy",
    ),
    Problem(
        slug="clock-hands",
        text=(
            "What is the smaller of the two angles between the hour hand and the minute hand of "
            "a clock that shows $7{:}20$?"
        ),
        options=(r"$80^\circ$", r"$90^\circ$", r"$100^\circ$", r"$110^\circ$"),
        correct="C",
        difficulty="easy",
    ),
    Problem(
        slug="multiple-of-digit-sum",
        text=(
            "How many two-digit numbers are exactly $7$ times as large as the sum of their digits?"
        ),
        options=("$1$", "$2$", "$3$", "$4$"),
        correct="D",
        difficulty="easy",
    ),
    Problem(
        slug="ant-and-glue",
        text=(
            "An ant walks along the lines of a square grid from the point $(0,0)$ to the point "
            "$(4,3)$. Every step leads one unit to the right or one unit up. A drop of glue covers "
            "the point $(2,1)$, and the ant avoids it. How many different routes are open to the "
            "ant?"
        ),
        options=("$12$", "$17$", "$18$", "$35$"),
        correct="B",
        difficulty="easy",
    ),
    Problem(
        slug="three-taps",
        text=(
            "Each of three taps runs at a constant rate of its own. The first and the second tap "
            "together fill an empty tank in $10$ hours, the second and the third in $12$ hours, "
            "the first and the third in $15$ hours. In how many hours do all three taps together "
            "fill the empty tank?"
        ),
        options=("$4$", "$6$", "$8$", "$12$"),
        correct="C",
        difficulty="easy",
    ),
    Problem(
        slug="match-lattice",
        text=(
            r"A rectangle of $6\times9$ unit squares is laid out with matches, so that every side "
            r"of every unit square is formed by one match. How many matches does this take?"
        ),
        options=("$108$", "$114$", "$123$", "$216$"),
        correct="C",
        difficulty="easy",
    ),
    Problem(
        slug="triangle-in-rectangle",
        text=(
            "In the rectangle $ABCD$ the sides are $AB=12$ and $BC=8$. Let $M$ be the midpoint of "
            "$BC$ and $N$ the midpoint of $CD$. What is the area of the triangle $AMN$?"
        ),
        options=("$24$", "$32$", "$36$", "$48$"),
        correct="C",
        difficulty="easy",
    ),
    Problem(
        slug="square-on-the-dice",
        text=(
            "Two fair dice, each with the numbers from $1$ to $6$ on its faces, are rolled. What "
            "is the probability that the product of the two numbers rolled is a perfect square?"
        ),
        options=(r"$\frac{1}{9}$", r"$\frac{1}{6}$", r"$\frac{7}{36}$", r"$\frac{2}{9}$"),
        correct="D",
        difficulty="easy",
    ),
    Problem(
        slug="noughts-and-fives",
        text=(
            "A positive integer is divisible by $36$, and each of its decimal digits is $0$ or "
            "$5$. What is the least number of digits such an integer can have?"
        ),
        options=("$5$", "$9$", "$10$", "$11$"),
        correct="D",
        difficulty="easy",
    ),
    Problem(
        slug="pupils-in-rows",
        text=(
            "More than $100$ but fewer than $150$ pupils have gathered in the school yard. When "
            "they line up in rows of $4$, there are $3$ pupils left over; in rows of $5$, there "
            "are $4$ left over; in rows of $6$, there are $5$ left over. How many pupils are in "
            "the yard?"
        ),
        options=("$119$", "$121$", "$131$", "$139$"),
        correct="A",
        difficulty="easy",
    ),
    Problem(
        slug="taking-stones",
        text=(
            "There are $31$ stones on a table. Two players move in turn; a move consists in taking "
            "$1$, $2$, $3$ or $4$ stones, and whoever takes the last stone wins. How many stones "
            "must the first player take on the first move to be able to force a win?"
        ),
        options=("$1$", "$2$", "$3$", "$4$"),
        correct="A",
        difficulty="easy",
    ),
    Problem(
        slug="light-coin",
        text=(
            "Exactly one of $20$ coins of the same appearance is counterfeit. The genuine coins "
            "all weigh the same, the counterfeit one is lighter. What is the least number of "
            "weighings on a two-pan balance without weights that suffices to identify the "
            "counterfeit coin in every case?"
        ),
        options=("$3$", "$4$", "$5$", "$10$"),
        correct="A",
        difficulty="easy",
    ),
    Problem(
        slug="socks-in-the-dark",
        text=(
            "A drawer holds $10$ red, $8$ blue and $6$ green socks. Two socks of the same colour "
            "form a pair. What is the least number of socks one has to take out in the dark to be "
            "certain of holding pairs of at least $2$ different colours?"
        ),
        options=("$7$", "$11$", "$12$", "$13$"),
        correct="D",
        difficulty="easy",
    ),
    Problem(
        slug="collapsing-product",
        text=(
            r"What is the value of the product "
            r"$\left(1+\frac{1}{2}\right)\left(1+\frac{1}{3}\right)\left(1+\frac{1}{4}\right)"
            r"\cdots\left(1+\frac{1}{99}\right)$?"
        ),
        options=("$50$", r"$\frac{101}{2}$", "$99$", "$100$"),
        correct="A",
        difficulty="easy",
    ),
    Problem(
        slug="growing-runs",
        text=(
            r"In the sequence $1,2,2,3,3,3,4,4,4,4,\dots$ the positive integers follow one another "
            r"in increasing order, each integer $k$ being written exactly $k$ times. What is the "
            r"$100$th term of the sequence?"
        ),
        options=("$10$", "$12$", "$13$", "$14$"),
        correct="D",
        difficulty="easy",
    ),
    Problem(
        slug="five-mondays",
        text=(
            "A certain month had exactly $5$ Mondays, exactly $5$ Tuesdays and exactly $5$ "
            "Wednesdays. On which day of the week did the following month begin?"
        ),
        options=("Monday", "Wednesday", "Thursday", "Friday"),
        correct="C",
        difficulty="easy",
    ),
    Problem(
        slug="merging-numbers",
        text=(
            r"The numbers $1,2,3,\dots,10$ are written on a blackboard. In each move two numbers "
            r"$a$ and $b$ are wiped off and the number $a+b-1$ is written in their place. After "
            r"$9$ moves a single number is left. Which number is it?"
        ),
        options=("$45$", "$46$", "$54$", "$55$"),
        correct="B",
        difficulty="easy",
    ),
)

_MODERATE: tuple[Problem, ...] = (
    Problem(
        slug="odd-guests",
        text=(
            r"In a corridor there are $100$ lamps, numbered from $1$ to $100$ and all switched "
            r"off. Guests with the numbers $1,3,5,\dots,99$ walk through the corridor one after "
            r"another; the guest with the number $k$ presses the switch of every lamp whose number "
            r"is a multiple of $k$. Pressing a switch turns a dark lamp on and a burning lamp off. "
            r"How many lamps are burning in the end?"
        ),
        options=("$5$", "$7$", "$10$", "$17$"),
        correct="D",
        difficulty="moderate",
    ),
    Problem(
        slug="liars-and-divisors",
        text=(
            "Every inhabitant of an island is either a knight, who always tells the truth, or a "
            "liar, who always lies. Among $10$ inhabitants, numbered from $1$ to $10$, there is at "
            "least one liar. For each $k$, the inhabitant with the number $k$ says: “The number of "
            "liars among the ten of us is divisible by $k$.” How many of them are liars?"
        ),
        options=("$5$", "$6$", "$8$", "$9$"),
        correct="B",
        difficulty="moderate",
    ),
    Problem(
        slug="board-with-a-hole",
        text=(
            r"One of the $25$ cells of a $5\times5$ board is cut out. For how many of the $25$ "
            r"cells can the remaining board be covered by $12$ non-overlapping dominoes, each of "
            r"which covers two cells with a common side?"
        ),
        options=("$9$", "$12$", "$13$", "$25$"),
        correct="C",
        difficulty="moderate",
    ),
    Problem(
        slug="cyclic-substitution",
        text=(
            r"The function $f$ is defined for all real numbers except $0$ and $1$, and for all "
            r"these numbers $x$ it satisfies "
            r"$f(x)+2f\left(\frac{1}{1-x}\right)=x.$ "
            r"What is the value of $f(2)$?"
        ),
        options=(r"$-\frac{1}{3}$", r"$\frac{1}{2}$", r"$\frac{2}{3}$", "$2$"),
        correct="C",
        difficulty="moderate",
    ),
    Problem(
        slug="two-centres",
        text=(
            "The legs of a right-angled triangle have the lengths $9$ and $12$. What is the "
            "distance between the centre of its inscribed circle and the centre of its "
            "circumscribed circle?"
        ),
        options=("$3$", r"$\frac{3\sqrt{5}}{2}$", r"$3\sqrt{2}$", r"$\frac{9}{2}$"),
        correct="B",
        difficulty="moderate",
    ),
    Problem(
        slug="square-divisors",
        text=(
            r"How many positive divisors of the number $12!=1\cdot2\cdot3\cdots12$ are perfect "
            r"squares?"
        ),
        options=("$36$", "$72$", "$90$", "$792$"),
        correct="A",
        difficulty="moderate",
    ),
    Problem(
        slug="changing-chairs",
        text=(
            "A company of $6$ friends rise from their $6$ chairs and then sit down on the same "
            "chairs again, one person on each chair. In how many ways can they do so if exactly "
            "$2$ of the friends return to the chairs they had before?"
        ),
        options=("$135$", "$180$", "$265$", "$360$"),
        correct="A",
        difficulty="moderate",
    ),
    Problem(
        slug="central-binomial",
        text=(
            r"What is the greatest integer $k$ for which $2^k$ divides the binomial coefficient "
            r"$\binom{1000}{500}$?"
        ),
        options=("$5$", "$6$", "$7$", "$8$"),
        correct="B",
        difficulty="moderate",
    ),
    Problem(
        slug="weighted-reciprocals",
        text=(
            r"Positive real numbers $x$ and $y$ satisfy $x+4y=1$. What is the least possible value "
            r"of $\frac{1}{x}+\frac{1}{y}$?"
        ),
        options=("$8$", "$9$", "$10$", "$16$"),
        correct="B",
        difficulty="moderate",
    ),
    Problem(
        slug="climbing-king",
        text=(
            r"A king stands on one of the $64$ squares of an $8\times8$ chessboard. Two players "
            r"move it in turn; a move shifts the king to the next square above, to the next square "
            r"on the right, or to the next square diagonally above and to the right. A player who "
            r"cannot move loses. For how many starting squares can the player who moves second "
            r"force a win?"
        ),
        options=("$8$", "$15$", "$16$", "$32$"),
        correct="C",
        difficulty="moderate",
    ),
    Problem(
        slug="surely-connected",
        text=(
            "In a country with $10$ towns, some pairs of towns are joined by a road, each pair by "
            "at most one. What is the least integer $n$ such that, whenever there are $n$ roads, "
            "one can travel by road from every town to every other, however the roads are laid?"
        ),
        options=("$9$", "$21$", "$36$", "$37$"),
        correct="D",
        difficulty="moderate",
    ),
    Problem(
        slug="circle-in-the-gap",
        text=(
            r"Two circles of radii $9$ and $4$ touch each other externally, and both touch the "
            r"line $\ell$ from the same side. A third circle lies in the region enclosed by the "
            r"two circles and the line $\ell$ and touches all three of them. What is its radius?"
        ),
        options=(r"$\frac{36}{25}$", r"$\frac{3}{2}$", "$2$", r"$\frac{36}{13}$"),
        correct="A",
        difficulty="moderate",
    ),
    Problem(
        slug="rational-recurrence",
        text=(
            r"A sequence begins with $a_1=2$ and $a_2=3$, and every further term is given by "
            r"$a_{n+2}=\frac{1+a_{n+1}}{a_n}.$ "
            r"What is the sum of the first $2026$ terms of the sequence?"
        ),
        options=("$3636$", "$3645$", "$3646$", "$3647$"),
        correct="D",
        difficulty="moderate",
    ),
    Problem(
        slug="reciprocal-roots",
        text=(
            r"The equation $x^3-6x^2+5x-1=0$ has three real roots $a$, $b$ and $c$. What is the "
            r"value of $\frac{1}{a^2}+\frac{1}{b^2}+\frac{1}{c^2}$?"
        ),
        options=("$13$", "$25$", "$26$", "$37$"),
        correct="A",
        difficulty="moderate",
    ),
    Problem(
        slug="two-bisectors",
        text=(
            r"In the triangle $ABC$ the angle at $A$ measures $60^\circ$. The bisector of the "
            r"angle at $B$ meets the side $AC$ at $E$, and the bisector of the angle at $C$ meets "
            r"the side $AB$ at $F$. It is known that $BF=5$ and $CE=3$. What is the length of "
            r"$BC$?"
        ),
        options=(r"$\sqrt{19}$", "$7$", r"$\frac{15}{2}$", "$8$"),
        correct="D",
        difficulty="moderate",
    ),
    Problem(
        slug="turning-cups",
        text=(
            "There are $12$ cups on a table, all of them upside down. In each move exactly $5$ "
            "cups are turned over; a cup may be turned over again in a later move. What is the "
            "least number of moves after which all the cups can stand upright?"
        ),
        options=("$3$", "$4$", "$5$", "$6$"),
        correct="B",
        difficulty="moderate",
    ),
    Problem(
        slug="waiting-for-white",
        text=(
            "A bag contains $3$ white and $4$ black balls. Balls are drawn at random, one after "
            "another and without replacement, until the first white ball appears. What is the "
            "expected number of balls drawn, including this white one?"
        ),
        options=("$1$", r"$\frac{7}{4}$", "$2$", r"$\frac{7}{3}$"),
        correct="C",
        difficulty="moderate",
    ),
    Problem(
        slug="obtuse-triangles",
        text=(
            "How many obtuse-angled triangles have all three vertices among the vertices of a "
            "given regular $12$-gon?"
        ),
        options=("$120$", "$160$", "$180$", "$220$"),
        correct="A",
        difficulty="moderate",
    ),
    Problem(
        slug="neither-square-nor-cube",
        text=(
            r"All positive integers that are neither perfect squares nor perfect cubes are listed "
            r"in increasing order: $2,3,5,6,7,10,\dots$ Which integer is the $500$th in the list?"
        ),
        options=("$522$", "$526$", "$528$", "$530$"),
        correct="C",
        difficulty="moderate",
    ),
    Problem(
        slug="beetle-on-a-cube",
        text=(
            "A cube with edges of length $1$ is made of wire. A beetle wants to crawl along the "
            "wire in such a way that it traverses each of the $12$ edges at least once and returns "
            "to its starting point. What is the length of the shortest possible route?"
        ),
        options=("$12$", "$14$", "$15$", "$16$"),
        correct="D",
        difficulty="moderate",
    ),
)

_HARD: tuple[Problem, ...] = (
    Problem(
        slug="divisible-by-the-product",
        text=(
            "How many ordered pairs $(a,b)$ of positive integers not exceeding $100$ are there for "
            "which $a^2+b^2+1$ is divisible by $ab$?"
        ),
        options=("$5$", "$6$", "$10$", "$11$"),
        correct="D",
        difficulty="hard",
    ),
    Problem(
        slug="dominoes-and-corners",
        text=(
            r"In how many ways can a $2\times9$ strip be covered without overlaps by dominoes, "
            r"that is $1\times2$ rectangles, and corners, that is $2\times2$ squares from which "
            r"one cell has been removed? Both kinds of pieces may be turned in any way, not every "
            r"kind has to be used, and coverings that are mirror images of each other count as "
            r"different."
        ),
        options=("$55$", "$293$", "$569$", "$1255$"),
        correct="C",
        difficulty="hard",
    ),
    Problem(
        slug="euclid-plays",
        text=(
            r"A pair of positive integers is written on a blackboard. Two players move in turn; a "
            r"move consists in subtracting from one of the two numbers a positive multiple of the "
            r"other, provided that the result is not negative, and replacing the number by this "
            r"result. Whoever first obtains the number $0$ wins. For how many integers $n$ with "
            r"$101\le n\le200$ can the player who moves second force a win if the game begins with "
            r"the pair $(100,n)$?"
        ),
        options=("$50$", "$61$", "$62$", "$99$"),
        correct="B",
        difficulty="hard",
    ),
    Problem(
        slug="product-of-distances",
        text=(
            "A point in the interior of a triangle with the side lengths $3$, $4$ and $5$ has the "
            "distances $p$, $q$ and $r$ from the three sides. What is the greatest possible value "
            "of the product $pqr$?"
        ),
        options=(r"$\frac{24}{25}$", "$1$", r"$\frac{16}{15}$", r"$\frac{6}{5}$"),
        correct="C",
        difficulty="hard",
    ),
    Problem(
        slug="heptagon-diagonals",
        text=(
            r"A regular polygon with $7$ vertices has sides of length $6$. Its diagonals have only "
            r"two different lengths, $d$ and $e$. What is the value of "
            r"$\frac{1}{d}+\frac{1}{e}$?"
        ),
        options=(r"$\frac{1}{6}$", r"$\frac{7}{36}$", r"$\frac{1}{5}$", r"$\frac{1}{3}$"),
        correct="A",
        difficulty="hard",
    ),
    Problem(
        slug="restless-round-table",
        text=(
            "At a round table with $10$ seats sit $10$ knights. They all rise and sit down again, "
            "one knight on each seat, in such a way that each of them takes either the seat he had "
            "before or one of the $2$ seats next to it. In how many ways can this be done, if the "
            "case that everybody returns to his own seat is counted as well?"
        ),
        options=("$89$", "$123$", "$125$", "$1024$"),
        correct="C",
        difficulty="hard",
    ),
    Problem(
        slug="icosahedron-walk",
        text=(
            "A spider sits at one of the $12$ vertices of a regular icosahedron. Every minute it "
            "chooses one of the $5$ edges at its present vertex at random, each with the same "
            "probability, and runs along it to the other end. What is the expected number of "
            "minutes until it first reaches the vertex opposite to its starting point?"
        ),
        options=("$11$", "$12$", "$14$", "$15$"),
        correct="D",
        difficulty="hard",
    ),
    Problem(
        slug="rational-depth",
        text=(
            r"A function $f$ assigns a positive integer to every positive rational number. It is "
            r"known that $f(1)=1$ and that "
            r"$f\left(\frac{1}{x}\right)=f(x)\quad\text{and}\quad f(x+1)=f(x)+1$ "
            r"for every positive rational number $x$. How many positive rational numbers $x$ "
            r"satisfy $f(x)=10$?"
        ),
        options=("$512$", "$1022$", "$1023$", "$1024$"),
        correct="A",
        difficulty="hard",
    ),
    Problem(
        slug="long-period",
        text=(
            r"The decimal expansion of $\frac{1}{343}$ is periodic. How many digits does its "
            r"shortest period have?"
        ),
        options=("$6$", "$42$", "$147$", "$294$"),
        correct="D",
        difficulty="hard",
    ),
    Problem(
        slug="touching-lamps",
        text=(
            r"In every cell of a $4\times4$ board there is a lamp. Touching a cell changes the "
            r"state, from dark to bright or from bright to dark, of the lamp in this cell and of "
            r"the lamps in all cells that have a side in common with it. At first all the lamps "
            r"are dark. How many different patterns of dark and bright lamps, the initial one "
            r"included, can be obtained by touching cells?"
        ),
        options=("$2^{12}$", "$2^{14}$", "$2^{15}$", "$2^{16}$"),
        correct="A",
        difficulty="hard",
    ),
    Problem(
        slug="friends-without-triangles",
        text=(
            "In a class of $7$ pupils no $3$ pupils are all friends with one another. Nevertheless "
            "the class cannot be divided into $2$ groups so that no two friends belong to the same "
            "group. What is the greatest possible number of pairs of friends in this class? "
            "(Friendship is always mutual.)"
        ),
        options=("$7$", "$10$", "$11$", "$12$"),
        correct="B",
        difficulty="hard",
    ),
    Problem(
        slug="crossing-subsets",
        text=(
            r"Some subsets of the set $\{1,2,3,4,5,6\}$ are chosen in such a way that any two of "
            r"the chosen subsets have an element in common, but neither of the two contains the "
            r"other. What is the greatest possible number of chosen subsets?"
        ),
        options=("$10$", "$12$", "$15$", "$20$"),
        correct="C",
        difficulty="hard",
    ),
    Problem(
        slug="every-third-binomial",
        text=(
            "How many subsets of a set with $20$ elements, the empty subset included, have a "
            "number of elements that is divisible by $3$?"
        ),
        options=(
            r"$\frac{2^{20}-4}{3}$",
            r"$\frac{2^{20}-1}{3}$",
            r"$\frac{2^{20}+2}{3}$",
            r"$\frac{2^{20}+5}{3}$",
        ),
        correct="B",
        difficulty="hard",
    ),
    Problem(
        slug="chain-of-products",
        text=(
            r"Real numbers $a$, $b$, $c$ and $d$ satisfy $a^2+b^2+c^2+d^2=4$. What is the greatest "
            r"possible value of $ab+bc+cd$?"
        ),
        options=(r"$2\sqrt{2}$", "$3$", r"$\frac{16}{5}$", r"$1+\sqrt{5}$"),
        correct="D",
        difficulty="hard",
    ),
    Problem(
        slug="polynomial-imitates-a-fraction",
        text=(
            r"The polynomial $P$ has degree at most $4$ and satisfies $P(k)=\frac{1}{k^2}$ for "
            r"$k=1,2,3,4,5$. What is the value of $P(6)$?"
        ),
        options=(r"$\frac{1}{36}$", r"$\frac{1}{18}$", r"$\frac{137}{360}$", r"$\frac{157}{360}$"),
        correct="D",
        difficulty="hard",
    ),
    Problem(
        slug="kings-on-a-doughnut",
        text=(
            r"A $5\times5$ board is glued into the surface of a doughnut: the top edge is joined "
            r"to the bottom edge and the left edge to the right edge, so that every cell has "
            r"exactly $8$ neighbours, with which it shares a side or a corner. What is the "
            r"greatest number of kings that can be placed on cells of this board so that no two "
            r"of them stand on neighbouring cells?"
        ),
        options=("$4$", "$5$", "$6$", "$9$"),
        correct="B",
        difficulty="hard",
    ),
    Problem(
        slug="always-in-the-lead",
        text=(
            "In an election Ada received $8$ votes and Bob received $5$. The votes are counted one "
            "by one, all orders being equally likely. What is the probability that, from the first "
            "vote counted to the last, Ada is always strictly ahead of Bob?"
        ),
        options=(r"$\frac{3}{13}$", r"$\frac{3}{8}$", r"$\frac{4}{9}$", r"$\frac{8}{13}$"),
        correct="A",
        difficulty="hard",
    ),
    Problem(
        slug="ball-among-balls",
        text=(
            "Each of $4$ balls of radius $2$ touches the other three. In the hollow between them "
            "lies a smaller ball that touches all of them. What is the radius of the smaller ball?"
        ),
        options=(
            r"$\frac{4\sqrt{3}}{3}-2$",
            r"$\sqrt{6}-2$",
            r"$\sqrt{3}-1$",
            r"$2\sqrt{2}-2$",
        ),
        correct="B",
        difficulty="hard",
    ),
    Problem(
        slug="consecutive-secrets",
        text=(
            "Ana and Boris have been given one positive integer each. Each of them sees only his "
            "or her own number, but both know that the two numbers differ by exactly $1$. Both "
            "reason flawlessly and speak nothing but the truth, and each knows this of the other. "
            "The following conversation takes place. "
            "Ana: “I do not know your number.” "
            "Boris: “I do not know your number.” "
            "Ana: “I still do not know your number.” "
            "Boris: “Now I know your number.” "
            "What is the greatest possible sum of the two numbers?"
        ),
        options=("$5$", "$7$", "$9$", "$11$"),
        correct="C",
        difficulty="hard",
    ),
    Problem(
        slug="capital-at-the-end",
        text=(
            "A kingdom has $6$ towns, one of which is the capital. It is planned to build $5$ "
            "roads, each joining two towns directly, so that one can travel by road from every "
            "town to every other and exactly one of the roads ends in the capital. In how many "
            "ways can the pairs of towns to be joined be chosen?"
        ),
        options=("$625$", "$1080$", "$1296$", "$3003$"),
        correct="A",
        difficulty="hard",
    ),
)

PROBLEMS: tuple[Problem, ...] = _EASY + _MODERATE + _HARD

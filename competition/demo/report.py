"""What the demo leaves on the screen."""

from rich.console import Console
from rich.table import Table

from competition.demo.boards import Board

SHOWN = 10


def show_board(console: Console, board: Board) -> None:
    details = board.details
    table = Table(
        title=f"{details['title']}: {details['total_questions']} questions, "
        f"average {details['average_score']:.2f}",
        title_justify="left",
        caption=_more(len(board.rows)),
        caption_justify="left",
    )
    table.add_column("Rank", justify="right")
    table.add_column("Candidate")
    table.add_column("School")
    table.add_column("Score", justify="right")
    for row in board.rows[:SHOWN]:
        table.add_row(str(row.rank), row.full_name, row.school, f"{row.score:.2f}")
    console.print(table)


def _more(rows: int) -> str | None:
    return f"and {rows - SHOWN} more" if rows > SHOWN else None

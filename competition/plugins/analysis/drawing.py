"""Draw an analysis as an SVG picture: the histogram of the scores, and one line per question."""

from jinja2 import Environment, PackageLoader, StrictUndefined

from competition.plugins.analysis.presenters import ExamAnalysis

# Autoescape, because the text of a question may contain any character.
TEMPLATES = Environment(
    loader=PackageLoader(__package__), autoescape=True, undefined=StrictUndefined, trim_blocks=True
)


def picture(found: ExamAnalysis) -> str:
    most = max(each["candidates"] for each in found["histogram"])
    return TEMPLATES.get_template("analysis.svg").render(found, most=most)

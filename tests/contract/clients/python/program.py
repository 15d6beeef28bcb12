"""A client developer's program that uses OpenAPI Generator's client for Python."""

import json
import sys

import openapi_client as league
from pydantic import SecretStr

address, key, moderator, candidate, password = sys.argv[1:]


def log_in(email: str) -> tuple[league.Login, league.ApiClient]:
    configuration = league.Configuration(host=address, api_key={"api_key": key})
    client = league.ApiClient(configuration)
    credentials = league.Credentials(email=email, password=SecretStr(password))
    login = league.AccountsApi(client).log_in(credentials)
    configuration.access_token = login.access
    return login, client


staff, client = log_in(moderator)
found = league.QuestionsApi(client).list_questions(search="question 1", limit=5)

ada, client = log_in(candidate)
dashboard = league.DashboardsApi(client).show_candidate_dashboard()
[exam] = dashboard.available_exams
sittings = league.SittingsApi(client)
paper = sittings.take_exam(exam.id)
sheet = league.AnswerSheet(
    answers=[league.GivenAnswer(question=each.id, selected_option="A") for each in paper.questions]
)
sittings.submit_answers(exam.id, sheet)
try:
    sittings.submit_answers(exam.id, sheet)
except league.ApiException as error:
    code = json.loads(error.body or "")["code"]

print(staff.profile.role, found.pagination.count, ada.profile.school, len(sheet.answers), code)

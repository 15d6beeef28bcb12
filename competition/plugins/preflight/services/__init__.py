"""The rules of pre-flight: `papers` fixes and shows the questions, `checks` runs all checks;
`questions`, `planning` and `operations` are ours: of the paper, of the exam, of the service."""

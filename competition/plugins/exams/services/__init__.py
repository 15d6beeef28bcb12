"""The rules of exams: `planning` has what organisers do, `questions` which questions an exam has,
`links` putting questions in and taking them out, `papers` the frozen paper, `rows` the locks."""

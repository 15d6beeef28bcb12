"""The rules of regrades: `changes` says what a correction means, `results` has the scores and ranks
of an exam at a moment and how two moments differ, `applying` previews, applies and reverts,
`reading` finds what is stored."""

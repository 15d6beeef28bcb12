"""The rules of seasons: `opening` opens a season and undoes that, `joining` lets candidates join,
`listing` lists and renames seasons, and `past` reads what candidates had reached."""

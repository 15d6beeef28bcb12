"""The rules of seasons: `opening` opens a season and undoes the opening, `joining` lets candidates
join, `listing` lists and renames seasons, and `past` reads which stages candidates had reached in
past seasons."""

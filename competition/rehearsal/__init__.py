"""`competition rehearse`: an exam day against a service that runs, with an account of every answer.

It has an exam and candidates of its own, which are gone afterwards."""

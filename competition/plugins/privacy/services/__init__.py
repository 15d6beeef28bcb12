"""Taking one's data along (`exports`), leaving (`deletion`), a guardian's consent (`consent`), and
who never got further than registering (`unverified`)."""

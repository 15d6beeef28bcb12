"""The rules of sittings: `taking` has what candidates do, `clock` the deadline, `answers` how they
are stored, `sealing` the moment after which nobody can hand in any more."""

"""The rules of sittings: `taking` has what candidates do, `clock` the deadline, `answers` how they
are read and stored, `submitting` what the service hands in for them, `signs` when they were last
seen, `sealing` the moment after which nobody can hand in any more."""

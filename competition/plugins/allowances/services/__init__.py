"""The rules of allowances: `giving` has those of an exam, `percent` what a candidate has in every
one, `clocks` what sockets are told."""

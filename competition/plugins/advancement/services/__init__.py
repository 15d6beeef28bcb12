"""The rules of advancement: `plans` has what organisers decide, `ranking` who advances by it,
`applying` the promotion and taking it back."""

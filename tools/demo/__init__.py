"""`make demo`: a season with fictional people and real problems, which shows the product."""

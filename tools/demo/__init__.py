"""`make demo`, the demo season: made-up people and real problems for showing the product."""

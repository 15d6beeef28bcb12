"""The data of `dashboards`, and `headcounts`, the counts of accounts."""

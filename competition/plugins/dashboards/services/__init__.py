"""`dashboards` collects the data of the start pages, and `headcounts` counts accounts."""

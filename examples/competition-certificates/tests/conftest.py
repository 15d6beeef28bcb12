pytest_plugins = ("competition.testing",)

"""The mechanism: what every feature is built on. Features are plugins."""

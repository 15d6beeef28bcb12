"""Core: the mechanisms that every feature is built on. The features themselves are plugins."""

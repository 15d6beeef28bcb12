import resource


def many_files() -> None:
    """Each socket is one: as many as this user may have."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))

import resource


def many_files() -> None:
    """Raise the limit of open files to the maximum, because each socket needs one."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))

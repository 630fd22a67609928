"""What can go wrong."""


class Trouble(Exception):
    """The job cannot go on. The text says why, and what would be right."""


class Unusable(Exception):
    """A result that is not what was asked for. The task is done again."""

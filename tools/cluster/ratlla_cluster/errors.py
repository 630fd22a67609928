"""Exceptions."""


class ClusterError(Exception):
    """The job cannot continue. The text is for the user: what is wrong and how to fix it."""


class TaskFailed(Exception):
    """A task produced no usable result. It is retried."""

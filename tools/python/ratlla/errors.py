"""Exceptions."""


class EngineError(ValueError):
    """The engine rejected a command, for the reason given. Its state is unchanged."""


class EngineTerminatedError(RuntimeError):
    """The engine process has exited or stopped responding, or the program is not the engine."""

"""The one exception of the operators room."""


class OperatorError(ValueError):
    """An operator that cannot work on such boards, or a setting of it that makes no sense."""

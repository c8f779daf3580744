"""What is wrong with a rule."""


class InvalidDeadlineSettings(ValueError):
    """No rule can be made of this; `code` names what is wrong."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code

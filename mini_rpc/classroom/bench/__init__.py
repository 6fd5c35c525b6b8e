"""The wire bench: edit a raw message, and watch a dispatcher judge it."""

__all__: list[str] = []

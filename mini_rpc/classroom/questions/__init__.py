"""Questions before the run: their records, and the widget that asks them."""

__all__: list[str] = []

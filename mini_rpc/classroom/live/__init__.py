"""A class together: votes, counted hands, message cards, where the group stands."""

__all__: list[str] = []

"""Conversations between programs: started, logged, drawn, replayed."""

__all__: list[str] = []

"""Conversations between programs: started, logged, drawn, replayed."""

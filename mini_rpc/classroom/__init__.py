"""What teaches: the bench, the exercises and their checks. It imports the core, never the reverse."""

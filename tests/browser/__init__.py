"""A package, so that what its fixtures start ends with it: Playwright leaves a loop running."""

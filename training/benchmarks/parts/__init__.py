"""The parts of the report: what each measures, and how it tells of it."""

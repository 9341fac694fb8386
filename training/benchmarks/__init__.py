"""Speed, measured: loads that run in pinned processes, parts of a report made of them, tables and plots."""

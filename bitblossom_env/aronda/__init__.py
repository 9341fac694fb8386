"""The rules of Aronda; RULES.md has them clause by clause."""

"""The board of Aronda for the slow twin, by the formulas of its rings."""

from __future__ import annotations

RINGS = "imo"
FIELDS = ["c1", *(f"{ring}{k}" for ring in RINGS for k in range(1, 9))]
THRESHOLDS = {
    f: 4 if f == "c1" or f in ("m2", "m4", "m6", "m8") else 2 if f in ("o2", "o4", "o6", "o8") else 3 for f in FIELDS
}


def around(k: int) -> int:
    """The number on a ring that stands for k."""
    return (k - 1) % 8 + 1


def neighbours_of(field: str) -> set[str]:
    ring, k = field[0], int(field[1])
    if ring == "c":
        return {f"i{j}" for j in range(1, 9)}
    found = {f"{ring}{around(k - 1)}", f"{ring}{around(k + 1)}"}
    if ring == "i":
        return found | {"c1", f"m{around(k - 1)}", f"m{k}"}
    if ring == "m":
        found |= {f"i{k}", f"i{around(k + 1)}", f"o{k}"}
        return found | ({f"o{around(k - 1)}", f"o{around(k + 1)}"} if k % 2 == 0 else set())
    return found | {f"m{k}"} | ({f"m{around(k - 1)}", f"m{around(k + 1)}"} if k % 2 == 1 else set())


NEIGHBOURS = {f: neighbours_of(f) for f in FIELDS}

"""The board as data (A1): every field with its threshold and its neighbours, in the order used everywhere."""

from __future__ import annotations

import numpy as np

TABLE: tuple[tuple[str, int, str], ...] = (  # name, threshold, neighbours
    ("c1", 4, "i1 i2 i3 i4 i5 i6 i7 i8"),
    ("i1", 3, "c1 i8 i2 m8 m1"),
    ("i2", 3, "c1 i1 i3 m1 m2"),
    ("i3", 3, "c1 i2 i4 m2 m3"),
    ("i4", 3, "c1 i3 i5 m3 m4"),
    ("i5", 3, "c1 i4 i6 m4 m5"),
    ("i6", 3, "c1 i5 i7 m5 m6"),
    ("i7", 3, "c1 i6 i8 m6 m7"),
    ("i8", 3, "c1 i7 i1 m7 m8"),
    ("m1", 3, "m8 m2 i1 i2 o1"),
    ("m2", 4, "m1 m3 i2 i3 o1 o2 o3"),
    ("m3", 3, "m2 m4 i3 i4 o3"),
    ("m4", 4, "m3 m5 i4 i5 o3 o4 o5"),
    ("m5", 3, "m4 m6 i5 i6 o5"),
    ("m6", 4, "m5 m7 i6 i7 o5 o6 o7"),
    ("m7", 3, "m6 m8 i7 i8 o7"),
    ("m8", 4, "m7 m1 i8 i1 o7 o8 o1"),
    ("o1", 3, "o8 o2 m8 m1 m2"),
    ("o2", 2, "o1 o3 m2"),
    ("o3", 3, "o2 o4 m2 m3 m4"),
    ("o4", 2, "o3 o5 m4"),
    ("o5", 3, "o4 o6 m4 m5 m6"),
    ("o6", 2, "o5 o7 m6"),
    ("o7", 3, "o6 o8 m6 m7 m8"),
    ("o8", 2, "o7 o1 m8"),
)
LAYOUT = """\
                                     o8

              o7                                            o1
                                     m8
                     m7                              m1
                                 i8      i1
                           i7                  i2
    o6         m6                    c1                    m2         o2
                           i6                  i3
                                 i5      i4
                     m5                              m3
                                     m4
              o5                                            o3

                                     o4
"""  # the rings as drawn: a name stands where its field is, seven columns wide
NAMES = tuple(name for name, _, _ in TABLE)
NUM_FIELDS = len(TABLE)
NEIGHBOUR_NUMBERS = tuple(tuple(NAMES.index(other) for other in others.split()) for _, _, others in TABLE)
MAJORITY = NUM_FIELDS // 2 + 1

# --- the same for kernels, which take them as constants --------------------------------------------------------------
THRESHOLDS = np.array([threshold for _, threshold, _ in TABLE], np.int64)  # [25]
NEIGHBOURS = np.array(  # uint64 [25], bit g of entry f: g is a neighbour of f
    [sum(1 << other for other in others) for others in NEIGHBOUR_NUMBERS], np.uint64
)
OUTER = np.uint64(sum(1 << number for number, name in enumerate(NAMES) if name[0] == "o"))
ALL = np.uint64((1 << NUM_FIELDS) - 1)

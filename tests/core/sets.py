"""Sets of cells in both forms, and a plain flood."""

import numpy as np

SHAPES = [(3, 3), (3, 32), (32, 3), (9, 9), (5, 12), (32, 32)]


def to_masks(cells, shape, fields=3):
    masks = np.zeros((fields, shape[0]), np.uint64)
    for r, c in cells:
        masks[0, r] |= np.uint64(1) << np.uint64(c)
    return masks


def to_cells(masks, field):
    return {(r, c) for r in range(masks.shape[1]) for c in range(64) if int(masks[field, r]) >> c & 1}


def random_cells(rng, shape, density):
    return {(int(r), int(c)) for r, c in np.argwhere(rng.random(shape) < density)}


def flood(start, allowed):
    reached, todo = {start}, [start]
    while todo:
        r, c = todo.pop()
        for cell in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
            if cell in allowed and cell not in reached:
                reached.add(cell)
                todo.append(cell)
    return reached

"""Files that are whole or not there: written beside their place, then renamed."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

TEMPORARY = ".tmp-"  # prefix of what is being written; whatever a crash leaves of it is swept by the next run


def temporary_for(path: Path) -> Path:
    """Returns where a file is written before it takes the place of `path`."""
    return path.with_name(f"{TEMPORARY}{path.name}")


def write_bytes(path: Path, content: bytes) -> None:
    """Puts `content` into `path` at once: readers see the old file or the new one."""
    beside = temporary_for(path)
    with beside.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def json_bytes(content: Any) -> bytes:
    """Returns readable JSON; refuses NaN and infinity, which JSON has no words for."""
    return (json.dumps(content, indent=2, allow_nan=False) + "\n").encode()


def link(path: Path, target: str) -> None:
    """Makes `path` a symbolic link to `target`, replacing an older one at once."""
    beside = temporary_for(path)
    beside.unlink(missing_ok=True)
    beside.symlink_to(target)
    beside.replace(path)

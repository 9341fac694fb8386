"""The one decorator for kernels, and the folder that keeps their compiled code.

Numba's disk cache looks only at the file of the function itself: after an edit in another kernel file it would run the
rules of yesterday. So the folder is named by a hash over every source that can reach a kernel, over the versions that
compile them and over the processor; old folders are pruned.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite
import llvmlite.binding
import numba
import numpy as np
from numba.core import config as _numba_config

numba_config: Any = _numba_config  # its settings are made at run time
Function = TypeVar("Function", bound=Callable[..., Any])

PACKAGE = Path(__file__).resolve().parents[1]
KERNEL_FOLDERS = (
    "core",
    "bitblossom",
    "aronda",
    "analysis",
)  # where kernels, and the constants they freeze, live
NUM_KEPT_FOLDERS = 6  # a few branches and interpreters side by side
CACHE_SUBFOLDER = "bitblossom-kernels"  # in whatever folder holds caches, beside what others keep there
SAVING_LOCK = "saving.lock"
COMPILING_LOCK = "compiling.lock"
READY_MARK = "ready"  # + game, written once the kernels of its step have been compiled into the folder


def jit_is_off() -> bool:
    """Returns whether kernels run as plain Python (`NUMBA_DISABLE_JIT=1`)."""
    return bool(numba_config.DISABLE_JIT)


def kernel_sources(extra: Iterable[Path] = ()) -> list[Path]:
    """Returns the source files whose text decides what a kernel computes, sorted."""
    found = {path for folder in KERNEL_FOLDERS for path in (PACKAGE / folder).glob("*.py")}
    return sorted(found.union(extra))


def cache_name(sources: Iterable[Path]) -> str:
    """Returns the folder name for kernels made of `sources` by this interpreter on this processor."""
    digest = hashlib.blake2b(digest_size=8)
    for path in sources:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    versions = (numba.__version__, llvmlite.__version__, np.__version__, sys.version)
    processor = (llvmlite.binding.get_host_cpu_name(), llvmlite.binding.get_host_cpu_features().flatten())
    settings = (os.environ.get("NUMBA_CPU_NAME", ""), str(numba_config.BOUNDSCHECK))
    digest.update("\0".join(versions + processor + settings).encode())
    return digest.hexdigest()


def _is_writable(folder: Path) -> bool:
    """Returns whether a file can be made in `folder`, making the folder if need be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:  # read-only install: the caller goes on to the next place
        return False


def _temporary_folder() -> Path:
    """Returns a folder of this user alone: what lies in a cache is code, so nobody else may write there."""
    folder = Path(tempfile.gettempdir()) / f"bitblossom-{os.getuid()}"
    with contextlib.suppress(FileExistsError):  # whatever is there is looked at next
        folder.mkdir(mode=0o700)
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid() or stat.S_IMODE(status.st_mode) != 0o700:
        return Path(tempfile.mkdtemp(prefix="bitblossom-"))
    return folder


def cache_root() -> Path:
    """Returns the first writable of `NUMBA_CACHE_DIR`, the checkout's cache, the user's cache and a temporary one.

    In it a subfolder of this package, so that pruning touches nothing of anybody else.
    """
    places = []
    if os.environ.get("NUMBA_CACHE_DIR"):
        places.append(Path(os.environ["NUMBA_CACHE_DIR"]))
    if (PACKAGE.parent / "pyproject.toml").exists():
        places.append(PACKAGE.parent / ".numba_cache")
    places.append(Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"))
    for place in places:
        if _is_writable(place / CACHE_SUBFOLDER):
            return place / CACHE_SUBFOLDER
    return _temporary_folder()


def prune(root: Path, keep: str) -> None:
    """Removes all but the newest cache folders in `root`; `keep` and what is no cache folder stay."""
    folders = [path for path in root.iterdir() if path.is_dir() and re.fullmatch("[0-9a-f]{16}", path.name)]
    folders.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for path in folders[NUM_KEPT_FOLDERS:]:
        if path.name != keep:
            shutil.rmtree(path, ignore_errors=True)  # another process may be pruning it as well


_folders: dict[Path, Path] = {}  # folder of a kernel's source -> folder of its compiled code


def cache_folder(source: Path) -> Path:
    """Returns the folder that holds the compiled code of the kernels in the file `source`."""
    home = source.resolve().parent
    while (home.parent / "__init__.py").exists():
        home = home.parent  # all kernels of a package share one folder, since they may call each other
    if home not in _folders:
        pattern = "**/*.py" if (home / "__init__.py").exists() else "*.py"  # a script's folder may hold anything
        extra = () if home == PACKAGE else home.glob(pattern)
        root, name = cache_root(), cache_name(kernel_sources(extra))
        (root / name).mkdir(exist_ok=True)
        prune(root, name)
        _folders[home] = root / name
    return _folders[home]


@contextlib.contextmanager
def alone(folder: Path, name: str, say: Callable[[], None] | None = None) -> Iterator[None]:
    """Lets one process at a time through, by a lock on the file `name` in `folder`; `say` is called before a wait.

    The lock ends with its process, however that ends.
    """
    folder.mkdir(parents=True, exist_ok=True)  # another process may have pruned it
    with (folder / name).open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if say is not None:
                say()
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def kernel_folder() -> Path:
    """Returns the folder that holds the compiled code of the package's own kernels."""
    return cache_folder(PACKAGE / "core" / "jit.py")


def is_ready(name: str) -> bool:
    """Returns whether the step kernels of a game lie compiled on disk, so that the first step is quick."""
    return jit_is_off() or (kernel_folder() / f"{READY_MARK}-{name}").exists()


def mark_ready(name: str) -> None:
    """Records that the step kernels of a game have been compiled into the cache folder."""
    (kernel_folder() / f"{READY_MARK}-{name}").touch()


def kernel(function: Function) -> Function:
    """Compiles `function` on first use: no Python objects, no exceptions, the lock released, cached on disk."""
    return _compiled(function)


def small_kernel(function: Function) -> Function:
    """The same for a kernel of a few instructions, called in loops: its code is put in place of each call."""
    return _compiled(function, forceinline=True)


def kernel_of(name: str) -> Callable[[Function], Function]:
    """Returns `kernel` for functions made inside another, of other kernels: one form of them for each `name`.

    Numba would know such a function again by what it is made of, which differs from process to process. Here the name
    says which it is: of functions with one source and one name, all must be made of the same kernels.
    """

    def compiled(function: Function) -> Function:
        function.__qualname__ = f"{function.__qualname__}_{name}"  # in the names of files and of machine code
        made = _compiled(function)
        if not jit_is_off():
            made._cache._index_key = lambda signature, code: (signature, code.magic_tuple())  # type: ignore[attr-defined]
        return made

    return compiled


def _compiled(function: Function, **options: Any) -> Function:
    """Returns the function as a Numba kernel with the options of the project and further ones."""
    if jit_is_off():
        return function
    options |= {
        "cache": True,
        "nogil": True,
        "error_model": "numpy",
        "no_cfunc_wrapper": True,  # kernels are never handed to C
        "_nrt": False,  # they allocate nothing, and counting references to rows costs atomic writes, shared by threads
    }
    folder = cache_folder(Path(function.__code__.co_filename))
    previous = numba_config.CACHE_DIR
    numba_config.CACHE_DIR = str(folder)
    try:
        compiled = numba.njit(**options)(function)
    finally:
        numba_config.CACHE_DIR = previous
    _save_alone(compiled, folder)
    return cast(Function, compiled)


def _save_alone(compiled: Any, folder: Path) -> None:
    """Makes a kernel take turns with other processes when it stores compiled code.

    Numba reads an index of numbered files, takes the next number and writes both. Two processes that compile different
    forms of a kernel at once would take the same number, and the index would name code of another form.
    """
    save = compiled._cache.save_overload

    def save_alone(signature: Any, code: Any) -> None:
        with alone(folder, SAVING_LOCK):
            save(signature, code)

    compiled._cache.save_overload = save_alone

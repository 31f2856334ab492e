"""Work on its way to another process: large arrays travel once, not with every task.

Tasks of one analysis share their scores, or data prepared from them, which may be megabytes. Here a task
is pickled with its large arrays left out and named by a digest of their contents; a process keeps the
arrays that it was sent, and reports a missing one, upon which the task is sent again with all of
them. Names follow from content, so an array that changed has another name and nothing stale is used.
"""

import hashlib
import io
import pickle  # between processes of one user's own computation only
from collections import Counter, OrderedDict
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

LARGE = 16_384
"""Bytes from which an array travels on its own; smaller arrays cost less than a request."""

_TOGETHER = 4  # parcels that include an array before it is left out
_MOST_KEPT = 512 * 2**20  # bytes of arrays that a process keeps

_kept: OrderedDict[str, Array] = OrderedDict()
_lock = Lock()


@dataclass(frozen=True)
class Parcel:
    """A function and its argument, pickled."""

    body: bytes  # both, with names in place of large arrays
    # Name, pickled array, whether it may be written to: the included ones
    arrays: tuple[tuple[str, bytes, bool], ...]


@dataclass(frozen=True)
class Lacking:
    """The answer of a process that was never sent an array, or has dropped it."""


class Sender:
    """Packs the tasks for one executor, and remembers which arrays it has sent."""

    def __init__(self) -> None:
        self._sent: Counter[str] = Counter()

    def pack(self, work: Callable[[Any], Any], task: object, *, whole: bool = False) -> Parcel:
        """Return the parcel of one task; `whole` takes all its arrays along."""
        written = io.BytesIO()
        pickler = _Pickler(written)
        pickler.dump((work, task))
        along = []
        for name, array in pickler.large.items():
            if whole or self._sent[name] < _TOGETHER:
                self._sent[name] += 1
                along.append((name, pickle.dumps(array), bool(array.flags.writeable)))
        return Parcel(written.getvalue(), tuple(along))


_senders: WeakKeyDictionary[Executor, Sender] = WeakKeyDictionary()


def sender_to(executor: Executor) -> Sender:
    """Return the sender of an executor, so that the analyses that it runs share the sent arrays."""
    return _senders.setdefault(executor, Sender())


def unpack_and_do(parcel: Parcel) -> object:
    """Do the work of a parcel and return its result, or `Lacking`. Runs in the other process."""
    arrays = {}
    for name, pickled, writeable in parcel.arrays:
        array = pickle.loads(pickled)  # noqa: S301 - packed by `Sender.pack`
        if not writeable:
            array.flags.writeable = False
        arrays[name] = array
        _keep(name, array)
    unpickler = _Unpickler(io.BytesIO(parcel.body))
    unpickler.arrays = arrays
    try:
        work, task = unpickler.load()
    except _Absent:
        return Lacking()
    return work(task)


class _Absent(Exception):  # noqa: N818 - not an error: the parcel is requested again
    """An array is not here."""


class _Pickler(pickle.Pickler):
    """Leaves large arrays out."""

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, protocol=pickle.HIGHEST_PROTOCOL)
        self.large: dict[str, Array] = {}

    def persistent_id(self, obj: Any) -> str | None:
        """Return the name of a large array, None for objects that are pickled as usual."""
        if type(obj) is not np.ndarray or obj.nbytes < LARGE or obj.dtype.hasobject:
            return None
        digest = hashlib.blake2b(np.ascontiguousarray(obj).data, digest_size=16)
        # Two arrays of the same bytes may differ in shape, type, order in memory and whether they can change.
        order = "F" if obj.flags.f_contiguous and not obj.flags.c_contiguous else "C"
        digest.update(f"{obj.shape} {obj.dtype.str} {order} {obj.flags.writeable}".encode())
        name = digest.hexdigest()
        self.large[name] = obj
        return name


class _Unpickler(pickle.Unpickler):
    """Puts large arrays back in."""

    arrays: dict[str, Array]

    def persistent_load(self, pid: str) -> Array:
        """Return an array by its name."""
        if pid in self.arrays:
            return self.arrays[pid]
        with _lock:
            if pid not in _kept:
                raise _Absent
            _kept.move_to_end(pid)
            return _kept[pid]


def _keep(name: str, array: Array) -> None:
    with _lock:
        _kept[name] = array
        _kept.move_to_end(name)
        while len(_kept) > 1 and sum(one.nbytes for one in _kept.values()) > _MOST_KEPT:
            _kept.popitem(last=False)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiled objects: what identifies one, its file, where it is found, how it is loaded.

An object file is one line of JSON (the header) and the machine code behind it, linked or as the
compiler wrote it. It is valid for one key only: the hash of everything that its code depends on.
"""

import ctypes
import importlib.util
import json
import sys
from collections.abc import Callable
from io import FileIO
from pathlib import Path
from typing import Any, NamedTuple

from kingcobra.kernel import host
from kingcobra.kernel.levels import Level
from kingcobra.kernel.linking.image import ImageError, ImageLayout

try:  # hashlib would load OpenSSL, which costs some milliseconds of every start
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

FORMAT = "kingcobra-object-2"
SUFFIX = ".kco"
MODULE_SUFFIX = ".py"
PACKAGE_MODULE = "__init__.py"
KEY_DIGITS = 16
CHECKSUM_BYTES = 16
PACKAGE_NAME = __name__.split(".")[0]
PACKAGE_ROOT = Path(__file__).resolve().parent.parent
PACKAGE_OBJECTS = PACKAGE_ROOT / "objects"

# The kernel's part in every object; each object names the rest of its sources itself.
KERNEL_PACKAGES = tuple(
    f"{PACKAGE_NAME}.{package}" for package in ("kernel", "kernel.instructions", "kernel.linking")
)


class ObjectError(Exception):
    """An object that cannot be read, loaded or compiled; the message says which and why."""


class ObjectSpec(NamedTuple):
    """What an object is made of. `entry_modules` hold its entry points; `sources` are all modules
    its code comes from, kernel apart: emitting fails when one that is imported is missing.
    `on_load` names the entry point, if any, that is called once when the object is loaded.
    `parameters` is JSON text for entry modules that make entry points for given parameters; each
    text makes an object of its own."""

    name: str
    entry_modules: tuple[str, ...]
    sources: tuple[str, ...]
    on_load: str | None = None
    parameters: str = ""

    def all_sources(self) -> tuple[str, ...]:
        """Every module whose text the key covers."""
        return tuple(sorted({*modules_of(*KERNEL_PACKAGES), *self.entry_modules, *self.sources}))


def modules_of(*packages: str) -> tuple[str, ...]:
    """The modules in the folders of these packages, sub-packages apart, found without importing."""
    return tuple(
        f"{package}.{name.removesuffix(MODULE_SUFFIX)}"
        for package in packages
        for name in sorted(path.name for path in _folder_of(package).iterdir())
        if name.endswith(MODULE_SUFFIX) and name != PACKAGE_MODULE
    )


def _folder_of(package: str) -> Path:
    return PACKAGE_ROOT.joinpath(*package.split(".")[1:])


class Code(NamedTuple):
    """Machine code: an image, or without a layout an object file that LLVM must link. `entries` are
    the entry points with the number of their arguments."""

    entries: dict[str, int]
    contents: bytes
    layout: ImageLayout | None = None


class Header(NamedTuple):
    """The first line of an object file."""

    format: str
    name: str
    key: str
    level: str
    entries: dict[str, int]
    layout: dict[str, Any] | None
    size: int
    digest: str

    def checksum(self, code: bytes) -> str:
        """What `digest` must be: covers the rest of the header and the code."""
        fields = json.dumps(self._asdict() | {"digest": ""}, sort_keys=True)
        return blake2b(fields.encode() + code, digest_size=CHECKSUM_BYTES).hexdigest()


# --- the key ----------------------------------------------------------------------------------


def source_path(module: str) -> str:
    """The file of a module, found without importing it."""
    package, *names = module.split(".")
    if package == PACKAGE_NAME:
        return "/".join((str(PACKAGE_ROOT), *names)) + MODULE_SUFFIX
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        raise ObjectError(f"no source found for {module}")
    return spec.origin


def object_key(spec: ObjectSpec, level: Level) -> str:
    """Depends on the sources, which describe the records too, the parameters, the versions of
    Python and of the compilers, the level and the system, and on nothing else."""
    digest = blake2b(digest_size=KEY_DIGITS // 2)

    def add(*parts: str | bytes) -> None:
        for part in parts:
            digest.update(part if isinstance(part, bytes) else part.encode())
            digest.update(b"\0")

    add(FORMAT, spec.name, spec.parameters, level.name, sys.platform, str(sys.version_info[:2]))
    add(_version_file("numba"), _version_file("llvmlite"))
    for module in spec.all_sources():
        with FileIO(source_path(module)) as source:  # unbuffered: there are many at every start
            add(module, source.readall())
    return digest.hexdigest()


def _version_file(package: str) -> bytes:
    """Identifies the version of a package, without importing it."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        return b"not installed"
    try:
        return (Path(spec.origin).parent / "_version.py").read_bytes()
    except OSError:
        return b"version unknown"


# --- the file ---------------------------------------------------------------------------------


def file_name(spec: ObjectSpec, level: Level, key: str) -> str:
    """The name of an object's file in any directory."""
    return f"{spec.name}-{level.name}-{key}{SUFFIX}"


def pack(spec: ObjectSpec, level: Level, key: str, code: Code) -> bytes:
    """The bytes of an object file."""
    layout = None if code.layout is None else code.layout._asdict()
    header = Header(
        FORMAT, spec.name, key, level.name, code.entries, layout, len(code.contents), digest=""
    )
    header = header._replace(digest=header.checksum(code.contents))
    return json.dumps(header._asdict()).encode() + b"\n" + code.contents


def unpack(data: bytes, key: str) -> Code:
    """The machine code. ObjectError for anything but an intact object of this key."""
    line, _, contents = data.partition(b"\n")
    try:
        header = Header(**json.loads(line))
        layout = None if header.layout is None else ImageLayout(**header.layout)
    except (ValueError, TypeError, RecursionError):
        raise ObjectError("not a Kingcobra object") from None
    if header.format != FORMAT or header.key != key:
        raise ObjectError(f"the file of another object (key {header.key!r}, expected {key!r})")
    if len(contents) != header.size:
        raise ObjectError(f"truncated ({len(contents)} of {header.size} bytes)")
    if header.checksum(contents) != header.digest:
        raise ObjectError("damaged (checksum differs)")
    return Code(header.entries, contents, layout)


def search_directories() -> tuple[Path, ...]:
    """Where objects are looked for: the package (wheels may ship them), then the user's cache."""
    return (PACKAGE_OBJECTS, host.cache_directory())


# --- loading ----------------------------------------------------------------------------------


class LoadedObject:
    """An object in this process: its entry points as attributes, functions of integers. Keeps what
    they need alive."""

    def __init__(
        self,
        functions: dict[str, Callable[..., int]],
        addresses: dict[str, int] | None = None,
        keep_alive: Any = None,
    ) -> None:
        self.names = tuple(functions)
        self.addresses = addresses or {}
        self._keep_alive = keep_alive
        self.__dict__.update(functions)

    def __getattr__(self, name: str) -> Callable[..., int]:
        raise AttributeError(f"no entry point {name!r}, there are: {', '.join(self.names)}")


def load_code(code: Code) -> LoadedObject:
    """Machine code in this process, ready to be called, without Numba. ObjectError if it cannot be
    loaded."""
    addresses, keep_alive = _link_with_llvm(code) if code.layout is None else _map_image(code)
    functions: dict[str, Callable[..., int]] = {}
    for name, arguments in code.entries.items():
        if not addresses.get(name):
            raise ObjectError(f"entry point {name} is missing")
        prototype = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * arguments)
        functions[name] = prototype(addresses[name])
    return LoadedObject(functions, addresses, keep_alive)


def _map_image(code: Code) -> tuple[dict[str, int], Any]:
    """Addresses of the entry points, and what must be kept as long as they are used."""
    from kingcobra.kernel.system.code_memory import CodeMemory

    assert code.layout is not None
    try:
        memory = CodeMemory(code.layout, code.contents, host.C_LIBRARY_SYMBOLS)
    except (ImageError, OSError) as error:
        raise ObjectError(f"cannot be loaded ({error})") from error
    return memory.addresses, memory


def _link_with_llvm(code: Code) -> tuple[dict[str, int], Any]:
    """The same for an object file."""
    import llvmlite.binding as llvm

    try:
        engine = _linker(llvm)
        engine.add_object_file(llvm.ObjectFileRef.from_data(code.contents))
        engine.finalize_object()
    except RuntimeError as error:
        raise ObjectError(f"cannot be loaded ({error})") from error
    return {name: engine.get_function_address(name) for name in code.entries}, engine


def _linker(llvm: Any) -> Any:
    """An LLVM execution engine with nothing in it yet."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly(f'target triple = "{llvm.get_process_triple()}"')
    machine = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine()
    return llvm.create_mcjit_compiler(module, machine)

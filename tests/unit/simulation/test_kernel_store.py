"""What is kept between runs is used if it is this user's own, whole, and of the very kernel that is asked for."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from identikit.simulation import KernelStore, compiled, jax, kernel_store

NAME, OTHER = "a" * 64, "b" * 64
ANOTHER_USER = 12345


class Bomb:
    """Leaves a file behind when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[Path]]:
        return (Path.touch, (self.path,))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A private folder for the store, and a home of its own for the key."""
    for name in ("cache", "state"):
        (tmp_path / name).mkdir(mode=0o700)
    monkeypatch.setenv("IDENTIKIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "cache"


@pytest.fixture
def store(folder: Path) -> KernelStore:
    found = kernel_store()
    assert found is not None
    return found


def test_what_was_kept_is_read_back_by_its_name(store: KernelStore) -> None:
    store.keep(NAME, b"body")
    assert store.load(NAME) == b"body"
    assert store.load(OTHER) is None
    assert (store.size().kernels, store.clear().kernels, store.size().kernels) == (1, 1, 0)


def test_folder_and_files_are_closed_to_others(store: KernelStore) -> None:
    store.keep(NAME, b"body")
    assert store.path.stat().st_mode & 0o777 == 0o700
    assert (store.path / NAME).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda file: file.write_bytes(file.read_bytes()[:-1]), id="cut"),
        pytest.param(lambda file: file.write_bytes(file.read_bytes()[:20]), id="cut within its code"),
        pytest.param(lambda file: file.write_bytes(b""), id="empty"),
        pytest.param(lambda file: file.write_bytes(file.read_bytes()[:-1] + b"?"), id="a byte changed"),
        pytest.param(lambda file: file.write_bytes((file.parent / OTHER).read_bytes()), id="another kernel's"),
        pytest.param(lambda file: (file.unlink(), file.symlink_to(OTHER)), id="a link"),
        pytest.param(lambda file: file.chmod(0o666), id="open to others"),
        pytest.param(lambda file: (file.unlink(), file.mkdir()), id="a folder"),
        pytest.param(lambda file: (file.unlink(), os.mkfifo(file, 0o600)), id="a pipe"),
    ],
)
def test_a_file_that_was_tampered_with_is_not_read(store: KernelStore, spoil: object) -> None:
    for name in (NAME, OTHER):
        store.keep(name, b"body of " + name.encode())
    spoil(store.path / NAME)  # type: ignore[operator]
    assert store.load(NAME) is None
    assert store.load(OTHER) == b"body of " + OTHER.encode()


def test_kernels_of_another_user_are_not_unpickled_though_they_lie_in_our_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Copied in with their folder: the key that signed them stays with their owner."""
    mark = tmp_path / "unpickled"
    theirs = tmp_path / "theirs"
    (theirs / "state").mkdir(parents=True, mode=0o700)
    with monkeypatch.context() as other:
        other.setenv("IDENTIKIT_CACHE", str(theirs / "cache"))
        other.setenv("XDG_STATE_HOME", str(theirs / "state"))
        foreign = kernel_store()
        assert foreign is not None
        double = compiled(lambda x: 2 * x, "double")
        assert float(double(np.ones(1))[0]) == 2.0
        (name,) = [entry.name for entry in foreign.path.iterdir()]
        foreign.keep(name, pickle.dumps(Bomb(mark)))
    ours = kernel_store()
    assert ours is not None
    shutil.copy2(foreign.path / name, ours.path / name)
    again = compiled(lambda x: 2 * x, "double")
    assert float(again(np.ones(1))[0]) == 2.0
    assert not mark.exists()
    # the control: signed by us, the same content is believed
    ours.keep(name, pickle.dumps(Bomb(mark)))
    body = ours.load(name)
    assert body is not None
    pickle.loads(body)
    assert mark.exists()


def test_a_kept_kernel_is_used_and_not_compiled_again(store: KernelStore) -> None:
    traced = []

    def triple(x: np.ndarray) -> np.ndarray:
        traced.append(x)
        return 3 * x

    for _ in range(2):
        assert np.asarray(compiled(triple, "triple")(np.arange(3.0))).tolist() == [0.0, 3.0, 6.0]
    assert (len(traced), store.size().kernels) == (1, 1)
    compiled(triple, "triple")(np.arange(4.0))  # of another shape, compiled and kept for itself
    assert (len(traced), store.size().kernels) == (2, 2)
    compiled(triple, "another program")(np.arange(4.0))
    assert store.size().kernels == 3


def test_a_function_without_a_program_is_known_by_what_is_traced_of_it(store: KernelStore) -> None:
    for factor in (2.0, 2.0, 5.0):
        assert float(compiled(lambda x, factor=factor: factor * x)(np.ones(1))[0]) == factor
    assert store.size().kernels == 2


def test_a_kernel_that_does_not_load_is_compiled_anew(store: KernelStore) -> None:
    halve = compiled(lambda x: x / 2, "halve")
    assert float(halve(np.ones(1))[0]) == 0.5
    (name,) = [entry.name for entry in store.path.iterdir()]
    whole = store.load(name)
    for body in (b"", b"no pickle", pickle.dumps(("", b"no kernel", None, None)), pickle.dumps(1)):
        store.keep(name, body)
        assert float(compiled(lambda x: x / 2, "halve")(np.ones(1))[0]) == 0.5
        assert len(store.load(name) or b"") == len(whole or b"")


def test_checking_finds_a_program_that_its_name_does_not_tell(
    store: KernelStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IDENTIKIT_CACHE_CHECK", "1")
    for _ in range(2):  # the same program under the same name is right
        compiled(lambda x: x + 1, "one more")(np.ones(1))
    with pytest.raises(AssertionError, match="kept for another program"):
        compiled(lambda x: x + 2, "one more")(np.ones(1))


def test_the_kernel_used_longest_ago_goes_first(store: KernelStore) -> None:
    store.most_bytes = 1000
    for age, name in enumerate((NAME, OTHER, "c" * 64)):
        store.keep(name, bytes(200))
        os.utime(store.path / name, (100 - age, 100 - age))
    store.load("c" * 64)  # used now
    store.keep("d" * 64, bytes(300))
    assert [store.load(name) is not None for name in (NAME, OTHER, "c" * 64, "d" * 64)] == [True, False, True, True]
    store.keep("e" * 64, bytes(2000))  # more than all that may be kept
    assert store.load("e" * 64) is None and store.load(NAME) is not None


def refused(capsys: pytest.CaptureFixture[str]) -> str:
    """The one line on stderr, where nothing is kept."""
    assert kernel_store() is None and kernel_store() is None
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("identikit: compiled kernels are not kept: ")
    return line


def test_a_folder_that_others_can_write_to_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder.chmod(0o777)
    assert f"others can write to {folder} (mode 0777)" in refused(capsys)


def test_a_store_that_others_can_read_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "kernels").mkdir(mode=0o755)
    assert "open to others (mode 0755)" in refused(capsys)


def test_a_folder_above_that_others_can_write_to_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.chmod(0o777)
    (folder / "mine").mkdir(mode=0o700)
    monkeypatch.setenv("IDENTIKIT_CACHE", str(folder / "mine"))
    assert f"others can write to {folder}" in refused(capsys)
    folder.chmod(0o1777)  # sticky, as /tmp is: nobody can take the folder's place
    (folder / "yours").mkdir(mode=0o700)
    monkeypatch.setenv("IDENTIKIT_CACHE", str(folder / "yours"))
    assert kernel_store() is not None


def test_a_store_behind_a_link_is_refused_and_a_link_of_ours_above_it_is_not(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (folder / "kernels").symlink_to(tmp_path / "elsewhere")
    assert "is a symbolic link" in refused(capsys)
    (tmp_path / "way").symlink_to("elsewhere")
    monkeypatch.setenv("IDENTIKIT_CACHE", str(tmp_path / "way"))
    assert kernel_store() is not None


def test_a_folder_of_another_user_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("identikit.private_folder.os.geteuid", lambda: ANOTHER_USER)
    assert "belongs to another user" in refused(capsys)


def test_a_key_that_others_could_have_written_is_refused(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "state" / "identikit").mkdir(mode=0o700)
    (tmp_path / "state" / "identikit" / "kernel-key").write_bytes(bytes(32))
    (tmp_path / "state" / "identikit" / "kernel-key").chmod(0o666)
    assert "kernel-key is no key of this user's" in refused(capsys)


def test_a_store_that_can_only_be_read_is_used(
    store: KernelStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a container whose image holds the kernels: what is there is used, what is new is not kept."""
    store.keep(NAME, b"body")

    def read_only(*_: object, **__: object) -> object:
        raise OSError(30, "Read-only file system")

    for name in ("replace", "utime", "link"):
        monkeypatch.setattr(f"identikit.private_folder.os.{name}", read_only)
    assert store.load(NAME) == b"body"
    store.keep(OTHER, b"other")
    assert store.load(OTHER) is None
    assert [entry.name for entry in store.path.iterdir()] == [NAME]  # nothing half-written


DECOMPOSED = """
import numpy as np
from identikit.simulation import compiled, jax
kernel = compiled(lambda a: jax().numpy.linalg.qr(a)[1], "decomposed")
print(repr(abs(float(kernel(np.array([[3.0, 1.0], [4.0, 2.0]]))[0, 0]))))
"""


def test_a_kernel_that_calls_lapack_runs_in_a_process_that_has_only_loaded_it(store: KernelStore) -> None:
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", DECOMPOSED], capture_output=True, text=True, timeout=120)
        assert (done.returncode, done.stdout.strip()) == (0, "5.0"), done.stderr
        assert store.size().kernels == 1


def test_a_kernel_that_calls_python_is_not_kept(store: KernelStore) -> None:
    """Where its function lies is known to this process alone."""

    def calling(x: np.ndarray) -> object:
        return jax().pure_callback(lambda y: np.asarray(y) + 1, jax().ShapeDtypeStruct((2,), float), x)

    assert np.asarray(compiled(calling, "calling")(np.zeros(2))).tolist() == [1.0, 1.0]
    assert store.size().kernels == 0


TWO_AT_ONCE = """
import sys, numpy as np
import identikit as ik
from identikit.simulation import simulate
print(repr(float(simulate(ik.library_model("lotka_volterra"), np.linspace(0, 1, 5)).states[0, -1])))
"""


def test_two_processes_on_one_cold_store_do_each_other_no_harm(store: KernelStore) -> None:
    begun = [
        subprocess.Popen([sys.executable, "-c", TWO_AT_ONCE], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    answers = [process.communicate(timeout=120) for process in begun]
    assert answers[0] == answers[1] and answers[0][1] == ""
    assert store.size().kernels == 1
    third = subprocess.run([sys.executable, "-c", TWO_AT_ONCE], capture_output=True, text=True, timeout=120, check=True)
    assert third.stdout == answers[0][0] and store.size().kernels == 1

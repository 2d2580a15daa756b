"""Downloads against a Maven repository on loopback that this test serves."""

import hashlib
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from graphstore.errors import ServerError
from graphstore.server.download import fetch
from graphstore.server.lock import LockedFile, ServerLock

CONTENT = {f"org.example:part{n}:1.{n}": bytes([n]) * (1000 + n) for n in range(30)}


class Handler(SimpleHTTPRequestHandler):
    requested: list[str]

    def do_GET(self):
        self.requested.append(self.path)
        super().do_GET()

    def log_message(self, *args):
        pass


@pytest.fixture
def lock():
    files = tuple(LockedFile(name, hashlib.sha256(text).hexdigest(), len(text)) for name, text in CONTENT.items())
    return ServerLock("1", "2", "org.example.Main", 21, files)


@pytest.fixture
def repository(tmp_path, lock):
    root = tmp_path / "repository"
    for file, text in zip(lock.files, CONTENT.values(), strict=True):
        (root / file.path).parent.mkdir(parents=True)
        (root / file.path).write_bytes(text)
    return root


@pytest.fixture
def mirror(repository):
    requested = []
    handler = type("Recording", (Handler,), {"requested": requested})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(repository))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        server.requested = requested
        server.address = f"http://127.0.0.1:{server.server_port}"
        yield server
        server.shutdown()


def files_in(folder):
    return {path for path in folder.rglob("*") if path.is_file()}


def test_all_files_arrive_in_class_path_order_and_progress_ends_at_the_total(tmp_path, lock, mirror):
    seen = []
    paths = fetch(lock, tmp_path / "cache", maven=mirror.address, progress=lambda *step: seen.append(step))
    assert [path.read_bytes() for path in paths] == list(CONTENT.values())
    assert [done for _, done, _ in seen] == sorted(done for _, done, _ in seen)
    assert seen[-1][1:] == (lock.size, lock.size)


def test_a_second_fetch_asks_for_nothing(tmp_path, lock, mirror):
    fetch(lock, tmp_path / "cache", maven=mirror.address)
    mirror.requested.clear()
    fetch(lock, tmp_path / "cache", maven=mirror.address)
    assert mirror.requested == []


def test_a_download_that_broke_off_goes_on_with_what_is_missing(tmp_path, lock, mirror, repository):
    broken = repository / lock.files[20].path
    broken.rename(broken.with_suffix(".away"))
    with pytest.raises(ServerError, match=r"org\.example:part20:1\.20: HTTP 404.*GRAPHSTORE_MAVEN"):
        fetch(lock, tmp_path / "cache", maven=mirror.address)
    kept = files_in(tmp_path / "cache")
    assert all(path.suffix == ".jar" for path in kept)
    broken.with_suffix(".away").rename(broken)
    mirror.requested.clear()
    fetch(lock, tmp_path / "cache", maven=mirror.address)
    assert len(mirror.requested) == len(lock.files) - len(kept)


@pytest.mark.parametrize("content", [b"", b"\x05" * 1004 + b"!", b"\x05" * 5000])
def test_a_file_that_differs_from_the_lock_is_refused_and_not_kept(tmp_path, lock, mirror, repository, content):
    (repository / lock.files[5].path).write_bytes(content)
    with pytest.raises(ServerError, match=r"org\.example:part5:1\.5: its content differs from the lock"):
        fetch(lock, tmp_path / "cache", maven=mirror.address)
    assert not (tmp_path / "cache" / "jars" / lock.files[5].path).exists()


def test_a_cached_file_with_one_flipped_bit_is_fetched_again(tmp_path, lock, mirror):
    paths = fetch(lock, tmp_path / "cache", maven=mirror.address)
    good = paths[7].read_bytes()
    paths[7].write_bytes(good[:-1] + bytes([good[-1] ^ 1]))
    mirror.requested.clear()
    fetch(lock, tmp_path / "cache", maven=mirror.address)
    assert paths[7].read_bytes() == good
    assert len(mirror.requested) == 1


def test_no_network_is_one_line_with_the_remedy(tmp_path, lock):
    with pytest.raises(ServerError, match="check the network, or set GRAPHSTORE_MAVEN") as caught:
        fetch(lock, tmp_path / "cache", maven="http://127.0.0.1:9")
    assert "\n" not in str(caught.value)


def test_a_cache_that_cannot_be_written_is_one_line_with_the_remedy(tmp_path, lock, mirror):
    (tmp_path / "cache").write_text("a file where the folder should be")
    with pytest.raises(ServerError, match="set GRAPHSTORE_CACHE"):
        fetch(lock, tmp_path / "cache", maven=mirror.address)


def test_two_downloads_at_once_leave_one_good_copy(tmp_path, lock, mirror):
    errors = []

    def work():
        try:
            fetch(lock, tmp_path / "cache", maven=mirror.address)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert len(files_in(tmp_path / "cache")) == len(lock.files)

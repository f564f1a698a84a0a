"""Check of the URLs and paths from which git may fetch, and their display without credentials."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from codeexplore.types.errors import GitError

FORMS = "https://host/owner/name, ssh://user@host/path, user@host:path, file:///path, or the path of a local repository"
"""Description of the accepted URLs, for messages."""

_NO_BYTE = r"\ud800-\udc7f\udd00-\udfff"  # surrogates that stand for no byte, so that no command line can have them
_CONTROL = re.compile(rf"[\x00-\x1f\x7f-\x9f{_NO_BYTE}]")
_HELPER = re.compile(r"^[^/\[]*::")  # broader than git's helpers; an IPv6 address is in brackets
_SCP = re.compile(r"^(?:[A-Za-z0-9_][\w.+-]*@)?(?:[A-Za-z0-9_][\w.-]*|\[[0-9A-Fa-f:.]+\]):(?!//)[^-].*\Z", re.DOTALL)
_USER = re.compile(r"^[A-Za-z0-9_][^/@]*\Z")
_HOST = re.compile(r"^[A-Za-z0-9_\[][\w.:\]-]*\Z")
_USERINFO = re.compile(r"(?<=://)[^/\n]*@")
_PASSWORD = re.compile(r"(?<![^\s/])[^\s/:@]*:[^\s/@]+@")  # where slashes are missing or misplaced
_WITH_SLASH = re.compile(r"(?<=://)[^/@\s:]*:(?!\d+(?:[/'\"\s]|\Z))[^@\s]{0,300}@")  # a password with a slash in it
_AS_PORT = re.compile(r"(?<=://)(?!\[)([^/@\s:]+):(?!\d+(?:[/'\"\s]|\Z))[^/\s]+")  # a password without a host
_PAGE = re.compile(r"^/(?P<repository>[^/]+/[^/]+?)/(?:-/)?(?:tree|blob)/(?P<ref>[^/]+)")
_REF = re.compile(
    rf"^(?![-/.])(?!.*(?:\.\.|@\{{|//|/\.|\.lock(?:/|\Z)))[^\x00-\x20\x7f~^:?*\[\\{_NO_BYTE}]{{1,255}}(?<![/.])\Z"
)


@dataclass(frozen=True, slots=True)
class Remote:
    """A repository from which git may fetch, with its checked URL."""

    url: str  # as passed to git, perhaps with credentials
    shown: str  # without credentials
    folder: str  # name of its cache folder: readable, and different for each URL


def is_remote(where: str) -> bool:
    """Return True if `where` names a remote repository: a URL, or the short form ``user@host:path`` of an ssh URL."""
    return "://" in where or where.startswith("git@")


def name_of(url: str) -> str:
    """Return the name of a repository, which is the last part of its URL."""
    return url.rstrip("/").rpartition("/")[2].removesuffix(".git") or url


def parse_remote(url: str) -> Remote:
    """Check a URL or path, and return it as a `Remote`.

    Raises GitError if the text has none of the `FORMS`. Options, transport helpers (``ext::``) and plain http are
    refused.
    """
    given = url.strip()
    if not given:
        raise GitError(f"the git URL is empty; give {FORMS}")
    if _CONTROL.search(given):
        raise _refused(given, "holds control characters or halves of characters")
    if given.startswith("-"):
        raise _refused(given, "would be read as an option")
    if _HELPER.match(given):
        raise _refused(given, "names a transport helper, which may run any program")
    if "://" in given:
        return _by_scheme(given)
    try:
        local = Path(given).expanduser()
    except RuntimeError as error:  # ~nobody
        raise _refused(given, f"names no home folder ({error})") from error
    if _is_folder(local):
        return _remote(local.resolve().as_uri())
    if _SCP.match(given):
        return _remote(given)
    raise GitError(f"{hidden(given)!r} is neither a folder here nor a git URL; give {FORMS}")


def check_ref(ref: str) -> str:
    """Return `ref` if git cannot mistake it for an option or a range of revisions. Raises GitError otherwise."""
    if not _REF.match(ref):
        raise GitError(
            f"{ref[:100]!r} can't be the name of a branch, tag or commit; give one, or None for the default branch"
        )
    return ref


def hidden(text: str) -> str:
    """Return `text` with ``***`` instead of the user names and passwords in its URLs."""
    shown = _PASSWORD.sub("***@", _USERINFO.sub("***@", text))
    return _AS_PORT.sub(r"\1:***", _WITH_SLASH.sub("***@", shown))


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # is_dir raises for a name longer than any file's
        return False


def _by_scheme(url: str) -> Remote:
    try:
        parts = urlsplit(url)
        host, user, _ = parts.hostname or "", parts.username, parts.port
    except ValueError:  # a port that is not a number, an open bracket; the message may contain part of a password
        raise _refused(url, "has a host or a port that can't be read") from None
    if parts.scheme == "file":
        if host not in ("", "localhost") or not parts.path.strip("/"):
            raise _refused(url, "names no local folder")
        return _remote(url)
    if parts.scheme not in ("https", "ssh"):
        unsafe = parts.scheme in ("http", "git")
        raise _refused(url, f"uses {parts.scheme}://, which is not safe" if unsafe else "")
    if not _HOST.match(host) or (user and not _USER.match(user)) or not parts.path.strip("/"):
        raise _refused(url, "has no host or path, or characters in them that are not allowed")
    if host in ("github.com", "gitlab.com") and (page := _PAGE.match(parts.path)):
        repository = f"https://{host}/{page['repository']}"
        raise GitError(f"{hidden(url)!r} is a page of a repository; give {repository!r} and ref={page['ref']!r}")
    return _remote(url)


def _remote(url: str) -> Remote:
    public = _USERINFO.sub("", url)
    words = re.sub(r"[^A-Za-z0-9._-]+", "-", public.partition("://")[2] or public).strip("-.")
    digest = hashlib.sha256(public.encode("utf-8", "surrogateescape")).hexdigest()
    return Remote(url, hidden(url), f"{words[-60:].strip('-.')}-{digest[:12]}")


def _refused(url: str, why: str) -> GitError:
    return GitError(f"the git URL {hidden(url)[:200]!r} is refused{': it ' + why if why else ''}. Give {FORMS}")

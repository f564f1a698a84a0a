"""Masks for known forms of tokens and keys: what a pack or an assistant's answer shows goes to others.

>>> masked(["key = 'AKIAIOSFODNN7EXAMPLE'"])
(["key = 'AKIA[masked]'"], 1)
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_FORMS: Final = (
    r"(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}",  # AWS
    r"gh[oprsu]_\w{30,}|github_pat_\w{22,}|gl(?:pat|ptt|rt)-[\w-]{20,}",  # GitHub, GitLab
    r"xox[abeoprs]-[\w-]{10,}|xapp-\d-[\w-]{10,}",  # Slack
    r"eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}",  # JSON Web Token
    r"AIza[\w-]{35}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}",  # Google
    r"[rs]k_(?:live|test)_\w{16,}|whsec_\w{24,}",  # Stripe
    r"sk-(?:proj-|svcacct-|ant-\w{3,8}-|or-v1-)?[A-Za-z0-9]{20}[\w-]*|hf_[A-Za-z0-9]{30,}",  # models
    r"npm_[A-Za-z0-9]{36}|pypi-AgE[\w-]{50,}|dckr_pat_[\w-]{20,}|dop_v1_[a-f0-9]{64}",  # registries, DigitalOcean
    r"SG\.[\w-]{16,}\.[\w-]{16,}|SK[0-9a-f]{32}|key-[0-9a-f]{32}",  # SendGrid, Twilio, Mailgun
)
_TOKEN: Final = re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(_FORMS)})(?![A-Za-z0-9])")
_LABELLED: Final = re.compile(
    r"(?P<kept>hooks\.slack\.com/services/|discord(?:app)?\.com/api/webhooks/|AccountKey=|"
    r"aws_?(?:secret|session)_?\w*[\"']?\s*[:=]\s*[\"']?|[a-z][\w+.-]*://[^\s/:@\"']{1,64}:(?=[^\s/@\"'{}$<%]{3,128}@))"
    r"[^\s\"'@<>{}$]{3,}",
    re.IGNORECASE,
)
_BEGIN: Final = re.compile(r"(?P<kept>-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----).*?(?=-----END|$)")
_END: Final = re.compile(r"-----END [A-Z0-9 ]*PRIVATE KEY")
_KEY_LINE: Final = re.compile(r"[A-Za-z0-9+/=]{16,}|^[^\w]*[A-Za-z0-9+/]+={0,2}[^\w]*$")
_MASK: Final = "[masked]"
_SHOWN: Final = 4  # characters of a token that say which form it has


def masked(lines: Iterable[str]) -> tuple[list[str], int]:
    """Return lines in which tokens and private keys are replaced, and the number of those replaced."""
    found, count, inside = [], 0, False
    for line in lines:
        text, inside_before = line, inside
        if inside_before and _END.search(text) is None:
            text, n = _KEY_LINE.subn(_MASK, text)
            inside = n > 0 or not text.strip()  # a key that a pack shows in part ends with the text that is none
        else:
            inside = False
            text, n = _BEGIN.subn(rf"\g<kept>{_MASK}", text)
            inside, count = n > 0 and _END.search(text) is None, count + n
        text, n = _TOKEN.subn(lambda match: match[0][:_SHOWN] + _MASK, text)
        text, more = _LABELLED.subn(rf"\g<kept>{_MASK}", text)
        found.append(text)
        count += n + more
    return found, count


def mask_note(count: int) -> str:
    return f"Masked: {count:,} {'text' if count == 1 else 'texts'} in the form of a token or key" if count else ""

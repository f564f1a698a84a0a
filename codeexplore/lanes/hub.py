"""Models by name from the Hugging Face hub: the local cache first, then the network, never a hang."""

from __future__ import annotations

import re
import threading
from pathlib import Path

from codeexplore.errors import ModelError
from codeexplore.interrupts import interrupts_first

HUB_TIMEOUT = 15.0
"""Seconds the hub may take to say that it has a model. The download itself may take as long as it keeps coming."""

_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")


def is_hub_name(model: str) -> bool:
    """Whether a string that is no existing folder can only be meant as ``owner/name`` on the hub.

    A path whose first folder exists is a mistyped path; model2vec would look it up on the hub.
    """
    return bool(_HUB_NAME.fullmatch(model)) and not Path(model.partition("/")[0]).exists()


def hub_folder(name: str) -> Path:
    """The local folder of a model on the hub, downloaded if the cache lacks it. Raises ModelError."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError
    from model2vec.persistence.datamodels import get_all_model2vec_paths

    patterns = [*get_all_model2vec_paths(), "README.md"]
    try:
        with interrupts_first():
            return Path(snapshot_download(name, allow_patterns=patterns, local_files_only=True))
    except LocalEntryNotFoundError:  # not in the cache
        _ask_hub(name)
    try:
        with interrupts_first():
            return Path(snapshot_download(name, allow_patterns=patterns))
    except Exception as error:  # the network has many ways to fail
        raise _unavailable(name, error) from error


def _ask_hub(name: str) -> None:
    """Return when the hub knows the model; raise ModelError when it doesn't, or doesn't answer in time."""
    from huggingface_hub import HfApi

    failure: list[Exception] = []

    def ask() -> None:
        try:
            HfApi().model_info(name, timeout=HUB_TIMEOUT)
        except Exception as error:  # noqa: BLE001  # handed to the waiting thread, which raises it
            failure.append(error)

    thread = threading.Thread(target=ask, name="codeexplore-hub", daemon=True)  # name resolution knows no timeout
    thread.start()
    thread.join(HUB_TIMEOUT)
    if thread.is_alive():
        raise _unavailable(name, TimeoutError(f"no answer within {HUB_TIMEOUT:g} seconds"))
    if failure:
        raise _unavailable(name, failure[0]) from failure[0]


def _unavailable(name: str, error: Exception) -> ModelError:
    reason = str(error).strip().partition("\n")[0].rstrip(".") or type(error).__name__
    return ModelError(
        f"model {name!r} is no folder here, and the Hugging Face hub can't give it ({reason}). Check the spelling and "
        "the network, give the folder of a downloaded model, or leave model= out for the bundled one."
    )

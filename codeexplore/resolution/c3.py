"""C3: the method resolution order of Python, Dylan and others (Barrett et al., OOPSLA 1996)."""

from __future__ import annotations


def merge_c3(sequences: list[list[int]]) -> list[int] | None:
    """Merge resolution orders of classes. Return None if they contradict each other.

    `sequences` are the orders of the direct supertypes, and the list of the direct supertypes itself.
    """
    result: list[int] = []
    sequences = [s for s in sequences if s]
    heads = [0] * len(sequences)
    tails: dict[int, int] = {}  # class → number of tails that contain it
    waiting: dict[int, list[int]] = {}  # class → sequences that begin with it
    for number, sequence in enumerate(sequences):
        waiting.setdefault(sequence[0], []).append(number)
        for cls in sequence[1:]:
            tails[cls] = tails.get(cls, 0) + 1
    start = 0  # all earlier sequences are merged
    while True:
        while start < len(sequences) and heads[start] == len(sequences[start]):
            start += 1
        if start == len(sequences):
            return result
        for number in range(start, len(sequences)):
            if heads[number] < len(sequences[number]):
                candidate = sequences[number][heads[number]]
                if not tails.get(candidate):
                    break
        else:
            return None
        result.append(candidate)
        for number in waiting.pop(candidate):
            heads[number] += 1
            if heads[number] < len(sequences[number]):
                head = sequences[number][heads[number]]
                tails[head] -= 1
                waiting.setdefault(head, []).append(number)

"""Solutions of the notebook 7-measures: each part replaces the cell with the same check."""

# %% 7.1
right = {name for name, grade in lab.grades.items() if grade == 2}
found = len(right & set(lab.ranked[:5]))
lab.check("7.1", found / 5)

# %% 7.2
lab.check("7.2", found / len(right))

# %% 7.3
answer = sum(1 / rank for rank in lab.first_ranks if rank is not None) / len(lab.first_ranks)
lab.check("7.3", answer)


# %% 7.4
def dcg(grades):
    """Return the discounted cumulative gain of grades in the order of a ranking."""
    return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, 1))


best = sorted(lab.grades.values(), reverse=True)[:5]
answer = dcg([lab.grades.get(name, 0) for name in lab.ranked[:5]]) / dcg(best)
lab.check("7.4", answer)

# %% 7.5
observed = abs(sum(lab.differences))
sums = [
    sum(sign * value for sign, value in zip(signs, lab.differences, strict=True))
    for signs in itertools.product((1, -1), repeat=len(lab.differences))
]
answer = sum(abs(total) >= observed - 1e-12 for total in sums) / len(sums)
lab.check("7.5", answer)

# %% 7.6
answer = math.ceil(((1.96 + 0.84) * statistics.stdev(lab.differences) / 0.1) ** 2)
lab.check("7.6", answer)

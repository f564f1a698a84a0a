"""Solutions of the notebook 6-judging: each part replaces the cell with the same check."""

# %% 6.1
pool = {name for names in lab.tops.values() for name in names}
lab.check("6.1", len(pool))

# %% 6.2
answer = {name: lab.grades_of(lab.asked).get(name, 0) for name in pool}  # or by click
lab.check("6.2", answer)

# %% 6.3
observed = sum(careful[name] == hasty[name] for name in careful) / len(careful)
lab.check("6.3", observed)

# %% 6.4
first, second = (sum(judge.values()) / len(judge) for judge in (careful, hasty))
expected = first * second + (1 - first) * (1 - second)
answer = (observed - expected) / (1 - expected)
lab.check("6.4", answer)

# %% 6.5
names = [name for name, _ in lab.ranking(lab.question, "embedding")[:10]]
answer = sum(name in pool for name in names) / len(names)
lab.check("6.5", answer)

"""Solutions of the notebook 9-your-repository: each part replaces the cell with the same check."""

# %% 9.1
ranks = [[name for name, _ in hits].index(own.hit) + 1 for hits in own.lanes.values()]
lab.check("9.1", sum(1 / (60 + rank) for rank in ranks))

# %% 9.2
pool = {name for names in own.tops.values() for name in names}
lab.check("9.2", len(pool))

# %% 9.3
answer = {name: own.grades_of(own.asked).get(name, 0) for name in pool}  # or by click
lab.check("9.3", answer)

# %% 9.4
answer = sum(1 / rank for rank in own.first_ranks if rank is not None) / len(own.first_ranks)
lab.check("9.4", answer)

# %% 9.5
SETTING = "bm25+embedding signals=off weights=embedding:{:g}"
found = {weight: evaluate(own.ws, own.development, SETTING.format(weight)).mean("mrr") for weight in lab.weights}
best = max(found, key=found.get)
lab.check("9.5", best)

# %% 9.6
before = evaluate(own.ws, own.test, SETTING.format(1))
after = evaluate(own.ws, own.test, SETTING.format(best))
difference = after.mean("mrr") - before.mean("mrr")
lab.check("9.6", difference)

# %% 9.7
comparison = compare(before, after)
p = next(each.chance.p_value for each in comparison.differences if each.measure.key == "mrr")
lab.check("9.7", p)

# %% 9.8
answer = (
    f"On {len(own.test)} test questions a weight of {best:g} for the embedding lane changed the MRR by "
    f"{difference:+.3f} (p = {p:.3f})."
)
lab.check("9.8", answer)

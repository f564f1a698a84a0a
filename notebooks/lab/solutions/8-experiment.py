"""Solutions of the notebook 8-experiment: each part replaces the cell with the same check."""

# %% 8.1
alone = evaluate(lab.ws, lab.development, "bm25 signals=off")
both = evaluate(lab.ws, lab.development, "bm25+embedding signals=off")
lab.check("8.1", both.mean("mrr") - alone.mean("mrr"))

# %% 8.2
SETTING = "bm25+embedding signals=off weights=embedding:{:g}"
found = {weight: evaluate(lab.ws, lab.development, SETTING.format(weight)).mean("mrr") for weight in lab.weights}
best = max(found, key=found.get)
lab.check("8.2", best)

# %% 8.3
before = evaluate(lab.ws, lab.test, SETTING.format(1))
after = evaluate(lab.ws, lab.test, SETTING.format(best))
difference = after.mean("mrr") - before.mean("mrr")
lab.check("8.3", difference)

# %% 8.4
comparison = compare(before, after)
p = next(each.chance.p_value for each in comparison.differences if each.measure.key == "mrr")
lab.check("8.4", p)

# %% 8.5
answer = (
    f"On {len(lab.test)} test questions a weight of {best:g} for the embedding lane changed the MRR by "
    f"{difference:+.3f}, which may be chance (p = {p:.3f})."
)
lab.check("8.5", answer)

"""Solutions of the notebook 5-fusion: each part replaces the cell with the same check."""

# %% 5.1
answer = 0
for hits in lab.lanes.values():
    for rank, (name, _) in enumerate(hits, 1):
        if name == lab.hit:
            answer += 1 / (60 + rank)
lab.check("5.1", answer)

# %% 5.2
fused = {}
for hits in lab.lanes.values():
    for rank, (name, _) in enumerate(hits, 1):
        fused[name] = fused.get(name, 0) + 1 / (60 + rank)
answer = sorted(fused, key=lambda name: (-fused[name], name))[:3]
lab.check("5.2", answer)

# %% 5.3
scores = [score for _, score in lab.lanes["bm25"]]
score = dict(lab.lanes["bm25"])[lab.hit]
answer = (score - min(scores)) / (max(scores) - min(scores))
lab.check("5.3", answer)

# %% 5.4
answer = (score - statistics.fmean(scores)) / statistics.pstdev(scores)
lab.check("5.4", answer)

# %% 5.5
changed = [10 * scores[0], *scores[1:]]
answer = (score - min(changed)) / (max(changed) - min(changed))
lab.check("5.5", answer)

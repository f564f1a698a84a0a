"""Solutions of the notebook 4-graph: each part replaces the cell with the same check."""

# %% 4.1
answer = {caller for caller, callee in lab.calls if callee == lab.start}
lab.check("4.1", answer)

# %% 4.2
degree = sum(lab.start in edge for edge in lab.calls)
answer = 0.85 / degree
lab.check("4.2", answer)

# %% step
neighbours = {vertex: [] for vertex in lab.vertices}
for caller, callee in lab.calls:
    neighbours[caller].append(callee)
    neighbours[callee].append(caller)


def step(ranks, d=0.85):
    """Return the ranks after one more step."""
    after = dict.fromkeys(ranks, 0.0)
    after[lab.start] += 1 - d
    for vertex, rank in ranks.items():
        for other in neighbours[vertex]:
            after[other] += d * rank / len(neighbours[vertex])
    return after


# %% 4.3
ranks = {vertex: float(vertex == lab.start) for vertex in lab.vertices}
for _ in range(100):
    ranks = step(ranks)
print(sum(ranks.values()))  # stays 1
lab.check("4.3", ranks[lab.neighbour])

# %% 4.4
everywhere = pagerank(lab.vertices, both_ways, dict.fromkeys(lab.vertices, 1.0), 0.85)
others = [vertex for vertex in lab.vertices if vertex != lab.start]
answer = sorted(others, key=lambda vertex: (-round(near[vertex] / everywhere[vertex], 9), vertex))[:3]
lab.check("4.4", answer)

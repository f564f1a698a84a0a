"""Solutions of the notebook 3-vectors: each part replaces the cell with the same check."""

# %% 3.1
a, b = map(np.array, lab.vectors)
answer = a @ b / (np.linalg.norm(a) * np.linalg.norm(b))
lab.check("3.1", answer)

# %% 3.2
answer = len(set(tokenize_question(lab.paraphrase)) & set(lab.documents[lab.wanted]))
lab.check("3.2", answer)

# %% 3.3
names = [name for name, _ in lab.ranking(lab.paraphrase, "embedding")]
answer = names.index(lab.wanted) + 1
lab.check("3.3", answer)

# %% 3.4
answer = sorted(lab.sentences, key=lambda label: -lab.cosine(*lab.sentences[label]))
lab.check("3.4", answer)

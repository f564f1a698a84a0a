"""Solutions of the notebook 1-bm25: each part replaces the cell with the same check."""

# %% 1.1
index = {}
for name, tokens in lab.shelf.items():
    for token in tokens:
        index.setdefault(token, set()).add(name)

answer = index[lab.term]
lab.check("1.1", answer)

# %% 1.2
df = sum(lab.term in tokens for tokens in lab.documents.values())
lab.check("1.2", df)

# %% 1.3
n = len(lab.documents)
idf = math.log(1 + (n - df + 0.5) / (df + 0.5))
lab.check("1.3", idf)

# %% 1.4
length = lab.documents[lab.document].total()
average = sum(tokens.total() for tokens in lab.documents.values()) / n
K = 2.5 * (1 - 0.75 + 0.75 * length / average)
lab.check("1.4", K)

# %% 1.5
tf = lab.documents[lab.document][lab.term]
lab.check("1.5", lab.term_score.times * idf * tf / (tf + K))

# %% 1.6
answer = sum(term.times * term.idf * term.tf / (term.tf + K) for term in lab.terms)
lab.check("1.6", answer)

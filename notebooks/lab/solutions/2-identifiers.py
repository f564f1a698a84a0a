"""Solutions of the notebook 2-identifiers: each part replaces the cell with the same check."""

# %% 2.1
answer = ["parse", "http", "response", "2", "xx", "retry", "count"]
lab.check("2.1", answer)

# %% 2.2
asked = {token for word in words(lab.question) if word.casefold() not in STOP_WORDS for token in tokenize(word)}
answer = {name for name in lab.names if asked & set(tokenize(name))}
lab.check("2.2", answer)

# %% 2.3
answer = [token for word in words(lab.question) if word.casefold() not in STOP_WORDS for token in tokenize(word)]
lab.check("2.3", answer)

# %% 2.4
by_word = {name for name, text in lab.texts.items() if lab.word.casefold() in {word.casefold() for word in words(text)}}
by_token = {name for name, tokens in lab.documents.items() if lab.term in tokens}
answer = len(by_token - by_word)
lab.check("2.4", answer)

"""Text without syntax: identifier tokens, word counts of chunks, similar names, and lines before and after an edit.

Change it to change the tokeniser.

Entry points: `tokens.tokenize`, `tokens.tokenize_question`, `word_counts.count_words`, `similar_names.most_similar`,
`similar_names.Spelling`, `line_map.aligned`.

Example: ``tokenize("processOrderRefund")`` is ``["processorderrefund", "process", "order", "refund"]``;
``most_similar("validate_sesion", ["validate_session", "create_user"], 3)`` is ``["validate_session"]``.
"""

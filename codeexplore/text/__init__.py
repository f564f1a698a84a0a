"""Text without syntax: identifier tokens, word counts of chunks, and similar names.

Entry points: `tokens.tokenize`, `tokens.tokenize_question`, `word_counts.count_words`, `similar_names.most_similar`.

Example: ``tokenize("processOrderRefund")`` is ``["processorderrefund", "process", "order", "refund"]``;
``ClosestNames(["validate_session", "create_user"]).find("validate_sesion", 3, 0.6)`` is ``["validate_session"]``.
"""

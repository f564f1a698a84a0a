"""Text → QueryPlan: the kind of question, its names and relation, the lanes to ask, and why."""

"""Solutions of the notebook 10-other-tools: it has no exercise."""

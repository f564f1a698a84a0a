"""Bash: language record and extractor.

Entry points: `spec.BASH` (the language record), `extractor.BashExtractor` (facts of a file).

Example: ``deploy() { build; }`` in ``deploy.sh`` becomes the function ``deploy.deploy``, with a call of ``build``.
"""

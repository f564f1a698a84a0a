"""The parts of the explorer, a module for each panel.

Data flows one way: controls → request → workspace → answer → HTML. A panel reports a change of its controls by the
callback that it was given, and shows an answer when the explorer calls its ``show`` or ``offer``; panels do not call
each other. Entry points: `query.AskingPanel`, `graph.CallersPanel`, `compare.ComparePanel`, `toolbar`, `pins.Pins`.

>>> from codeexplore.notebook.background import CallbackGuard
>>> from codeexplore.notebook.panels.query import QuestionBox
>>> QuestionBox("expired sessions", print, lambda beginning: (), CallbackGuard(print)).question
'expired sessions'
"""

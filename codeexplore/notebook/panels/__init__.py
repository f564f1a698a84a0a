"""Panels of the explorer, one module for each.

Data flows one way: controls → request → workspace → answer → HTML. When its controls change, a panel calls the callback
that it was given. The explorer calls its ``show`` or ``offer`` to display an answer. Panels do not call each other.
Entry points: `query.AskingPanel`, `graph.CallersPanel`, `compare.ComparePanel`, `toolbar`, `pins.Pins`.

The parameter `guard` of all panels is the explorer's `CallbackGuard`, which wraps their callbacks.

>>> from codeexplore.notebook.background import CallbackGuard
>>> from codeexplore.notebook.panels.query import QuestionBox
>>> QuestionBox("expired sessions", print, lambda beginning: (), CallbackGuard(print)).question
'expired sessions'
"""

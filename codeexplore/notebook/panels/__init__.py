"""Panels of the explorer, one module for each.

Change it to add a panel of the explorer.

Data flows in one direction: controls → request → workspace → answer → HTML. When a control of a panel changes, the
panel calls the callback that it was given. To display an answer, the explorer calls the ``show`` or ``offer`` of a
panel. Panels do not call each other. Entry points: `query.AskingPanel`, `graph.CallersPanel`, `compare.ComparePanel`,
`toolbar`, `pins.Pins`.

The parameter `guard` of all panels is the explorer's `CallbackGuard`, which wraps their callbacks.

>>> from codeexplore.notebook.background import CallbackGuard
>>> from codeexplore.notebook.panels.question_box import QuestionBox
>>> QuestionBox("expired sessions", print, lambda beginning: (), CallbackGuard(print)).question
'expired sessions'
"""

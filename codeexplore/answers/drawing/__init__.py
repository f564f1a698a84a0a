"""Drawings of answers about the graph.

`layout` computes the coordinates, `svg` makes still pictures, and `vis_network` makes pages to drag and zoom.
`vis_network.drawing_html` returns the drawing of an answer. If frames are not allowed, the still picture is shown.
`layout.draw` computes the boxes and links; coordinates are in pixels.

>>> from codeexplore import Workspace, sample_repo
>>> from codeexplore.answers.drawing.layout import draw
>>> drawing = draw(Workspace(sample_repo("webshop")).callers("validate_session"))
>>> [box.label for box in drawing.boxes]
['SessionManager.…lidate_session', 'wrapper', 'test_purge_ends…pired_sessions']
"""

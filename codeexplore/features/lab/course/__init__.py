"""The lab: exercises about retrieval that check themselves, on a small repository; see docs/teaching.md.

`open_lab` is what a notebook calls. `copy_lab` makes the folder of a student, `grade` reads its answers.
The right answers, and typical wrong ones, are computed from the corpus: with another repository the exercises follow.

>>> from codeexplore.features.lab.course import EXERCISES
>>> EXERCISES["1.3"].title
'idf'
"""

from __future__ import annotations

from codeexplore.features.lab.course.exercises import EXERCISES
from codeexplore.features.lab.course.folder import copy_lab
from codeexplore.features.lab.course.material import Material, pagerank
from codeexplore.features.lab.course.report import LabReport, answer_key, grade
from codeexplore.features.lab.course.session import Feedback, Lab, open_lab

__all__ = [
    "EXERCISES",
    "Feedback",
    "Lab",
    "LabReport",
    "Material",
    "answer_key",
    "copy_lab",
    "grade",
    "open_lab",
    "pagerank",
]

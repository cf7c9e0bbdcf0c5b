# SPDX-License-Identifier: MIT
"""A pipeline with a similarity written in Python, for tests to vary."""

SHORT = """
name: short
nodes:
  t:     {is: source/xor, train: 200, test: 100}
  bases: {is: basis/random_per_class, per_class: 20, from: t}
  map:   {is: similarity/mine, from: t, bases: bases}
  svm:   {is: solver/linear_svm, from: map}
  test:  {is: evaluator/classification, from: svm}
"""

MINE = """
import numpy as np
import semblance
@semblance.similarity("similarity/mine", width=semblance.number(1.0, "width", above=0))
def mine(bases, samples, width):
    "Cauchy kernel."
    return 1 / (1 + np.square(samples[:, None] - bases).sum(axis=2) / width ** 2)
"""


def run_mine(program, source=MINE, *more, pipeline=SHORT, **environment):
    program.file("mine.py", source)
    program.file("p.yaml", pipeline)
    return program("run", "p.yaml", "--plugin-path", "mine.py", "--out", "out", "--quiet", *more,
                   **environment)

# SPDX-License-Identifier: MIT
"""A similarity that tests declare for their own process, as in a notebook."""

import numpy as np

import semblance

PIPELINE = """
name: small
nodes:
  t:     {is: source/xor, train: 300, test: 100}
  bases: {is: basis/random_per_class, per_class: 30, from: t}
  map:   {is: similarity/mine, width: 0.5, from: t, bases: bases}
  svm:   {is: solver/linear_svm, from: map}
  test:  {is: evaluator/classification, from: svm}
"""

power = 2


def cauchy(bases, samples, width):
    """Cauchy kernel."""
    d = np.square(samples[:, None] - bases).sum(axis=2)
    return 1 / (1 + d / width ** power)


def declared(function=cauchy, **options):
    width = semblance.number(1.0, "half width", above=0)
    return semblance.similarity("similarity/mine", width=width, **options)(function)


def ran(pipeline=PIPELINE, **options):
    return semblance.run(pipeline, **options).metrics["nodes"]

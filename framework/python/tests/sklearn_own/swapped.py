# SPDX-License-Identifier: MIT
"""Semblance's machines under the names of scikit-learn's machines and parameters, for its tests.

Only names are translated; what is not named has Semblance's value.
"""

import inspect
import numbers

import semblance
from semblance.similarity import Linear, Polynomial, RBF


def kernel_of(machine):
    """The measure that scikit-learn's parameters of a kernel say."""
    name = machine.kernel
    if name == "linear":
        return Linear()
    if name == "rbf":
        return RBF(gamma=machine.gamma)
    if name == "poly":
        gamma = machine.gamma
        if gamma == "auto":
            gamma = 1 / machine.n_features_in_
        return Polynomial(degree=machine.degree, offset=machine.coef0, scale=gamma)
    return name


class Swapped:
    """Finds the value of each parameter of a component in scikit-learn's parameters."""

    uses = 0  #: how often one was made or asked for a parameter, which each training does

    #: Parameters that have another name, and those that are made of several.
    names = {"tolerance": "tol"}
    #: What the estimators of Semblance have besides the component's parameters.
    image_shape = n_jobs = memory = deadline = random_state = class_weight = None

    @property
    def verbose(self):
        return bool(self.__dict__.get("verbose"))

    @verbose.setter
    def verbose(self, value):
        self.__dict__["verbose"] = value

    def _given(self, name):
        Swapped.uses += 1
        if name == "kernel":
            return "precomputed" if self._function() is not None else kernel_of(self)
        if name == "max_iterations":
            return iterations_of(self.max_iter)
        if self.names.get(name, name) in self.__dict__:
            return getattr(self, self.names.get(name, name))
        own = next(base for base in type(self).__mro__ if "_generated" in base.__module__)
        return inspect.signature(own).parameters[name].default


def iterations_of(given):
    if isinstance(given, numbers.Integral) and given == -1:
        return 10_000_000
    return given


class SVC(Swapped, semblance.KernelSVM):
    multiclass = "one_versus_one"

    def __init__(self, *, C=1.0, kernel="rbf", degree=3, gamma="scale", coef0=0.0, shrinking=True,
                 probability=False, tol=1e-3, cache_size=200, class_weight=None, verbose=False,
                 max_iter=-1, decision_function_shape="ovr", break_ties=False, random_state=None):
        keep(self, locals())


class SVR(Swapped, semblance.KernelSVR):
    def __init__(self, *, kernel="rbf", degree=3, gamma="scale", coef0=0.0, tol=1e-3, C=1.0,
                 epsilon=0.1, shrinking=True, cache_size=200, verbose=False, max_iter=-1):
        keep(self, locals())


class OneClassSVM(Swapped, semblance.OneClassSVM):
    def __init__(self, *, kernel="rbf", degree=3, gamma="scale", coef0=0.0, tol=1e-3, nu=0.5,
                 shrinking=True, cache_size=200, verbose=False, max_iter=-1):
        keep(self, locals())


class LinearSwapped(Swapped):
    def _given(self, name):
        if name == "bias":
            return float(self.intercept_scaling) if self.fit_intercept else 0.0
        return super()._given(name)


class LinearSVC(LinearSwapped, semblance.LinearSVM):
    names = {"tolerance": "tol", "regularizer": "penalty"}

    def __init__(self, penalty="l2", loss="squared_hinge", *, dual=True, tol=1e-4, C=1.0,
                 multi_class="ovr", fit_intercept=True, intercept_scaling=1, class_weight=None,
                 verbose=0, random_state=None, max_iter=1000):
        keep(self, locals())

    def _given(self, name):
        if name == "multiclass":
            if self.loss == "hinge" and self.multi_class == "ovr":
                raise NotImplementedError("LinearSVM has the squared hinge loss only")
            return {"ovr": "one_versus_rest"}.get(self.multi_class, self.multi_class)
        return False if name == "center" else super()._given(name)


class LinearSVR(LinearSwapped, semblance.LinearSVR):
    def __init__(self, *, epsilon=0.0, tol=1e-4, C=1.0, loss="epsilon_insensitive",
                 fit_intercept=True, intercept_scaling=1.0, dual=True, verbose=0,
                 random_state=None, max_iter=1000):
        keep(self, locals())


def keep(machine, given):
    Swapped.uses += 1
    for name in inspect.signature(type(machine)).parameters:
        setattr(machine, name, given[name])


#: What takes the place of scikit-learn's own.
MACHINES = {made.__name__: made for made in (SVC, SVR, OneClassSVM, LinearSVC, LinearSVR)}

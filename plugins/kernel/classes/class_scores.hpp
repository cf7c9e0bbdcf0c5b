// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "expansion/kernel_expansion.hpp"
#include "semblance/decision_values.hpp"
#include "semblance/support_vectors.hpp"

namespace semblance::kernel {

/// All problems: every class against every later one, or against the rest; one problem for two
/// classes.
std::vector<Opposed> opponents(std::size_t classes, bool one_versus_one);

/// One score per class from the problems' decision values.
///
/// One versus rest: the decision values. Two classes: (f, -f), where f = 0 is the second class as
/// in LIBSVM. One versus one: a class's votes, plus s / (3 |s| + 3) for the sum s of its decision
/// values, which is less than a third and so only breaks ties.
void class_scores(std::size_t classes, bool one_versus_one, std::span<const Opposed> problems,
                  std::span<const double> decisions, std::span<float> scores);

/// class_scores() as a formula. Throws Error if there are too many problems to write down.
Formula::Value write_scores(Formula& formula, std::size_t classes, bool one_versus_one,
                            std::span<const Opposed> problems, Formula::Value decisions);

/// Converts functions of all pairs of classes to a LIBSVM machine, given the kernel with all
/// vectors; vectors without a coefficient are omitted. Throws Error if it has no such form.
SupportVectorMachine libsvm_machine(const KernelExpansion& functions, std::size_t classes,
                                    std::span<const Opposed> problems,
                                    const SupportVectorMachine& kernel);

}  // namespace semblance::kernel

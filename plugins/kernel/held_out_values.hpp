// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "path_solutions.hpp"

namespace semblance::kernel {

/// Whether all samples of one side of a problem, or of both, have the cost 0. Such a problem has no
/// solution that separates anything, and no certificate.
bool one_sided(const ClassProblems& problems, const Opponents& pair);

/// The decision values of all problems, samples x problems, at training samples at some places,
/// which are held out: their costs are 0. `solutions` have gradients. Where all samples of a side
/// of a problem are held out, the value is the other side's, 1 or -1.
std::vector<double> held_out_values(const PathSetting& path, const ClassProblems& problems,
                                    const Solutions& solutions,
                                    std::span<const std::uint32_t> places);

/// Whether each sample at these places is misclassified, by the problems' decision values.
std::vector<char> misclassified(const PathSetting& path, const ClassProblems& problems,
                                std::span<const std::uint32_t> places,
                                std::span<const double> values);

/// Whether a problem that separates something ended at the iteration limit.
bool hit_limit(const ClassProblems& problems, const Solutions& solutions);

}  // namespace semblance::kernel

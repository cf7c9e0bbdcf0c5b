// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace semblance {

/// The replacement of something that the previous version had: a component
/// ("normalizer/quant"), a parameter of one ("solver/linear_svm.preconditioner"), an option
/// ("--slurm"), a template ("new-plugin graph_feature"); empty for anything else. An entry stays
/// for one version.
std::string replacement_of(std::string_view name);

/// How to get a component that has a package of its own; empty for anything else.
std::string package_of(std::string_view component);

}  // namespace semblance

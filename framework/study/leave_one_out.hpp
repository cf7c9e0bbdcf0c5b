// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "pipeline/pipeline.hpp"
#include "pipeline/problems.hpp"
#include "pipeline/yaml_tree.hpp"

namespace semblance {

struct StudySpecification;

/// The part of a pipeline that node `name` depends on, itself included.
Pipeline needed_for(const std::string& name, const Pipeline& pipeline);

/// Checks that every training sample can be left out in turn without training anything for each
/// one. Between the source and the metric's evaluator only these are allowed: features, one
/// similarity to all training samples, and a solver that can compute its result without a sample.
/// Reports other nodes; `tree` knows their places. `pipeline` is needed_for() the metric's node.
void check_leave_one_out(const StudySpecification& select, const Pipeline& pipeline,
                         const YamlNode& tree, const Catalogue& catalogue, Problems& problems);

}  // namespace semblance

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

/// Checks that leaving out every training row in turn is possible without training anything for
/// each: between the source and the metric's evaluator there are only features, one similarity to
/// all training rows, and a solver that can tell what it would be without a row. Reports the nodes
/// that stand in the way; `tree` knows their places. `pipeline` is needed_for() the metric's node.
void check_leave_one_out(const StudySpecification& select, const Pipeline& pipeline,
                         const YamlNode& tree, const Catalogue& catalogue, Problems& problems);

}  // namespace semblance

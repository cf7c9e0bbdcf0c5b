// SPDX-License-Identifier: MIT
#include "study_testing.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "test_components.hpp"

namespace semblance::testing {

std::string study_text(const std::string& study) {
  return replaced(good_text, "nodes:\n", "study:\n" + study + "nodes:\n");
}

StudyCheck check_study_text(const std::string& text, std::vector<std::string> overrides) {
  CheckOptions options;
  options.data = "/data";
  options.overrides = std::move(overrides);
  options.check_files = false;
  return check_study(text, "s.yaml", test_catalogue(), options);
}

Study good_study(const std::string& study) {
  StudyCheck checked = check_study_text(study_text(study));
  REQUIRE_MESSAGE(checked.study.has_value(), render(checked.diagnostics));
  return *std::move(checked.study);
}

bool has_node(const StudyVariant& variant, const std::string& name) {
  return std::ranges::find(variant.pipeline.nodes, name, &PipelineNode::name) !=
         variant.pipeline.nodes.end();
}

const PipelineNode& node_of(const StudyVariant& variant, const std::string& name) {
  REQUIRE_MESSAGE(has_node(variant, name), variant.name, " has no ", name);
  return *std::ranges::find(variant.pipeline.nodes, name, &PipelineNode::name);
}

}  // namespace semblance::testing

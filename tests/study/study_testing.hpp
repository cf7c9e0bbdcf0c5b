// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "study/study.hpp"

namespace semblance::testing {

/// A study file: `study` (with its line breaks, indented by two) before the nodes of good_text.
std::string study_text(const std::string& study);

/// Checks without looking for data files; the file is called s.yaml.
StudyCheck check_study_text(const std::string& text, std::vector<std::string> overrides = {});

/// The study of this text; fails the test with the problem if it is invalid.
Study good_study(const std::string& study);

/// The node of a variant's pipeline; fails the test if there is none.
const PipelineNode& node_of(const StudyVariant& variant, const std::string& name);
bool has_node(const StudyVariant& variant, const std::string& name);

}  // namespace semblance::testing

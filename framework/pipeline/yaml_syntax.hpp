// SPDX-License-Identifier: MIT
#pragma once

#include <yaml-cpp/exceptions.h>

#include "pipeline/problems.hpp"
#include "pipeline/source_text.hpp"
#include "pipeline/yaml_builder.hpp"

namespace semblance {

/// Says what yaml-cpp stumbled over in words that help; `builder` tells what was open then.
void report_syntax_error(const YAML::Exception& error, const TreeBuilder& builder,
                         const SourceText& source, Problems& problems);

/// What must hold before a parser is given the text: UTF-8 without control characters, no tabs in
/// the indentation, of reasonable size. Reports and returns false otherwise.
bool check_text(const SourceText& source, Problems& problems);

/// The largest pipeline accepted, in bytes.
inline constexpr std::size_t largest_pipeline = std::size_t{1} << 20;

}  // namespace semblance

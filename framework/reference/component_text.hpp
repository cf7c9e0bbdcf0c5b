// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "semblance/component_info.hpp"

namespace semblance {

/// The type of a parameter's values: "number in (0, inf), pixels", "[hard, bilinear]".
std::string type_text(const ParameterInfo& parameter);

/// "required", "optional", or the default as written in a pipeline.
std::string default_text(const ParameterInfo& parameter);

/// The type of a figure: "share, higher is better".
std::string figure_type_text(const FigureInfo& figure);

/// The type of an input or of the output: "samples of layout vector or grid, one or more".
std::string port_text(const PortInfo& port);

/// What an input takes; several inputs of one name are alternatives: "scores or estimates".
std::string input_text(const ComponentInfo& info, const std::string& input);

/// "is deprecated since 1.1: write width", of a former name of the component `id`.
std::string former_text(const FormerName& name, const std::string& id);

/// The component's example as a complete pipeline file; empty where it has none.
std::string example_pipeline(const ComponentInfo& info);

}  // namespace semblance

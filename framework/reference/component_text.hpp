// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "semblance/component_info.hpp"

namespace semblance {

/// What values a parameter takes: "number in (0, inf), pixels", "[hard, bilinear]".
std::string type_text(const ParameterInfo& parameter);

/// "required", "optional", or the default as a pipeline writes it.
std::string default_text(const ParameterInfo& parameter);

/// What an input takes, or the output gives: "samples of layout vector or grid, one or more".
/// "share, higher is better"
std::string figure_type_text(const FigureInfo& figure);

std::string port_text(const PortInfo& port);

/// The component's example as a whole pipeline file; empty where it has none.
std::string example_pipeline(const ComponentInfo& info);

}  // namespace semblance

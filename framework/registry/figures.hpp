// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "registry/component_config.hpp"
#include "semblance/component_info.hpp"

namespace semblance {

class Catalogue;

/// What the runtime reports of every node of a component of this kind, besides what the component
/// does.
const std::vector<FigureInfo>& runtime_figures(const ComponentInfo& info);

/// What a node may report: the component's own figures, the runtime's, and those of the components
/// that are its parameters, whose reports it may pass on.
std::vector<FigureInfo> figures_of(const ComponentConfig& config, const Catalogue& catalogue);

/// The declaration of the figure that is called so, as ComponentInfo::figure() finds it.
const FigureInfo* figure_named(std::span<const FigureInfo> figures, std::string_view name) noexcept;

/// Of a column of a table or an axis of a curve: declared as TABLE.COLUMN or CURVE.LABEL, else as
/// the figure that has the column's name; plain where it is neither.
FigureUnit unit_of_column(std::span<const FigureInfo> figures, std::string_view owner,
                          std::string_view column);

/// What is wrong with a number of that name that `component` puts into its report: it is not
/// declared. Nothing: it is.
std::string undeclared_figure(std::string_view component, std::span<const FigureInfo> figures,
                              std::string_view name);

/// The names of the figures that can be compared: not those of columns and axes.
std::vector<std::string> comparable_figures(std::span<const FigureInfo> figures);

/// "share", "lower": as in JSON and the reference.
const char* name(FigureUnit unit) noexcept;
const char* name(Better better) noexcept;
/// Throw Error for another word.
FigureUnit figure_unit_named(std::string_view word);
Better better_named(std::string_view word);

}  // namespace semblance

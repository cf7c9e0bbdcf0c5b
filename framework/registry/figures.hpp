// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "registry/component_config.hpp"
#include "semblance/component_info.hpp"
#include "semblance/report.hpp"

namespace semblance {

class Catalogue;

/// The figures that the runtime reports for every node of a component of this kind, in addition to
/// the component's own.
const std::vector<FigureInfo>& runtime_figures(const ComponentInfo& info);

/// The figures that a node may report: the component's own, the runtime's, and those of its nested
/// components, whose reports it may pass on.
std::vector<FigureInfo> figures_of(const ComponentConfig& config, const Catalogue& catalogue);

/// The declaration of the figure of this name, as ComponentInfo::figure() finds it.
const FigureInfo* figure_named(std::span<const FigureInfo> figures, std::string_view name) noexcept;

/// The unit of a column of a table or an axis of a curve: as declared for TABLE.COLUMN or
/// CURVE.LABEL, otherwise that of the figure with the column's name; where there is neither,
/// seconds if this is the name, else plain.
FigureUnit unit_of_column(std::span<const FigureInfo> figures, std::string_view owner,
                          std::string_view column);

/// Whether an axis of the curve is a time, which differs between equal runs.
bool is_over_time(std::span<const FigureInfo> figures, const Curve& curve);

/// The error message for an undeclared number of that name in the report of `component`. Empty: it
/// is declared.
std::string undeclared_figure(std::string_view component, std::span<const FigureInfo> figures,
                              std::string_view name);

/// The names of the figures that can be compared; those of columns and axes cannot.
std::vector<std::string> comparable_figures(std::span<const FigureInfo> figures);

/// "share", "lower": the words of JSON and the reference.
const char* name(FigureUnit unit) noexcept;
const char* name(Better better) noexcept;
/// These throw Error for unknown words.
FigureUnit figure_unit_named(std::string_view word);
Better better_named(std::string_view word);
/// "lower" or "higher"; nothing for other words.
std::optional<Better> direction_named(std::string_view word) noexcept;

}  // namespace semblance

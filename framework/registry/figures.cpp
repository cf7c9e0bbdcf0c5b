// SPDX-License-Identifier: MIT
#include "registry/figures.hpp"

#include <algorithm>
#include <array>

#include "registry/catalogue.hpp"
#include "semblance/error.hpp"

namespace semblance {
namespace {

constexpr std::array known_units = {FigureUnit::plain, FigureUnit::share, FigureUnit::count,
                                    FigureUnit::seconds, FigureUnit::bytes};
constexpr std::array known_directions = {Better::none, Better::lower, Better::higher};

void add_figures(const ComponentConfig& config, const Catalogue& catalogue,
                 std::vector<FigureInfo>& figures) {
  const auto* entry = catalogue.find(config.id);
  if (!entry) return;
  for (const FigureInfo& figure : entry->info.figures)
    if (std::ranges::find(figures, figure.name, &FigureInfo::name) == figures.end())
      figures.push_back(figure);
  for (const ComponentPart& part : config.parts) add_figures(part.component, catalogue, figures);
}

bool is_of_column(const FigureInfo& figure) { return figure.name.find('.') != std::string::npos; }

}  // namespace

const std::vector<FigureInfo>& runtime_figures(const ComponentInfo& info) {
  using enum FigureUnit;
  using enum Better;
  static const std::vector<FigureInfo> nothing;
  static const std::vector<FigureInfo> of_bases = {{"bases", "number of bases chosen", count}};
  static const std::vector<FigureInfo> of_maps = {
      {"check_error",
       "largest difference of a sample of similarities from their definition in double, as a share "
       "of the largest",
       plain, lower}};
  static const std::vector<FigureInfo> of_pairs = {
      {"train_pairs", "number of training pairs", count},
      {"positive_train_pairs", "number of these with both rows of the same class", count},
      {"test_pairs", "number of test pairs", count},
      {"positive_test_pairs", "number of these with both rows of the same class", count}};
  static const std::vector<FigureInfo> of_solvers = {
      {"predict_rows", "number of rows it was applied to", count},
      {"predict_seconds", "time to apply it, summed over threads", seconds, lower}};
  static const std::vector<FigureInfo> of_calibrators = {
      of_solvers[0],
      of_solvers[1],
      {"changed_predictions", "number of test rows whose class differs from the solver's", count}};
  if (info.kind() == "basis") return of_bases;
  if (info.kind() == "pairs") return of_pairs;
  if (info.kind() == "similarity") return of_maps;
  if (info.kind() == "calibrator") return of_calibrators;
  return info.kind() == "solver" ? of_solvers : nothing;
}

std::vector<FigureInfo> figures_of(const ComponentConfig& config, const Catalogue& catalogue) {
  std::vector<FigureInfo> figures;
  add_figures(config, catalogue, figures);
  return figures;
}

const FigureInfo* figure_named(std::span<const FigureInfo> figures,
                               std::string_view name) noexcept {
  const auto exact = std::ranges::find(figures, name, &FigureInfo::name);
  if (exact != figures.end()) return &*exact;
  const auto found = std::ranges::find_if(figures, [&](const auto& f) { return f.matches(name); });
  return found == figures.end() ? nullptr : &*found;
}

FigureUnit unit_of_column(std::span<const FigureInfo> figures, std::string_view owner,
                          std::string_view column) {
  const FigureInfo* found = figure_named(figures, std::string(owner) + "." + std::string(column));
  if (!found) found = figure_named(figures, column);
  if (found) return found->unit;
  return column == "seconds" ? FigureUnit::seconds : FigureUnit::plain;
}

bool is_over_time(std::span<const FigureInfo> figures, const Curve& curve) {
  return unit_of_column(figures, curve.name, curve.x_label) == FigureUnit::seconds ||
         unit_of_column(figures, curve.name, curve.y_label) == FigureUnit::seconds;
}

std::string undeclared_figure(std::string_view component, std::span<const FigureInfo> figures,
                              std::string_view name) {
  if (figure_named(figures, name)) return "";
  return std::string(component) + " reports the figure '" + std::string(name) +
         "', which its declaration does not name; add .reports({\"" + std::string(name) +
         "\", \"one line of documentation\"}), with its unit and which of two values is better";
}

std::vector<std::string> comparable_figures(std::span<const FigureInfo> figures) {
  std::vector<std::string> names;
  for (const FigureInfo& figure : figures)
    if (!is_of_column(figure)) names.push_back(figure.name);
  return names;
}

const char* name(FigureUnit unit) noexcept {
  switch (unit) {
    case FigureUnit::plain:
      return "plain";
    case FigureUnit::share:
      return "share";
    case FigureUnit::count:
      return "count";
    case FigureUnit::seconds:
      return "seconds";
    case FigureUnit::bytes:
      return "bytes";
  }
  return "plain";
}

const char* name(Better better) noexcept {
  switch (better) {
    case Better::none:
      return "none";
    case Better::lower:
      return "lower";
    case Better::higher:
      return "higher";
  }
  return "none";
}

FigureUnit figure_unit_named(std::string_view word) {
  for (const FigureUnit unit : known_units)
    if (word == name(unit)) return unit;
  throw Error("'" + std::string(word) + "' is not a unit of a figure");
}

std::optional<Better> direction_named(std::string_view word) noexcept {
  for (const Better better : {Better::lower, Better::higher})
    if (word == name(better)) return better;
  return std::nullopt;
}

Better better_named(std::string_view word) {
  for (const Better better : known_directions)
    if (word == name(better)) return better;
  throw Error("'" + std::string(word) + "' does not say which of two figures is better");
}

}  // namespace semblance

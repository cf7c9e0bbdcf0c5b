// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace semblance::cli {

/// The available templates: the kinds, plus series_distance for a similarity of series, and
/// pair_solver, sample_evaluator and pair_evaluator for solvers and evaluators with other inputs.
std::vector<std::string> template_kinds();

/// A project for one new component, written from a folder of templates: one subfolder per kind of
/// component, and `common`. In their names and texts `template_name` stands for the component's
/// name, `TemplateName` for the same in camel case.
class PluginTemplate {
 public:
  /// `wanted` is KIND/NAME with one of template_kinds(). Throws UsageError if the kind is
  /// unknown or the name is invalid.
  PluginTemplate(const std::string& wanted, std::filesystem::path templates);

  const std::string& name() const noexcept { return name_; }
  std::string id() const;

  /// Writes into a folder that must not exist. `prefix` is the CMake option that finds the SDK,
  /// with a leading blank, or empty; `program` is the command of this program. Throws Error.
  void write(const std::filesystem::path& folder, const std::string& prefix,
             const std::string& program) const;

 private:
  std::filesystem::path templates_;
  std::string kind_;  ///< as requested, with the folder's name
  std::string name_;
};

}  // namespace semblance::cli

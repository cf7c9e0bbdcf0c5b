// SPDX-License-Identifier: MIT
#include "checked.hpp"

#include "errors.hpp"
#include "pipeline/pipeline_file.hpp"
#include "pipeline/yaml_syntax.hpp"
#include "study/check_pipeline.hpp"

namespace semblance::python {
namespace {

void add_overrides(CheckOptions& options, const BoundData& bound,
                   const std::vector<std::string>& overrides) {
  options.overrides = bound.overrides;
  options.overrides.insert(options.overrides.end(), overrides.begin(), overrides.end());
}

template <class Checked>
Checked sound(std::optional<Checked> checked, std::vector<Diagnostic> diagnostics) {
  if (!checked) throw BadPipeline(std::move(diagnostics));
  for (const Diagnostic& diagnostic : diagnostics) warn(render(diagnostic));
  return *std::move(checked);
}

bool has_study(const std::string& text, const std::string& file) {
  const SourceText source(file, without_byte_order_mark(text));
  Problems problems;
  const auto root = check_text(source, problems) ? parse_yaml(source, problems) : std::nullopt;
  return root && root->is_mapping() && root->find("study");
}

}  // namespace

SelectingPipeline checked_pipeline(const std::string& text, const std::string& file,
                                   const Catalogue& catalogue, CheckOptions& options,
                                   const BoundData& bound,
                                   const std::vector<std::string>& overrides) {
  add_overrides(options, bound, overrides);
  PipelineCheck checked = check_pipeline(text, file, catalogue, options);
  return sound(std::move(checked.pipeline), std::move(checked.diagnostics));
}

Study checked_study(const std::string& text, const std::string& file, const Catalogue& catalogue,
                    CheckOptions& options, const BoundData& bound,
                    const std::vector<std::string>& overrides) {
  add_overrides(options, bound, overrides);
  StudyCheck checked = check_study(text, file, catalogue, options);
  return sound(std::move(checked.study), std::move(checked.diagnostics));
}

std::vector<Diagnostic> found_problems(const std::string& text, const std::string& file,
                                       const Catalogue& catalogue, CheckOptions& options,
                                       const BoundData& bound,
                                       const std::vector<std::string>& overrides) {
  add_overrides(options, bound, overrides);
  if (has_study(text, file)) return check_study(text, file, catalogue, options).diagnostics;
  return check_pipeline(text, file, catalogue, options).diagnostics;
}

}  // namespace semblance::python

// SPDX-License-Identifier: MIT
#include "study/check_pipeline.hpp"

#include "pipeline/overrides.hpp"
#include "pipeline/pipeline_file.hpp"
#include "pipeline/yaml_syntax.hpp"
#include "study/selection.hpp"

namespace semblance {

PipelineCheck check_pipeline(const std::string& text, const std::string& file_name,
                             const Catalogue& catalogue, const CheckOptions& options) {
  const SourceText source(file_name, without_byte_order_mark(text));
  const auto arguments = override_sources(options.overrides);

  Problems problems;
  PipelineCheck result;
  const auto overrides = parse_overrides(arguments, problems);
  std::optional<YamlNode> root;
  if (check_text(source, problems)) root = parse_yaml(source, problems);
  if (root) {
    apply_overrides(overrides, catalogue, *root, problems);
    result.pipeline =
        check_selecting_tree(*root, file_name, catalogue, options, problems, overrides);
  }
  result.diagnostics = problems.take();
  return result;
}

PipelineCheck load_pipeline(const std::filesystem::path& file, const Catalogue& catalogue,
                            const CheckOptions& options) {
  const PipelineFile content = read_pipeline_file(file);
  if (!content.problem) return check_pipeline(content.text, file.string(), catalogue, options);
  PipelineCheck result;
  result.diagnostics.push_back(*content.problem);
  return result;
}

}  // namespace semblance

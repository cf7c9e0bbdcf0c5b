// SPDX-License-Identifier: MIT
#include "fuzzing.hpp"
#include "pipeline/resolved.hpp"
#include "test_components.hpp"

using namespace semblance;
using namespace semblance::fuzzing;

// A pipeline, then the arguments of --set, separated by NUL bytes. An argument without a pipeline
// changes a valid one.
FUZZ_TARGET(pipeline) {
  std::string text(input.until('\0'));
  if (text.empty()) text = testing::good_text;
  std::vector<std::string> overrides;
  while (!input.empty() && overrides.size() < 8) overrides.emplace_back(input.until('\0'));
  const PipelineCheck result = testing::check(text, overrides);
  require(result.pipeline.has_value() != has_errors(result.diagnostics),
          "neither a pipeline nor an error, or both");
  for (const Diagnostic& d : result.diagnostics)
    require(!d.message.empty() && d.position.line >= 0 && d.position.column >= 0,
            "a message without words or at no place");
  for (const char c : render(result.diagnostics))
    require(static_cast<unsigned char>(c) >= 0x20 || c == '\n', "a message that cannot be shown");
  if (result.pipeline)
    require(testing::check(resolved_yaml(*result.pipeline)).pipeline.has_value(),
            "the resolved pipeline is refused:\n" + resolved_yaml(*result.pipeline));
}

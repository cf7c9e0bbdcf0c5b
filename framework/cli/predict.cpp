// SPDX-License-Identifier: MIT
#include "runtime/predict.hpp"

#include <fmt/format.h>

#include "cli/pipeline_options.hpp"
#include "runtime/model.hpp"

namespace semblance::cli {

int predict_verb(const std::vector<std::string>& arguments) {
  const Verb& verb = verb_named("predict");
  options::options_description described("options", 100);
  add_pipeline_options(described);
  add_run_options(described);
  const auto values = parse(verb, arguments, described, one_argument());
  if (!values) return done;
  const std::filesystem::path model = required_argument(*values, verb);
  RunOptions settings = run_options(*values);
  settings.use_cache = false;
  if (settings.out.empty()) settings.out = "predictions";
  const Discovery found = discover(*values);
  const auto pipeline =
      checked_pipeline(model_pipeline(model), found.catalogue, check_options(*values));
  if (!pipeline) return wrong_usage;
  stop_on_interrupt();
  const PredictResult result = predict(*pipeline, found.catalogue, settings, model);
  for (const auto& evaluation : result.evaluations)
    if (evaluation.metrics.contains("accuracy"))
      fmt::print("{}: accuracy {:.2f} %\n", evaluation.name,
                 100 * evaluation.metrics["accuracy"].get<double>());
  fmt::print("{} rows predicted:\n", result.rows);
  for (const auto& file : result.files) fmt::print("  {}\n", file.string());
  return done;
}

}  // namespace semblance::cli

// SPDX-License-Identifier: MIT
#include "runtime/predict.hpp"

#include <fmt/format.h>

#include "cli/figure_line.hpp"
#include "cli/pipeline_options.hpp"
#include "report/figure_text.hpp"
#include "report/headline_figures.hpp"
#include "report/metrics.hpp"
#include "runtime/model.hpp"

namespace semblance::cli {

namespace {

/// "test: accuracy 97.50 %, error rate 2.50 %"
void print_evaluations(const PredictResult& result) {
  for (const auto& evaluation : result.evaluations) {
    std::string text;
    for (const std::string& name : headline_figures(evaluation))
      text += (text.empty() ? "" : ", ") + words(name) + " " +
              terminal_text(evaluation.figure(name).unit, evaluation.metrics[name].get<double>());
    if (!text.empty()) fmt::print("{}: {}\n", evaluation.name, text);
  }
}

void print_number(std::size_t count, const char* what) {
  if (count > 0) fmt::print("{} {}{} predicted:\n", count, what, count == 1 ? "" : "s");
}

void print_result(const PredictResult& result) {
  print_evaluations(result);
  print_number(result.rows, "row");
  print_number(result.pairs, "pair");
  for (const auto& file : result.files) fmt::print("  {}\n", file.string());
}

/// `nodes` as in metrics.json.
nlohmann::ordered_json prediction_json(const PredictResult& result) {
  RunRecord evaluations;
  evaluations.nodes = result.evaluations;
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const auto& file : result.files) files.push_back(file.string());
  return {{"rows", result.rows},
          {"pairs", result.pairs},
          {"files", files},
          {"nodes", metrics_json(evaluations)["nodes"]}};
}

}  // namespace

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
  if (values->count("json"))
    fmt::print("{}", readable_json(prediction_json(result)));
  else
    print_result(result);
  return done;
}

}  // namespace semblance::cli

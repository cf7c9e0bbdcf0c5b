// SPDX-License-Identifier: MIT
#include "runtime/results/predict.hpp"

#include <fmt/format.h>

#include <exception>

#include "cli/applied_model.hpp"
#include "cli/pipeline_options.hpp"
#include "cli/predict_lines.hpp"
#include "cli/ranks_option.hpp"
#include "report/figure_line.hpp"
#include "report/metrics.hpp"
#include "runtime/services/crash_report.hpp"
#include "support/figure_text.hpp"

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
  if (!result.new_data)
    fmt::print(
        "no new data given: these are the test rows of the training run (for others: semblance "
        "predict MODEL DATA)\n");
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
  return {{"new_data", result.new_data},
          {"rows", result.rows},
          {"pairs", result.pairs},
          {"files", files},
          {"nodes", metrics_json(evaluations)["nodes"]}};
}

options::positional_options_description any_arguments() {
  options::positional_options_description places;
  places.add("argument", -1);
  return places;
}

/// The exit code where the model cannot be applied.
int exit_of(const Applied& what) {
  try {
    if (what.failure) std::rethrow_exception(what.failure);
    return wrong_usage;
  } catch (const UsageError&) {
    return wrong_usage;
  } catch (const std::exception&) {
    return failed;
  }
}

/// The same on all ranks. One of them reports errors.
Applied applied_by_all(const options::variables_map& values, const Catalogue& catalogue,
                       Transport* transport) {
  Applied found;
  std::string problem;
  try {
    const auto arguments = values["argument"].as<std::vector<std::string>>();
    found = applied_model(arguments.front(), {arguments.begin() + 1, arguments.end()},
                          check_options(values), catalogue, run_options(values).memory);
    problem = found.diagnostics;
  } catch (const std::exception& thrown) {
    problem = std::string(thrown.what()) + "\n";
    found.failure = std::current_exception();
  }
  if (speaks(transport)) fmt::print(stderr, "{}", found.diagnostics);
  found.by_all = all_have(transport, found.pipeline.has_value(), problem);
  if (found.failure && speaks(transport)) std::rethrow_exception(found.failure);
  return found;
}

/// The work of a rank other than the first: the first rank prints results and errors.
int predict_quietly(const Applied& what, const Catalogue& catalogue, const RunOptions& settings) {
  try {
    predict(*what.pipeline, catalogue, settings, what.model);
    return done;
  } catch (const std::exception&) {
    return failed;
  }
}

}  // namespace

int predict_verb(const std::vector<std::string>& arguments) {
  const Verb& verb = verb_named("predict");
  options::options_description described("options", 100);
  add_pipeline_options(described);
  add_run_options(described);
  add_ranks_option(described, "predict MODEL");
  add_same_processor_option(described);
  add_line_options(described);
  const auto values = parse(verb, arguments, described, any_arguments());
  if (!values) return done;
  required_argument(*values, verb);
  check_line_options(*values);
  if (values->count("stdin")) return predict_lines(*values, verb);
  RunOptions settings = run_options(*values);
  settings.use_cache = false;
  if (settings.out.empty()) settings.out = "predictions";
  Transport* const transport = ranks_option(*values, settings);
  const Discovery found = discover(*values, transport);
  const Applied what = applied_by_all(*values, found.catalogue, transport);
  if (!what.by_all) return exit_of(what);
  stop_on_interrupt();
  report_crashes();
  if (!speaks(transport)) return predict_quietly(what, found.catalogue, settings);
  const PredictResult result = predict(*what.pipeline, found.catalogue, settings, what.model);
  if (values->count("json"))
    fmt::print("{}", readable_json(prediction_json(result)));
  else
    print_result(result);
  return done;
}

}  // namespace semblance::cli

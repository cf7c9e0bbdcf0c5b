// SPDX-License-Identifier: MIT
#include "runtime/results/predict.hpp"

#include <fmt/format.h>

#include <exception>

#include "cli/pipeline_options.hpp"
#include "cli/predict_lines.hpp"
#include "cli/ranks_option.hpp"
#include "report/figure_line.hpp"
#include "report/figure_text.hpp"
#include "report/headline_figures.hpp"
#include "report/metrics.hpp"
#include "runtime/results/model.hpp"
#include "study/check_pipeline.hpp"

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

bool is_source(const Model& model, const std::string& node) {
  return model.shapes.classes.contains(node);
}

/// The sources of the model, for messages.
std::string source_names(const Model& model) {
  std::string names;
  for (const auto& [node, classes] : model.shapes.classes)
    names += (names.empty() ? "'" : ", '") + node + "'";
  return names;
}

/// DATA or NODE=DATA. The path starts from the current folder, as every path on a command line.
void add_data(const std::string& argument, Model& model) {
  const std::size_t equals = argument.find('=');
  const std::string node = argument.substr(0, std::min(equals, argument.size()));
  const bool named = equals != argument.npos && is_source(model, node);
  if (!named && model.shapes.classes.size() != 1)
    throw UsageError("the model has the sources " + source_names(model) + ": say which '" +
                     argument + "' is for, as NODE=DATA");
  const std::string path = named ? argument.substr(equals + 1) : argument;
  if (path.empty()) throw UsageError("there is no DATA after '" + argument + "'");
  NewSource& source = model.shapes.changed[named ? node : model.shapes.classes.begin()->first];
  if (!source.path.empty()) throw UsageError("'" + argument + "' is one DATA too many");
  source.path = std::filesystem::absolute(path).lexically_normal().string();
}

/// A source that --set changes gives new data as well.
void add_changes(const std::vector<std::string>& overrides, Model& model) {
  for (const std::string& change : overrides) {
    const std::string path = change.substr(0, change.find('='));
    constexpr std::string_view start = "nodes.";
    if (!path.starts_with(start)) continue;
    const std::string rest = path.substr(start.size());
    const std::string node = rest.substr(0, rest.find('.'));
    if (!is_source(model, node)) continue;
    NewSource& source = model.shapes.changed[node];
    if (rest.size() <= node.size() + 1) continue;
    const std::string parameter = rest.substr(node.size() + 1);
    source.given.push_back(parameter.substr(0, parameter.find('.')));
  }
}

/// Takes note of what the command line says of new data. Another seed would draw other test rows
/// than those that the training run set aside, so it asks for all rows too.
void find_new_data(const std::vector<std::string>& arguments, const CheckOptions& checking,
                   Model& model) {
  for (std::size_t i = 1; i < arguments.size(); ++i) add_data(arguments[i], model);
  add_changes(checking.overrides, model);
  if (checking.seed)
    for (const auto& [node, classes] : model.shapes.classes) model.shapes.changed[node];
}

options::positional_options_description any_arguments() {
  options::positional_options_description places;
  places.add("argument", -1);
  return places;
}

/// A model, and its pipeline with the sources that the command line names.
struct Applied {
  Model model;
  std::optional<SelectingPipeline> pipeline;  ///< nothing: the diagnostics or the failure say why
  std::string diagnostics;
  std::exception_ptr failure;
  bool by_all = false;  ///< every rank has a pipeline
};

/// The exit code of what cannot be applied.
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

Applied applied(const options::variables_map& values, const Verb& verb,
                const Catalogue& catalogue) {
  Applied found;
  const std::filesystem::path folder = required_argument(values, verb);
  const std::filesystem::path file = model_pipeline(folder);
  verify_model(folder);
  Model& model = found.model = read_model(folder);
  CheckOptions checking = check_options(values);
  find_new_data(values["argument"].as<std::vector<std::string>>(), checking, model);
  checking.prepare = [&](const std::string& node, Component& component) {
    if (auto* source = dynamic_cast<Source*>(&component)) model.shapes.apply_to(*source, node);
  };
  PipelineCheck checked = load_pipeline(file, catalogue, checking);
  found.diagnostics = render(checked.diagnostics);
  found.pipeline = std::move(checked.pipeline);
  return found;
}

/// The same on all ranks. What is wrong one of them says.
Applied applied_by_all(const options::variables_map& values, const Verb& verb,
                       const Catalogue& catalogue, Transport* transport) {
  Applied found;
  std::string problem;
  try {
    found = applied(values, verb, catalogue);
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

/// The part of a rank that is not the first, which says what is to be said, and what went wrong.
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
  const Applied what = applied_by_all(*values, verb, found.catalogue, transport);
  if (!what.by_all) return exit_of(what);
  stop_on_interrupt();
  if (!speaks(transport)) return predict_quietly(what, found.catalogue, settings);
  const PredictResult result = predict(*what.pipeline, found.catalogue, settings, what.model);
  if (values->count("json"))
    fmt::print("{}", readable_json(prediction_json(result)));
  else
    print_result(result);
  return done;
}

}  // namespace semblance::cli

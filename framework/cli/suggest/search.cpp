// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "cli/suggest/suggest.hpp"
#include "pipeline/pipeline.hpp"
#include "registry/catalogue.hpp"
#include "registry/places.hpp"
#include "report/figure_line.hpp"
#include "runtime/run/run_study.hpp"
#include "runtime/run/selecting.hpp"
#include "runtime/services/run_context.hpp"
#include "runtime/services/run_options.hpp"
#include "study/selection.hpp"

namespace semblance::cli {

namespace {

namespace fs = std::filesystem;

std::size_t number(const options::variables_map& values, const char* name, std::size_t least,
                   std::size_t otherwise) {
  if (!values.count(name)) return otherwise;
  const auto value = values[name].as<long long>();
  if (value < static_cast<long long>(least))
    throw UsageError(fmt::format("--{} must be at least {}, got {}", name, least, value));
  return static_cast<std::size_t>(value);
}

/// DATA as a path here, or below the data folder.
fs::path found_data(const std::string& data, const CheckOptions& checking) {
  std::error_code ignored;
  for (const fs::path& path : {fs::path(data), checking.data / data})
    if (fs::exists(path, ignored)) return fs::absolute(path).lexically_normal();
  throw UsageError("'" + data + "' was found neither here nor in the data folder '" +
                   checking.data.string() + "'");
}

/// --set nodes.data.KEY=VALUE
void change_source(DataNode& node, const std::vector<std::string>& changes) {
  constexpr std::string_view path = "nodes.data.";
  for (const std::string& change : changes) {
    const std::size_t equals = change.find('=');
    const std::string key = change.substr(0, equals);
    if (equals == change.npos || !key.starts_with(path) || key.size() == path.size())
      throw UsageError(
          "--set of suggest only changes the source, as in nodes.data.ignore=[1]; got '" + change +
          "'; use your own pipelines with --candidates");
    node.set(key.substr(path.size()), change.substr(equals + 1));
  }
}

std::uintmax_t bytes_below(const fs::path& folder) {
  std::uintmax_t bytes = 0;
  for (const auto& item : fs::recursive_directory_iterator(folder))
    if (item.is_regular_file()) bytes += item.file_size();
  return bytes;
}

/// A row's number, or 0 where nothing was predicted.
double number(const NodeRecord& node, const char* figure) {
  return node.metrics.contains(figure) ? node.metrics[figure].get<double>() : 0;
}

/// Maps compute training and test samples alike; a solver reports its own prediction time. Reading
/// the data and evaluation are excluded.
Cost cost_of(const RunRecord& run, double train_rows, double test_rows) {
  Cost cost;
  for (const NodeRecord& node : run.nodes) {
    if (node.kind() == "source" || node.kind() == "evaluator") continue;
    const double predicted = number(node, "predict_rows");
    const double mapping = node.seconds - node.learning_seconds;
    const double seconds = predicted > 0 ? number(node, "predict_seconds") / predicted
                                         : mapping / (train_rows + test_rows);
    cost.prediction_seconds += seconds;
    cost.train_seconds += predicted > 0 ? node.seconds - number(node, "predict_seconds")
                                        : node.learning_seconds + seconds * train_rows;
  }
  return cost;
}

/// Trains the pipeline again, alone, on one thread and without the store, in options.out, which
/// is removed afterwards. `train_rows` is the number of samples it learns from. Nothing if the
/// deadline or Ctrl-C stopped it. Throws Error.
std::optional<Cost> measured_cost(const Pipeline& pipeline, const Catalogue& catalogue,
                                  RunOptions options, double train_rows) {
  options.threads = 1;
  options.use_cache = false;
  options.quiet = true;
  options.log.silent = true;  // the study has shown its warnings
  options.writes_pages = false;
  const RunResult result = run_pipeline({pipeline, nullptr}, catalogue, options);
  std::optional<Cost> cost;
  if (result.end == RunEnd::done) {
    double test_rows = 0;
    for (const NodeRecord& node : result.record.nodes)
      test_rows = std::max(test_rows, number(node, "predict_rows"));
    cost = cost_of(result.record, train_rows, test_rows);
    cost->model_bytes = bytes_below(options.out / "model" / "nodes");
  }
  std::error_code ignored;
  fs::remove_all(options.out, ignored);
  return cost;
}

/// The pipeline as a study of one method over all splits.
std::string study_text(const Candidate& candidate, const DataReading& reading, std::size_t splits) {
  return fmt::format(
      "{}\nstudy:\n  metric: [test.{}{}]\n  slots: {{method: {{{}: {{}}}}}}\n"
      "  repeats: {{seeds: {}}}\n",
      candidate.text, reading.metric, reading.novelty ? ", test.rejected_normal" : "",
      candidate.name, splits);
}

class Search {
 public:
  Search(const SuggestTask& task, const DataFacts& facts, const Catalogue& catalogue,
         const RunOptions& settings)
      : task_(task), catalogue_(catalogue), settings_(settings) {
    const double fraction = test_fraction(task, facts);
    train_rows_ = (1 - fraction) * static_cast<double>(facts.rows);
    DataNode node = task.reading.node;
    node.set("test_fraction", fmt::format("{:.6g}", fraction));
    candidates_ = candidates(task.reading, node);
  }

  /// Nothing where a candidate is not a valid pipeline: the reason was printed.
  std::optional<SearchResult> run() {
    std::vector<Study> studies;
    for (const Candidate& candidate : candidates_)
      if (auto study = checked_candidate(candidate, task_, catalogue_))
        studies.push_back(*std::move(study));
    if (studies.size() < candidates_.size()) return std::nullopt;
    SearchResult outcome;
    for (std::size_t i = 0; i < studies.size(); ++i)
      attempt(candidates_[i].name, studies[i], outcome);
    if (!outcome.unfinished.empty()) outcome.end = RunEnd::stopped;
    if (!outcome.found.costs.empty()) compare_with_best(outcome.found);
    return outcome;
  }

 private:
  double spent() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  RunOptions remaining() const { return after(settings_, spent()); }
  bool stopped() const {
    return (settings_.deadline && spent() >= *settings_.deadline) ||
           StopSwitch().reason() != StopReason::none;
  }

  void attempt(const std::string& name, const Study& study, SearchResult& outcome) {
    if (stopped()) return outcome.unfinished.push_back(name);
    if (!settings_.quiet) fmt::print(stderr, "{}: {}\n", name, study.description);
    try {
      StudyResult result = run_apart(study);
      if (result.end == RunEnd::stopped || result.record.variants.empty())
        return outcome.unfinished.push_back(name);
      if (result.failed > 0) {
        outcome.failed.push_back(name + ": " + first_error(result.record));
        return;
      }
      show(result.record);
      const auto cost = measured(study, result.record);
      add_method(outcome.found, std::move(result.record), name, cost);
    } catch (const Error& error) {
      outcome.failed.push_back(name + ": " + error.what());
    }
  }

  /// Shows the method's mean, and whether it is the best so far.
  void show(const StudyRecord& record) {
    const double mean = record.comparison.standings.front().mean;
    const bool best = !best_ || (record.results.higher_is_better ? mean > *best_ : mean < *best_);
    if (best) best_ = mean;
    if (settings_.quiet) return;
    fmt::print(stderr, "  {} {}{}\n", task_.reading.metric,
               terminal_text(record.results.unit, mean), best ? "  (best so far)" : "");
  }

  /// A folder holds one complete study, so each method has its own; the variants stay.
  StudyResult run_apart(const Study& study) {
    RunOptions options = remaining();
    options.out = settings_.out / "trying";
    options.writes_pages = false;
    StudyResult result = run_study(study, catalogue_, options, false);
    const fs::path variants = settings_.out / "variants";
    fs::create_directories(variants);
    for (const StudyVariant& variant : study.variants) {
      const fs::path made = options.out / "variants" / variant.name;
      if (!fs::exists(made)) continue;
      fs::remove_all(variants / variant.name);
      fs::rename(made, variants / variant.name);
    }
    if (fs::exists(options.out / "run.log"))
      fs::rename(options.out / "run.log", settings_.out / "run.log");
    fs::remove_all(options.out);
    return result;
  }

  static std::string first_error(const StudyRecord& record) {
    for (const VariantRecord& variant : record.variants)
      if (!variant.error.empty()) return variant.error;
    return "it failed";
  }

  /// The cost of the first split's model, with the parameters chosen for it.
  std::optional<Cost> measured(const Study& study, const StudyRecord& record) const {
    RunOptions options = remaining();
    options.out = settings_.out / "measuring";
    const SelectingPipeline& open = study.variants.front().pipeline;
    const auto& chosen = record.variants.front().selection;
    const Pipeline& pipeline =
        open.selection && chosen ? open.selection->candidates[chosen->chosen] : open;
    return measured_cost(pipeline, catalogue_, options, train_rows_);
  }

  const SuggestTask& task_;
  const Catalogue& catalogue_;
  const RunOptions& settings_;
  double train_rows_ = 0;
  std::vector<Candidate> candidates_;
  std::optional<double> best_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

void add_suggest_options(options::options_description& described) {
  described.add_options()(
      "label", options::value<std::string>()->value_name("COLUMN"),
      "for a table, the class column: its name, or its number from 1 (default: the last); for an "
      "array, the .npy file with its labels; in an HDF5 file, the path of the labels (default: "
      "/y); none: rows have no labels, and novelty detectors are tried on them")(
      "normal", options::value<std::string>()->value_name("CLASS"),
      "try novelty detectors that learn from the rows of this class alone; the others are novel "
      "and test them")(
      "target", options::value<std::string>()->value_name("COLUMN"),
      "predict the number in this column instead of a class; for an array, the .npy file with the "
      "numbers; in an HDF5 file, their path")(
      "as", options::value<std::string>()->value_name("WHAT"),
      "what the data are, where their content cannot tell: series or sets, one per line of a table "
      "or row of an array, strings, documents, molecules, or a table")(
      "rows", options::value<long long>()->value_name("N"),
      "maximum number of training rows: larger data get only a first look (default: 2000)")(
      "splits", options::value<long long>()->value_name("N"),
      "number of random splits into training and test rows (default: 5)")(
      "metric", options::value<std::string>()->value_name("FIGURE"),
      "the figure of 'test' by which parameters are chosen and methods compared: error_rate (the "
      "default), balanced_accuracy, macro_f1, matthews_correlation, auc, average_precision, "
      "log_loss or brier_score, where scores are calibrated, which takes six times as long; with "
      "--target: rmse (the default), mae, median_absolute_error, r2, spearman or c_index; of "
      "novelty detectors: auc (the default), average_precision, rejected_novel")(
      "candidates", options::value<std::string>()->value_name("DIR"),
      "a folder of pipelines to try instead of those that come with the program; in each, a line ' "
      " data: {is: source/...}' is replaced, and 'test' must report the metric")(
      "beside", options::value<std::string>()->value_name("sklearn"),
      "sklearn: try gradient boosting and a random forest of scikit-learn, too, on the same splits "
      "of a table of classes");
}

SuggestTask suggest_task(const options::variables_map& values, const Verb& verb) {
  SuggestTask task;
  task.checking = check_options(values);
  task.data = found_data(required_argument(values, verb), task.checking);
  const WantedTarget wanted{option_text(values, "label"), option_text(values, "target"),
                            option_text(values, "normal")};
  if (!wanted.label.empty() && !wanted.target.empty())
    throw UsageError("--label names classes and --target a number to predict; give one of them");
  if (!wanted.normal.empty() && (wanted.unlabelled() || !wanted.target.empty()))
    throw UsageError("--normal names a class of --label; omit it, or name the column of classes");
  task.numbers = !wanted.target.empty();
  const KnownData known = known_data(task.data, option_text(values, "as"));
  task.data = known.path;
  task.reading =
      reading_of(known.form, task.data, wanted, shared_folder() / "pipelines" / "suggest");
  task.reading.node.set("test_fraction", fmt::format("{}", usual_test_fraction));
  change_source(task.reading.node, std::exchange(task.checking.overrides, {}));
  if (const std::string beside = option_text(values, "beside"); !beside.empty()) {
    if (beside != "sklearn") throw UsageError("--beside must be sklearn, got '" + beside + "'");
    if (task.numbers || task.reading.candidates.filename() != "tables")
      throw UsageError("--beside sklearn compares methods for tables of classes; omit it");
    task.reading.beside = task.reading.candidates / "beside_sklearn";
  }
  if (values.count("candidates")) {
    task.reading.candidates = option_text(values, "candidates");
    task.reading.node.remove("missing");  // which one's own pipelines need not take
  }
  task.reading.metric = option_text(values, "metric");
  if (task.reading.metric.empty())
    task.reading.metric = task.numbers ? "rmse" : task.reading.novelty ? "auc" : "error_rate";
  task.rows = number(values, "rows", 10, task.rows);
  task.splits = number(values, "splits", 2, task.splits);
  return task;
}

double test_fraction(const SuggestTask& task, const DataFacts& facts) {
  const auto rows = static_cast<double>(facts.rows);
  return std::max(usual_test_fraction, 1 - static_cast<double>(task.rows) / rows);
}

std::optional<Study> checked_candidate(const Candidate& candidate, const SuggestTask& task,
                                       const Catalogue& catalogue) {
  StudyCheck found = check_study(study_text(candidate, task.reading, task.splits), candidate.file,
                                 catalogue, task.checking);
  fmt::print(stderr, "{}", render(found.diagnostics));
  return std::move(found.study);
}

std::optional<SearchResult> try_candidates(const SuggestTask& task, const DataFacts& facts,
                                           const Catalogue& catalogue, const RunOptions& settings) {
  return Search(task, facts, catalogue, settings).run();
}

}  // namespace semblance::cli

// SPDX-License-Identifier: MIT
#include "cli/suggest/search.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "cli/suggest/suggestion.hpp"
#include "pipeline/pipeline.hpp"
#include "registry/catalogue.hpp"
#include "runtime/run/run.hpp"
#include "runtime/run/run_study.hpp"
#include "runtime/run/selecting.hpp"
#include "runtime/services/run_context.hpp"
#include "runtime/services/run_options.hpp"
#include "study/selection.hpp"

namespace semblance::cli {
namespace {

namespace fs = std::filesystem;

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
    const double seconds = predicted > 0 ? number(node, "predict_seconds") / predicted
                                         : node.seconds / (train_rows + test_rows);
    cost.prediction_seconds += seconds;
    cost.train_seconds +=
        predicted > 0 ? node.seconds - number(node, "predict_seconds") : seconds * train_rows;
  }
  return cost;
}

/// Trains the pipeline once more, alone, on one thread and without the store, in options.out, which
/// is removed afterwards. `train_rows` is the number of samples it learns from. Nothing if the
/// deadline or Ctrl-C stopped it. Throws Error.
std::optional<Cost> measured_cost(const Pipeline& pipeline, const Catalogue& catalogue,
                                  RunOptions options, double train_rows) {
  options.threads = 1;
  options.use_cache = false;
  options.quiet = true;
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
std::string study_text(const Candidate& candidate, std::size_t splits) {
  return fmt::format(
      "{}\nstudy:\n  metric: test.error_rate\n  slots: {{method: {{{}: {{}}}}}}\n"
      "  repeats: {{seeds: {}}}\n",
      candidate.text, candidate.name, splits);
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
    candidates_ = candidates(task.reading.candidates, node);
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
  RunOptions remaining() const {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
    return after(settings_, spent.count());
  }

  bool stopped() const {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
    return (settings_.deadline && spent.count() >= *settings_.deadline) ||
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
      const auto cost = measured(study, result.record);
      add_method(outcome.found, std::move(result.record), name, cost);
    } catch (const Error& error) {
      outcome.failed.push_back(name + ": " + error.what());
    }
  }

  /// A folder holds one complete study, so each method has its own; the variants stay.
  StudyResult run_apart(const Study& study) {
    RunOptions options = remaining();
    options.out = settings_.out / "trying";
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
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

std::optional<Study> checked_candidate(const Candidate& candidate, const SuggestTask& task,
                                       const Catalogue& catalogue) {
  StudyCheck found =
      check_study(study_text(candidate, task.splits), candidate.file, catalogue, task.checking);
  fmt::print(stderr, "{}", render(found.diagnostics));
  return std::move(found.study);
}

std::optional<SearchResult> try_candidates(const SuggestTask& task, const DataFacts& facts,
                                           const Catalogue& catalogue, const RunOptions& settings) {
  return Search(task, facts, catalogue, settings).run();
}

}  // namespace semblance::cli

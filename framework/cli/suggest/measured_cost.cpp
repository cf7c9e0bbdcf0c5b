// SPDX-License-Identifier: MIT
#include "cli/suggest/measured_cost.hpp"

#include "runtime/run/run.hpp"

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

}  // namespace

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

}  // namespace semblance::cli

// SPDX-License-Identifier: MIT
#include "greedy/input_trials.hpp"

#include <algorithm>
#include <string>

#include "semblance/predicted_class.hpp"
#include "semblance/report.hpp"
#include "semblance/row_groups.hpp"
#include "tuning/stratified_folds.hpp"

namespace semblance::linear {
namespace {

/// Stores the certificate and discards everything else.
class CertificateReport final : public Report {
 public:
  void number(std::string_view, double) override {}
  void integer(std::string_view, std::int64_t) override {}
  void text(std::string_view name, std::string_view value) override {
    if (name == "certificate") certificate = value;
  }
  void curve(const Curve&) override {}
  void table(const Table&) override {}
  void plane_map(const PlaneMap&) override {}
  void sample_list(const SampleList&) override {}
  void draw(const Drawing&) override {}
  void explained_samples(const ExplainedSamples&) override {}

  std::string certificate;
};

/// More simultaneous trainings would leave too little memory for each.
constexpr std::size_t most_at_once = 16;

void check_rows(const TrainingSet& training, std::size_t folds) {
  std::vector<std::size_t> counts(training.classes.size());
  for (const std::int32_t label : training.labels) ++counts[static_cast<std::size_t>(label)];
  for (std::size_t c = 0; c < counts.size(); ++c)
    if (counts[c] < 2)
      throw Error("class '" + training.classes[c] +
                  "' has a single training row, so one fold would have none to train on; train on "
                  "more rows or remove the class");
  if (training.labels.size() < folds)
    throw Error(std::to_string(training.labels.size()) + " training rows are too few for " +
                std::to_string(folds) + " folds; lower folds");
}

/// The accuracy does not cover such classes.
void warn_of_single_groups(const TrainingSet& training, std::span<const std::int32_t> groups,
                           Context& context) {
  for (const std::int32_t label : classes_never_held_out(training.labels, groups))
    context.log(LogLevel::warning,
                "class '" + training.classes[static_cast<std::size_t>(label)] +
                    "' has all its training rows in a single group, which every fold learns from "
                    "and none tests");
}

}  // namespace

ColumnBlocks::ColumnBlocks(std::span<const std::size_t> widths) {
  std::size_t first = 0;
  for (const std::size_t width : widths) {
    blocks_.push_back({first, width});
    first += width;
  }
}

ColumnBlocks ColumnBlocks::only(std::vector<std::size_t> blocks) const {
  std::ranges::sort(blocks);
  ColumnBlocks some({});
  for (const std::size_t b : blocks) some.blocks_.push_back(blocks_.at(b));
  return some;
}

std::size_t ColumnBlocks::width() const noexcept {
  std::size_t width = 0;
  for (const Block& block : blocks_) width += block.width;
  return width;
}

void ColumnBlocks::copy(const float* row, float* out) const {
  for (const Block& block : blocks_) out = std::copy_n(row + block.first, block.width, out);
}

PickedRows::PickedRows(const Rows& rows, const std::vector<bool>& wanted,
                       const ColumnBlocks& columns)
    : values_(static_cast<std::size_t>(std::ranges::count(wanted, true)), columns.width()) {
  std::size_t next = 0;
  for (std::size_t first = 0; first < rows.rows(); first += block_rows) {
    const std::size_t count = std::min(block_rows, rows.rows() - first);
    const MatrixView block = rows.view(first, count);
    for (std::size_t i = 0; i < count; ++i)
      if (wanted[first + i]) columns.copy(block.row(i), values_.view().row(next++));
    rows.release(first, count);
  }
}

InputTrials::InputTrials(const TrainingSet& training, std::span<const std::size_t> widths,
                         const Maker<Solver>& solver, std::size_t folds,
                         std::span<const std::int32_t> groups, Context& context)
    : training_(training),
      make_(solver),
      groups_(groups),
      context_(context),
      all_(widths),
      folds_(folds) {
  check_rows(training, folds);
  // A separate stream: the solvers start at the beginning of the context's stream.
  const Random random = Random::stream(context.random().bits(), 0);
  fold_of_ = groups.empty()
                 ? common::stratified_folds(training.labels, training.classes.size(), folds, random)
                 : parts_by_group(training.labels, groups, folds, random, "lower folds");
  if (!groups.empty()) warn_of_single_groups(training, groups, context);
  held_out_ = fold_of_.size() - static_cast<std::size_t>(std::ranges::count(fold_of_, no_part));
}

std::optional<std::vector<double>> InputTrials::accuracies(
    std::span<const std::size_t> chosen, std::span<const std::size_t> candidates) {
  std::vector<Job> jobs;
  for (const std::size_t candidate : candidates) {
    std::vector<std::size_t> inputs(chosen.begin(), chosen.end());
    inputs.push_back(candidate);
    for (std::size_t f = 0; f < folds_; ++f) jobs.push_back({all_.only(inputs), f, 0});
  }
  run(jobs);
  if (context_.stop_requested() != StopReason::none) return std::nullopt;
  std::vector<double> accuracies;
  for (std::size_t first = 0; first < jobs.size(); first += folds_) {
    std::size_t hits = 0;
    for (std::size_t f = 0; f < folds_; ++f) hits += jobs[first + f].hits;
    accuracies.push_back(static_cast<double>(hits) / static_cast<double>(held_out_));
  }
  return accuracies;
}

std::size_t InputTrials::most_rows_learned() const {
  std::vector<std::size_t> held(folds_);
  for (const std::size_t fold : fold_of_)
    if (fold != no_part) ++held[fold];
  return fold_of_.size() - *std::ranges::min_element(held);
}

void InputTrials::run(std::vector<Job>& jobs) {
  std::size_t widest = 0;
  for (const Job& job : jobs) widest = std::max(widest, job.columns.width());
  const std::size_t rows = most_rows_learned();
  const std::size_t copy = PickedRows::bytes(rows, widest), budget = context_.memory_budget();
  const auto mebibytes = [](std::size_t bytes) { return std::to_string(bytes >> 20); };
  if (copy > budget)
    throw MemoryError("the " + std::to_string(rows) + " rows of a fold take " +
                      mebibytes(copy + (1 << 20)) + " MiB with " + std::to_string(widest) +
                      " columns, but " + mebibytes(budget) +
                      " MiB are free; raise --memory, or choose among smaller maps");
  // A solver's memory in addition to its rows is unknown; the same amount again is a fair estimate.
  const std::size_t lanes =
      std::clamp<std::size_t>(budget / (2 * copy), 1, std::min(jobs.size(), most_at_once));
  const std::size_t memory = budget / lanes - copy;
  std::atomic<std::size_t> next = 0;
  std::vector<char> refused(jobs.size());
  context_.parallel_for(lanes, [&](std::size_t) {
    for (std::size_t j = next++; j < jobs.size(); j = next++) {
      if (context_.stop_requested() != StopReason::none) return;
      try {
        run_one(jobs[j], memory);
      } catch (const Error&) {
        if (lanes == 1) throw;
        refused[j] = 1;
      }
    }
  });
  // Trainings that need more than their share are repeated with all memory. Results do not depend
  // on memory, so only a failure now is an error.
  for (std::size_t j = 0; j < jobs.size(); ++j)
    if (refused[j] && context_.stop_requested() == StopReason::none)
      run_one(jobs[j], budget - copy);
}

void InputTrials::run_one(Job& job, std::size_t memory) {
  std::vector<bool> wanted(fold_of_.size());
  std::vector<std::int32_t> labels;
  std::vector<double> weights;
  std::vector<std::int32_t> groups;
  std::vector<std::int64_t> places;
  for (std::size_t i = 0; i < fold_of_.size(); ++i) {
    wanted[i] = fold_of_[i] != job.fold;
    if (!wanted[i]) continue;
    labels.push_back(training_.labels[i]);
    if (!training_.weights.empty()) weights.push_back(training_.weights[i]);
    if (!groups_.empty()) groups.push_back(groups_[i]);
    places.push_back(static_cast<std::int64_t>(i));
  }
  const std::vector<std::int64_t> numbers = row_numbers(training_, places);
  const PickedRows rows(training_.rows, wanted, job.columns);
  const Layout layout = Layout::vector(rows.cols());
  std::unique_ptr<Solver> solver;
  {
    const std::lock_guard lock(making_);
    solver = make_();
  }
  common::InnerContext context(context_, memory);
  CertificateReport report;
  solver->bind(layout);
  try {
    TrainingSet set{rows, layout, labels, training_.classes};
    set.row_numbers = numbers;
    set.weights = weights;
    set.groups = groups;
    solver->train(set, report, context);
    job.hits = count_hits(*solver, job, context);
  } catch (const Cancelled&) {
    // A solver without a partial result; results so far are not used either.
    if (context_.stop_requested() == StopReason::none) throw;
    return;
  }
  ++trainings_;
  if (report.certificate != name(Certificate::converged) &&
      report.certificate != name(Certificate::passes_made))
    ++unconverged_;
}

std::size_t InputTrials::count_hits(const Solver& solver, const Job& job, Context& context) const {
  const std::size_t classes = training_.classes.size();
  FloatMatrix picked(block_rows, job.columns.width()), scores(block_rows, classes);
  std::size_t hits = 0;
  for (std::size_t first = 0; first < fold_of_.size(); first += block_rows) {
    const std::size_t count = std::min(block_rows, fold_of_.size() - first);
    const MatrixView block = training_.rows.view(first, count);
    std::vector<std::int32_t> labels;
    for (std::size_t i = 0; i < count; ++i) {
      if (fold_of_[first + i] != job.fold) continue;
      job.columns.copy(block.row(i), picked.view().row(labels.size()));
      labels.push_back(training_.labels[first + i]);
    }
    training_.rows.release(first, count);
    if (labels.empty()) continue;
    solver.apply(std::as_const(picked).view().rows_range(0, labels.size()),
                 scores.view().rows_range(0, labels.size()), context);
    for (std::size_t i = 0; i < labels.size(); ++i)
      hits += predicted_class(std::as_const(scores).view().row_span(i)) == labels[i];
  }
  return hits;
}

}  // namespace semblance::linear

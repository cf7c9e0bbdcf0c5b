// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "affine.hpp"
#include "block_statistics.hpp"
#include "learned_metric/metric_search.hpp"
#include "projections/projection.hpp"
#include "row_kernels.hpp"
#include "semblance/context.hpp"
#include "semblance/declaration.hpp"
#include "semblance/report.hpp"
#include "semblance/row_error.hpp"
#include "semblance/samples.hpp"

namespace semblance::normalizers {

namespace {

/// Folds around the recursion: more of few rows.
constexpr std::size_t many_rows = 300, folds_of_few = 5, folds_of_many = 3;
/// With fewer rows per base, some rows of which all are bases give a better metric than all rows.
constexpr std::size_t rows_per_base = 5;
constexpr std::size_t most_columns = 2000;
constexpr std::size_t most_bars = 40;

/// `normalizer/learned_metric`: coordinates in which distances are those of a learned metric.
class LearnedMetricMap final : public Projection {
 public:
  static Declaration<LearnedMetricMap> declare();

  void fit(const TrainingSet& training, Context& context) override;
  void report(Report& report) const override;

 protected:
  std::size_t directions_for(std::size_t values) const override;

 private:
  MetricSearch search_of(std::size_t rows) const;

  std::string profile_ = "gaussian", shape_ = "automatic";
  std::int64_t rounds_ = 5, rows_ = 10000, bases_ = 1000;
  LearnedMetric learned_;
  std::vector<std::string> columns_;
  std::size_t learned_from_ = 0;
};

/// At most `most` of the rows, drawn at random, in ascending order.
std::vector<std::size_t> drawn_rows(std::size_t rows, std::size_t most, Context& context) {
  std::vector<std::size_t> drawn(rows);
  std::iota(drawn.begin(), drawn.end(), std::size_t{0});
  if (rows <= most) return drawn;
  Random random = context.random();
  random.shuffle(std::span(drawn));
  drawn.resize(most);
  std::ranges::sort(drawn);
  return drawn;
}

/// The numbers to learn, unscaled: one or more of the user's, one for two classes (1 for the
/// second), otherwise one per class (1 for its rows).
void add_targets(const TrainingSet& training, std::size_t row, std::vector<double>& y) {
  if (!training.target_names.empty()) {
    const std::size_t count = training.target_names.size();
    for (std::size_t k = 0; k < count; ++k) y.push_back(training.targets[row * count + k]);
    return;
  }
  const auto label = static_cast<std::size_t>(training.labels[row]);
  if (training.classes.size() == 2) {
    y.push_back(label == 1 ? 1 : 0);
    return;
  }
  for (std::size_t k = 0; k < training.classes.size(); ++k) y.push_back(k == label ? 1 : 0);
}

std::size_t outputs_of(const TrainingSet& training) {
  if (!training.target_names.empty()) return training.target_names.size();
  return training.classes.size() == 2 ? 1 : training.classes.size();
}

/// Subtracts the mean of each column of the numbers and, of the user's numbers, divides by their
/// standard deviation.
void standardize(MetricData& data, bool scale) {
  const auto n = static_cast<double>(data.rows);
  for (std::size_t k = 0; k < data.outputs; ++k) {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < data.rows; ++i) sum += data.y[i * data.outputs + k];
    for (std::size_t i = 0; i < data.rows; ++i) {
      double& value = data.y[i * data.outputs + k];
      value -= sum / n;
      squares += value * value;
    }
    const double deviation = std::sqrt(squares / n);
    for (std::size_t i = 0; scale && deviation > 0 && i < data.rows; ++i)
      data.y[i * data.outputs + k] /= deviation;
  }
}

MetricData metric_data(const TrainingSet& training, std::span<const double> means, std::size_t most,
                       Context& context) {
  const std::size_t cols = training.rows.cols();
  const auto drawn = drawn_rows(training.rows.rows(), most, context);
  MetricData data{drawn.size(), cols, outputs_of(training), {}, {}};
  for (const std::size_t row : drawn) {
    const MatrixView view = training.rows.view(row, 1);
    check_finite(view.row(0), cols, row, RowError::Of::training);
    for (std::size_t c = 0; c < cols; ++c) data.x.push_back(double{view.row(0)[c]} - means[c]);
    training.rows.release(row, 1);
    add_targets(training, row, data.y);
  }
  standardize(data, !training.target_names.empty());
  return data;
}

/// The recursions of all folds exist at once, and each compares two machines.
void check_memory_of_metric(const MetricData& data, const MetricSearch& search,
                            const Context& context) {
  const std::size_t bases = std::min(search.bases, data.rows);
  const std::size_t values = (search.folds - 1) * data.rows * 2 * (bases + data.cols) +
                             search.folds * (3 * bases * bases + 8 * data.cols * data.cols);
  check_budget(values * sizeof(double), context,
               "the kernels of " + std::to_string(data.rows) + " rows", "lower 'rows' or 'bases'");
}

std::size_t LearnedMetricMap::directions_for(std::size_t values) const {
  if (values > most_columns)
    throw Error("it learns a metric of at most " + std::to_string(most_columns) +
                " columns, but the rows have " + std::to_string(values) +
                "; put normalizer/pca before it");
  return values;
}

MetricSearch LearnedMetricMap::search_of(std::size_t rows) const {
  return {.profile = profile_ == "gaussian" ? Profile::gaussian : Profile::laplacian,
          .diagonal = shape_ != "full",
          .full = shape_ != "diagonal",
          .rounds = static_cast<std::size_t>(rounds_),
          .bases = static_cast<std::size_t>(bases_),
          .folds = std::min(rows < many_rows ? folds_of_few : folds_of_many,
                            std::max<std::size_t>(rows / 2, 2))};
}

void LearnedMetricMap::fit(const TrainingSet& training, Context& context) {
  check_width(cols(), training.rows.cols());
  check_any(training.rows);
  if (training.classes.empty() && training.target_names.empty())
    throw Error(
        "it learns from classes or numbers, but the training rows have neither; give labels");
  const std::vector<double> means = column_means(training.rows, context);
  const auto bases = static_cast<std::size_t>(bases_), most = static_cast<std::size_t>(rows_);
  const bool many = training.rows.rows() >= rows_per_base * bases;
  const MetricData data =
      metric_data(training, means, many ? most : std::min(most, bases), context);
  if (data.rows < 2) throw Error("it learns from at least 2 rows, but there is one sample");
  const MetricSearch search = search_of(data.rows);
  check_memory_of_metric(data, search, context);
  learned_ = learn_metric(data, search, context);
  learned_from_ = data.rows;
  columns_.assign(training.columns.begin(), training.columns.end());
  const std::size_t d = cols();
  std::vector<double> map(d * d);
  for (std::size_t c = 0; c < d; ++c)
    for (std::size_t j = 0; j < d; ++j)
      map[c * d + j] = learned_.root.size() == d && d > 1 ? (c == j ? learned_.root[c] : 0)
                                                          : learned_.root[c * d + j];
  const double unit = profile_ == "gaussian" ? std::sqrt(learned_.rate) : learned_.rate;
  for (double& value : map) value *= unit;
  if (!std::ranges::all_of(map, [](double value) { return std::isfinite(float(value)); }))
    throw Error(
        "float32 cannot hold the metric of columns with such small values; scale them up "
        "(normalizer/zscore)");
  set(std::move(map), means);
}

std::string column_name(const std::vector<std::string>& columns, std::size_t c) {
  return columns.empty() ? "column " + std::to_string(c + 1) : columns[c];
}

void LearnedMetricMap::report(Report& report) const {
  report.integer("learned_from", static_cast<std::int64_t>(learned_from_));
  report.integer("round", static_cast<std::int64_t>(learned_.round));
  report.text("shape", learned_.round == 0 ? "none" : learned_.full ? "full" : "diagonal");
  report.number("error_without", learned_.unlearned_error);
  report.number("error_with", learned_.error);
  if (learned_.round == 0) return;
  std::vector<std::size_t> order(cols());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{},
                           [&](std::size_t c) { return learned_.relevance[c]; });
  Table table{"relevance", "column", "", {}, {"relevance"}, {}};
  Bars bars{.name = "columns that matter",
            .value_label = "share of the metric",
            .labels = {},
            .values = {}};
  if (!learned_.deviations.empty()) table.columns.emplace_back("deviation");
  for (const std::size_t c : order) {
    table.rows.push_back(column_name(columns_, c));
    table.values.push_back(learned_.relevance[c]);
    if (!learned_.deviations.empty()) table.values.push_back(learned_.deviations[c]);
    if (bars.labels.size() == most_bars) continue;
    bars.labels.push_back(table.rows.back());
    bars.values.push_back(learned_.relevance[c]);
    if (!learned_.deviations.empty()) bars.errors.push_back(learned_.deviations[c]);
  }
  bars.caption = "How much each column counts in the learned distance, per unit of the column";
  if (!bars.errors.empty()) bars.caption += "; bars are one standard deviation over the folds";
  bars.caption += cols() > most_bars ? "; the " + std::to_string(most_bars) + " largest of " +
                                           std::to_string(cols()) + "."
                                     : ".";
  report.table(table);
  report.draw(bars);
}

Declaration<LearnedMetricMap> LearnedMetricMap::declare() {
  return Declaration<LearnedMetricMap>(
             "normalizer/learned_metric",
             "Coordinates whose distances are those of a metric that is learned from the target: "
             "columns that matter are stretched, others shrink")
      .parameter(
          "kernel", &LearnedMetricMap::profile_,
          "of the machines that learn the metric, and to be put after it with gamma: 1: that of "
          "similarity/rbf or similarity/laplacian",
          choices({"gaussian", "laplacian"}))
      .parameter(
          "shape", &LearnedMetricMap::shape_,
          "diagonal: a length per column; full: also directions that mix columns; automatic: "
          "whichever has the lower error on held-out rows",
          choices({"automatic", "diagonal", "full"}))
      .parameter(
          "rounds", &LearnedMetricMap::rounds_,
          "how often the metric is learned again from the machine in the last one, at most; 0: "
          "no metric, all columns have one scale",
          at_least(0), at_most(20))
      .parameter("rows", &LearnedMetricMap::rows_,
                 "how many training rows to learn the metric from, at most, drawn at random",
                 at_least(10), unit("rows"))
      .parameter("bases", &LearnedMetricMap::bases_,
                 "of the machines that learn the metric, at most; with fewer than five times as "
                 "many training rows, the metric is learned from at most this many of them, all of "
                 "which are bases",
                 at_least(10), at_most(5000))
      .learns_from({TargetKind::classes, TargetKind::numbers})
      .accepts({LayoutKind::vector, LayoutKind::grid})
      .gives(LayoutKind::vector)
      .random()
      .reports(
          {"learned_from", "training rows from which the metric was learned", FigureUnit::count})
      .reports({"round",
                "whose metric is used, counted over both shapes; 0: none is better than no metric",
                FigureUnit::count})
      .reports({"shape", "diagonal or full; none: no metric is used", FigureUnit::plain})
      .reports({"error_without",
                "squared error on held-out rows without a metric, summed over the "
                "standardized numbers or the classes' indicators",
                FigureUnit::plain, Better::lower})
      .reports({"error_with", "the same with the metric", FigureUnit::plain, Better::lower})
      .documentation(
          "z = a R (x - m), where m is the mean of the training rows, R the symmetric root of the "
          "metric M, and a makes similarity/rbf, or similarity/laplacian for `kernel: laplacian`, "
          "with gamma 1 the kernel of the machine that learned M: exp(-|z - z'|^2), or exp(-|z - "
          "z'|) with sums of absolute differences. Put normalizer/zscore before it, and a kernel "
          "machine, a similarity map or nearest neighbours after it.\n\n"
          "M begins as the identity. Kernel ridge regression learns the numbers, or the classes' "
          "indicators; the mean outer product of its gradients says in which directions it changes "
          "and becomes the next M (with 'diagonal', only its diagonal). Penalty and width, a tenth "
          "to three times the inverse of the median distance, are chosen by leave-one-out, from "
          "200 rows on by leaving out rows of one half. The round, and the shape, is the one with "
          "the lowest squared error of held-out rows: in five folds around the whole recursion, in "
          "three from 300 rows on. Full metrics begin at the best diagonal one or at none, "
          "whichever gives the better first round. Two rounds without a lower error end a "
          "recursion. A round that collapses when the metric is learned from all rows, by their "
          "leave-one-out errors, gives way to an earlier one. With fewer than 100 rows no metric "
          "is used unless the best is better than that by more than a standard error.\n\n"
          "With at least five times as many training rows as 'bases' the machines are ridge "
          "regression on a map to the similarities to these bases, so that many rows take time in "
          "proportion to their number.\n\n"
          "The report has the relevance of each column: its share of M's diagonal, per unit of the "
          "column, so that columns must have one scale. Its deviation is that over the folds. As "
          "an explanation take that of `kernel: gaussian`: the Laplacian's gradients ignore rows "
          "that are equal in a column, so that columns of few values seem to matter less than they "
          "do.")
      .reference(
          "Radhakrishnan, Beaglehole, Pandit, Belkin, Mechanism for feature learning in neural "
          "networks and backpropagation-free machine learning models, Science 383, 2024; "
          "Weinberger, "
          "Tesauro, Metric learning for kernel regression, AISTATS 2007")
      .complexity(
          "fit: about n^3 / 3 operations per penalty that is tried, or n m^2 per round through m "
          "bases, in each round and fold for n rows, and n m d per output; apply: 2 d^2 per row")
      .example(R"(
        points: {is: source/interactions, train: 300, test: 200}
        z:      {is: normalizer/zscore, from: points}
        x:      {is: normalizer/learned_metric, from: z}
        svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 1}, from: x}
        test:   {is: evaluator/classification, from: svm})");
}

}  // namespace

ComponentEntry declare_learned_metric() { return LearnedMetricMap::declare().entry(); }

}  // namespace semblance::normalizers

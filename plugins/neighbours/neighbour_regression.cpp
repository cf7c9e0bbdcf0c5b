// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/regressor.hpp"
#include "semblance/row_error.hpp"
#include "similar_bases.hpp"
#include "solver_figures.hpp"
#include "training_checks.hpp"

namespace semblance::neighbours {
namespace {

/// `solver/neighbour_regression`: the mean target of the k most similar training samples.
class NeighbourRegression final : public Regressor, public Exportable {
 public:
  static Declaration<NeighbourRegression> declare();

  Layout bind(const Layout& input) override;
  bool uses_rows() const override { return false; }
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  bool leaves_one_out() const override { return true; }
  void apply_left_out(MatrixView in, std::span<const std::int64_t> rows, MutableMatrixView out,
                      Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;

 private:
  void estimate(MatrixView in, const std::function<std::size_t(std::size_t)>& left_out,
                MutableMatrixView out, Context& context) const;
  double share(float similarity, std::size_t row) const;
  std::vector<double> shares(std::span<const float> similarities,
                             const std::vector<std::size_t>& nearest, std::size_t row) const;

  std::int64_t neighbours_ = 5;
  std::string weighting_ = "equal";
  std::size_t columns_ = 0;
  std::size_t outputs_ = 0;
  SimilarBases bases_;
  std::vector<double> targets_;  // bases x outputs
};

Declaration<NeighbourRegression> NeighbourRegression::declare() {
  return Declaration<NeighbourRegression>("solver/neighbour_regression",
                                          "The mean target of the k most similar training rows")
      .documentation(
          "Its one input is a similarity, any, symmetric or not, whose bases are training rows: "
          "`basis/all` for all of them. The estimate is the weighted mean of the targets of the k "
          "bases with the largest similarities to the sample. Nearer is the larger similarity; "
          "ties, also for the k-th place, go to the training row with the lower number, so that "
          "the estimate is the same whatever the order of the bases.\n\n"
          "Weights in the mean: `equal`; `similarity`, the similarities themselves, which must not "
          "be negative (Nadaraya and Watson's estimate, on k rows; if all k are 0, equal weights); "
          "or `inverse_distance`, 1 / d, for similarities -d (`as: negative`), where bases at "
          "distance 0 alone count if there are any, as in scikit-learn. Each is multiplied by the "
          "weight of the training row. A row of weight 0 is no neighbour.\n\n"
          "A distance should come `as: negative`: a gaussian of a large distance underflows to 0, "
          "and one of a small distance rounds to 1, so that different distances become ties, which "
          "the row number breaks, wrongly.\n\n"
          "Nothing is trained, so no similarity among training rows is computed; the model holds "
          "the targets of each basis. `objective` is 0. `select` with `folds: leave_one_out` finds "
          "k, or parameters of the measure, for one similarity per pair of training rows and "
          "candidate.")
      .reference("Cover 1968; Nadaraya 1964; Watson 1964")
      .complexity("training: none; per sample one similarity and a few operations per basis")
      .takes_weights()
      .accepts({LayoutKind::vector})
      .parameter("k", &NeighbourRegression::neighbours_,
                 "number of training rows in the mean: the larger, the smoother the estimate",
                 at_least(1))
      .parameter("weighting", &NeighbourRegression::weighting_,
                 "weights in the mean: equal, the similarities, or the inverse of distances that "
                 "come as negative similarities",
                 choices({"equal", "similarity", "inverse_distance"}))
      .reports(common::solver_figures({"parameters", "train_seconds"}))
      .reports({"objective", "0, as nothing is minimized", FigureUnit::plain, Better::none})
      .reports({"bases", "number of training rows that samples are compared with",
                FigureUnit::count, Better::none})
      .example(R"(
        points:   {is: source/friedman, train: 200, test: 200}
        x:        {is: normalizer/zscore, from: points}
        bases:    {is: basis/all, from: points}
        nearness: {is: similarity/rbf, gamma: 0.05, from: x, bases: bases}
        mean:     {is: solver/neighbour_regression, k: 5, weighting: similarity, from: nearness}
        test:     {is: evaluator/regression, from: mean})");
}

Layout NeighbourRegression::bind(const Layout& input) {
  if (input.size() == 0) throw Error("rows without similarities cannot be used for regression");
  columns_ = input.size();
  return Layout::vector(outputs_);
}

void NeighbourRegression::train(const TrainingSet& training, Report& report, Context&) {
  const auto begin = std::chrono::steady_clock::now();
  common::check_targets(training);
  check_training_bases(training, columns_, training.weights, static_cast<std::size_t>(neighbours_));
  const std::size_t m = training.target_names.size();
  std::vector<std::int64_t> rows(training.bases.begin(), training.bases.end());
  std::vector<double> targets, weights;
  targets.reserve(rows.size() * m);
  for (const std::int64_t base : rows) {
    const auto row = static_cast<std::size_t>(base);
    for (std::size_t k = 0; k < m; ++k) targets.push_back(training.targets[row * m + k]);
    if (!training.weights.empty()) weights.push_back(training.weights[row]);
  }
  outputs_ = m;
  targets_ = std::move(targets);
  bases_ = SimilarBases(std::move(rows), std::move(weights));
  report.text("certificate", name(Certificate::converged));
  report.number("objective", 0);
  report.integer("bases", static_cast<std::int64_t>(columns_));
  report.integer("parameters", static_cast<std::int64_t>(targets_.size()));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  report.number("train_seconds", seconds.count());
}

/// The weight of a neighbour in the mean; infinite at distance 0.
double NeighbourRegression::share(float similarity, std::size_t row) const {
  if (weighting_ == "equal") return 1;
  if (weighting_ == "similarity" && similarity < 0)
    throw RowError(RowError::Of::block, row, "a similarity of ",
                   " is negative and cannot be a weight; set weighting to equal, or to "
                   "inverse_distance if it is a distance 'as: negative'");
  if (weighting_ == "inverse_distance" && similarity > 0)
    throw RowError(RowError::Of::block, row, "a similarity of ",
                   " is above 0 and cannot be the negative of a distance; set weighting to "
                   "similarity or equal, or the measure to 'as: negative'");
  return weighting_ == "similarity" ? double{similarity} : 1 / -double{similarity};
}

/// The weights of the nearest bases, whose sum is above 0.
std::vector<double> NeighbourRegression::shares(std::span<const float> similarities,
                                                const std::vector<std::size_t>& nearest,
                                                std::size_t row) const {
  std::vector<double> found;
  found.reserve(nearest.size());
  for (const std::size_t base : nearest) found.push_back(share(similarities[base], row));
  if (std::ranges::any_of(found, [](double v) { return std::isinf(v); }))
    for (double& v : found) v = std::isinf(v) ? 1 : 0;
  else if (std::ranges::all_of(found, [](double v) { return v == 0; }))
    std::ranges::fill(found, 1);
  // Relative to the largest, so that neither sums of large weights overflow nor products of small
  // ones underflow.
  const double largest = *std::ranges::max_element(found);
  double heaviest = 0;
  for (const std::size_t base : nearest) heaviest = std::max(heaviest, bases_.weight(base));
  for (std::size_t i = 0; i < found.size(); ++i)
    found[i] = found[i] / largest * (bases_.weight(nearest[i]) / heaviest);
  return found;
}

void NeighbourRegression::estimate(MatrixView in,
                                   const std::function<std::size_t(std::size_t)>& left_out,
                                   MutableMatrixView out, Context& context) const {
  common::check_estimates(out, outputs_);
  if (in.cols != bases_.size())
    throw Error("rows of " + std::to_string(in.cols) + " similarities do not match " +
                std::to_string(bases_.size()) + " bases");
  for (std::size_t i = 0; i < in.rows; ++i) {
    context.check_stop();
    const std::span<const float> similarities = in.row_span(i);
    check_similarities(similarities, i);
    const std::size_t without = left_out(i);
    std::vector<std::size_t> nearest;
    for (std::size_t j = 0; j < bases_.size(); ++j)
      if (j != without && bases_.weight(j) != 0)
        bases_.add(similarities, j, static_cast<std::size_t>(neighbours_), nearest);
    if (nearest.size() < static_cast<std::size_t>(neighbours_))
      throw Error(std::to_string(neighbours_) + " neighbours (k) cannot be found among the " +
                  std::to_string(nearest.size()) +
                  " bases that are left without the row itself; lower k");
    bases_.sort(similarities, nearest);
    const std::vector<double> weights = shares(similarities, nearest, i);
    for (std::size_t k = 0; k < outputs_; ++k) {
      // Differences from the nearest target lose no digits of targets that are far from 0.
      const double first = targets_[nearest.front() * outputs_ + k];
      double sum = 0, total = 0;
      for (std::size_t r = 0; r < nearest.size(); ++r) {
        sum += weights[r] * (targets_[nearest[r] * outputs_ + k] - first);
        total += weights[r];
      }
      out.row(i)[k] = static_cast<float>(first + sum / total);
    }
  }
}

void NeighbourRegression::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  estimate(
      in, [](std::size_t) { return SimilarBases::none; }, out, context);
}

void NeighbourRegression::apply_left_out(MatrixView in, std::span<const std::int64_t> rows,
                                         MutableMatrixView out, Context& context) const {
  estimate(
      in, [&](std::size_t i) { return basis_to_leave_out(bases_, rows[i]); }, out, context);
}

Formula::Value NeighbourRegression::write(Formula& formula, Formula::Value in) const {
  if (outputs_ == 0) throw Error("the solver has not been trained");
  const auto found =
      write_nearest(formula, formula.widen(in), bases_, static_cast<std::size_t>(neighbours_));
  std::vector<Formula::Value> columns;  // the targets of all bases, by output
  for (std::size_t k = 0; k < outputs_; ++k) {
    std::vector<double> column;
    for (std::size_t j = 0; j < bases_.size(); ++j) column.push_back(targets_[j * outputs_ + k]);
    columns.push_back(formula.constant(column));
  }
  const auto targets_of = [&](Formula::Value chosen) {
    std::vector<Formula::Value> own;
    for (const Formula::Value column : columns)
      own.push_back(formula.sum(formula.multiply(chosen, column)));
    return formula.concatenate(own);
  };
  const auto number = [&](double value) { return formula.number(value, found[0].chosen); };
  const Formula::Value nearest = found[0].similarity;
  const Formula::Value first = targets_of(found[0].chosen);
  Formula::Value sum = number(0), total = sum;
  for (const auto& [similarity, chosen] : found) {
    // Relative to the nearest, as in shares(); there 0 / 0 counts 1.
    Formula::Value share = number(1);
    if (weighting_ == "similarity")
      share = formula.where_greater(nearest, number(0), formula.divide(similarity, nearest), share);
    if (weighting_ == "inverse_distance")
      share =
          formula.where_greater(nearest, similarity, formula.divide(nearest, similarity), share);
    if (weighting_ != "equal") {  // NaN where share() refuses it
      const Formula::Value root = formula.square_root(
          weighting_ == "similarity" ? similarity : formula.subtract(number(0), similarity));
      total = formula.add(total, formula.subtract(root, root));
    }
    const Formula::Value more = formula.subtract(targets_of(chosen), first);
    sum = formula.add(sum, formula.multiply(share, more));
    total = formula.add(total, share);
  }
  return formula.narrow(formula.add(first, formula.divide(sum, total)));
}

void NeighbourRegression::save(StateWriter& state) const {
  if (outputs_ == 0) throw Error("the solver has not been trained");
  state.integer("outputs", static_cast<std::int64_t>(outputs_));
  state.integers("rows", bases_.rows());
  state.doubles("targets", targets_);
  state.doubles("weights", bases_.weights());
}

void NeighbourRegression::load(const StateReader& state, Context&) {
  const std::int64_t outputs = state.integer("outputs");
  std::vector<std::int64_t> rows = state.integers("rows");
  std::vector<double> targets = state.doubles("targets"), weights = state.doubles("weights");
  const auto finite = [](double x) { return std::isfinite(x); };
  const auto voters = weights.empty()
                          ? static_cast<std::int64_t>(rows.size())
                          : std::ranges::count_if(weights, [](double w) { return w > 0; });
  const bool sound =
      outputs >= 1 && rows.size() == columns_ && voters >= neighbours_ &&
      targets.size() / rows.size() == static_cast<std::size_t>(outputs) &&
      targets.size() % rows.size() == 0 && (weights.empty() || weights.size() == rows.size()) &&
      std::ranges::all_of(targets, finite) &&
      std::ranges::all_of(weights, [](double w) { return w >= 0 && std::isfinite(w); }) &&
      std::ranges::all_of(rows, [](std::int64_t row) { return row >= 0; });
  if (!sound) throw Error("the nearest neighbours have arrays of the wrong size; train them again");
  outputs_ = static_cast<std::size_t>(outputs);
  targets_ = std::move(targets);
  bases_ = SimilarBases(std::move(rows), std::move(weights));
}

}  // namespace

ComponentEntry declare_neighbour_regression() { return NeighbourRegression::declare().entry(); }

}  // namespace semblance::neighbours

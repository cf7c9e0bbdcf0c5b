// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base_distances.hpp"
#include "named_class.hpp"
#include "semblance/collectives.hpp"
#include "semblance/declaration.hpp"
#include "semblance/novelty_detector.hpp"
#include "semblance/row_error.hpp"
#include "similar_bases.hpp"
#include "solver_figures.hpp"
#include "training_checks.hpp"

namespace semblance::neighbours {
namespace {

/// A neighbour of a sample, and as how many of the k it counts.
struct Neighbour {
  std::size_t basis;
  double distance;
  double count;
};
using Neighbours = std::vector<Neighbour>;

/// `solver/neighbour_novelty`: a sample is novel if its neighbours among the training samples are
/// far, or if they are far by the standards of their own neighbours.
class NeighbourNovelty final : public NoveltyDetector, public Exportable {
 public:
  static Declaration<NeighbourNovelty> declare();

  Layout bind(const Layout& input) override;
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  std::string learned_class() const override { return normal_; }
  Formula::Value write(Formula& formula, Formula::Value in) const override;

 private:
  bool has_densities() const { return score_ == "lof"; }
  bool trained() const { return bases_.size() > 0; }
  FloatMatrix take_bases(const TrainingSet& training, Context& context);
  void check_enough() const;
  void check_distances(std::size_t row, std::span<const float> nearness) const;
  Neighbours nearest(std::span<const float> nearness, std::size_t own) const;
  double reachability(const Neighbours& found) const;
  double outlier_factor(const Neighbours& found, double density) const;
  double oddness(const Neighbours& found) const;
  std::vector<double> train_scores(MatrixView rows, Context& context);
  std::vector<double> train_factors(const std::vector<Neighbours>& found);
  double usual_end(const std::vector<double>& odd) const;

  std::unique_ptr<Similarity> similarity_;
  std::int64_t neighbours_ = 5;
  std::string score_ = "mean";
  double nu_ = 0.1;
  std::string normal_;

  std::size_t width_ = 0;
  BaseDistances distances_;
  SimilarBases bases_;
  std::vector<double> kth_;        ///< the distance of each basis to its k-th neighbour, for lof
  std::vector<double> densities_;  ///< of each basis, for lof
  double least_reach_ = 0;         ///< added to mean reachabilities, so that densities are finite
  double threshold_ = 0;           ///< the largest oddness of a usual sample
};

Declaration<NeighbourNovelty> NeighbourNovelty::declare() {
  using enum FigureUnit;
  return Declaration<NeighbourNovelty>(
             "solver/neighbour_novelty",
             "A sample is novel if its nearest training rows are far, by any similarity")
      .documentation(
          "`score` says how odd a sample is: `kth`, the distance to its k-th nearest training row; "
          "`mean`, the mean distance of the k nearest; `lof`, the local outlier factor: how much "
          "denser, on average, the surroundings of the k nearest are than the sample's own (about "
          "1 in an even cloud, whatever its density; 20 neighbours are usual). Its score is a "
          "threshold minus that: at least 0 if it is usual, below 0 if it is novel.\n"
          "\n"
          "The threshold leaves at most a share `nu` of the training rows above it, each judged by "
          "its distances to the other rows, so that a row is not its own neighbour; copies of it "
          "are. It is 2e-6 of itself larger than the oddness of a training row, so that rows that "
          "are as odd as that one are usual, however their distances are rounded. It learns from "
          "all rows, or, with `normal`, from those of one class.\n"
          "\n"
          "Distances: a measure that is a distance counts as it is, whatever its `as` says. Of "
          "another similarity it is the root of s(x, x) + s(b, b) - 2 s(b, x), the distance in the "
          "similarity's space, sqrt(2 - 2 s) where s(x, x) is 1; what is within rounding of 0 "
          "counts as 0, as does a negative square. A similarity that does not compare a sample "
          "with itself (similarity/precomputed) must be the negative of a distance for `lof`. "
          "Columns of a table should have comparable units: put normalizer/robust before it.\n"
          "\n"
          "Ties for the k-th place go to the training row with the lower number. A local density "
          "is 1 / (r + e), where r is the mean reachability distance and e is 1e-10 of the mean "
          "distance of training rows to their k-th neighbour, so that k copies of a row have a "
          "large finite density, as in scikit-learn, in any unit. A row of weight w counts as w "
          "rows; one of weight 0 is no neighbour.")
      .reference(
          "Ramaswamy, Rastogi and Shim 2000 (k-th neighbour); Angiulli and Pizzuti 2002 (mean); "
          "Breunig, Kriegel, Ng and Sander 2000 (local outlier factor)")
      .takes_weights()
      .accepts({LayoutKind::vector, LayoutKind::image, LayoutKind::grid, LayoutKind::sequence,
                LayoutKind::string, LayoutKind::set, LayoutKind::sparse, LayoutKind::graph,
                LayoutKind::pair})
      .complexity("training: n^2 similarities, not stored; per sample n of them")
      .parameter("similarity", &NeighbourNovelty::similarity_, "the measure that compares samples",
                 default_component("similarity/euclidean"))
      .parameter(
          "k", &NeighbourNovelty::neighbours_,
          "number of neighbours: the larger, the larger the clusters of odd rows that are found",
          at_least(1))
      .parameter(
          "score", &NeighbourNovelty::score_,
          "what makes a sample odd: the distance to the k-th neighbour, the mean distance of "
          "k neighbours, or the local outlier factor",
          choices({"mean", "kth", "lof"}))
      .parameter("nu", &NeighbourNovelty::nu_,
                 "the largest share of the training rows that it calls novel", above(0), at_most(1))
      .parameter("normal", &NeighbourNovelty::normal_,
                 "the class of the rows that it learns from; empty: all rows, whatever their class")
      .reports(common::solver_figures({"parameters", "train_seconds"}))
      .reports({"objective", "0, as nothing is minimized", plain, Better::none})
      .reports(
          {"bases", "number of training rows that samples are compared with", count, Better::none})
      .reports({"threshold", "minus the largest oddness of a usual sample"})
      .reports({"novel_share", "share of the training rows that it calls novel", share})
      .example(R"(
        glyphs: {is: source/glyphs}
        x:      {is: feature/hog, cell: 4, from: glyphs}
        usual:  {is: solver/neighbour_novelty, k: 5, normal: circle, from: x}
        test:   {is: evaluator/novelty, normal: circle, from: usual})");
}

Layout NeighbourNovelty::bind(const Layout& input) {
  if (input.size() == 0) throw Error("samples without values cannot be compared");
  width_ = input.size();
  distances_.bind(*similarity_, input);
  return Layout::vector(trained() ? 1 : 0);
}

void NeighbourNovelty::check_enough() const {
  const double rows = bases_.total_weight();
  if (static_cast<double>(neighbours_) <= rows - 1) return;
  const std::size_t count = bases_.size();
  throw Error(std::to_string(neighbours_) +
              " neighbours (k) of each training sample cannot be found among the others: there " +
              (count == 1 ? "is 1 sample" : "are " + std::to_string(count) + " samples") +
              (bases_.weights().empty() ? "" : " that count as " + to_text(Value(rows))) +
              "; lower k or use more samples");
}

/// Makes the training rows that have a weight the bases of the similarity, and returns them.
FloatMatrix NeighbourNovelty::take_bases(const TrainingSet& training, Context& context) {
  std::vector<std::int64_t> rows;
  std::vector<double> weights;
  for (const std::uint32_t row : common::rows_of_class(training, normal_, "normal")) {
    if (!training.weights.empty() && training.weights[row] == 0) continue;
    rows.push_back(row);
    if (!training.weights.empty()) weights.push_back(training.weights[row]);
  }
  if (rows.empty())
    throw Error("all training rows have weight 0, so there is nothing to learn from");
  if (std::ranges::all_of(weights, [](double w) { return w == 1; })) weights.clear();
  bases_ = SimilarBases(rows, std::move(weights));
  check_enough();
  FloatMatrix samples = gather_rows(training.rows, rows, context);
  try {
    distances_.set_bases(std::as_const(samples).view(), row_numbers(training, rows), context);
  } catch (const RowError& problem) {
    if (problem.of() != RowError::Of::bases) throw;
    throw problem.about(RowError::Of::training, static_cast<std::size_t>(rows[problem.row()]));
  }
  return samples;
}

/// Densities are of distances, which are not negative.
void NeighbourNovelty::check_distances(std::size_t row, std::span<const float> nearness) const {
  if (has_densities() && std::ranges::any_of(nearness, [](float s) { return s > 0; }))
    throw RowError(RowError::Of::block, row, "a similarity of ",
                   " is above 0 and cannot be the negative of a distance, which 'lof' needs; set "
                   "the measure to 'as: negative', or score to mean or kth");
}

/// The nearest bases, k in number by their weights, the nearest first. `own`: the basis that the
/// sample is, of which only copies count; or none.
Neighbours NeighbourNovelty::nearest(std::span<const float> nearness, std::size_t own) const {
  const auto weight = [&](std::size_t j) {
    return j == own ? std::max(0.0, bases_.weight(j) - 1) : bases_.weight(j);
  };
  const auto k = static_cast<double>(neighbours_);
  const bool fractions = std::ranges::any_of(bases_.weights(), [](double w) { return w < 1; });
  // A copy of a row with a weight between 1 and 2 counts less than 1.
  const std::size_t most = fractions
                               ? bases_.size()
                               : std::min(bases_.size(), static_cast<std::size_t>(neighbours_) + 1);
  std::vector<std::size_t> order;
  for (std::size_t j = 0; j < bases_.size(); ++j)
    if (weight(j) > 0) bases_.add(nearness, j, most, order);
  bases_.sort(nearness, order);
  Neighbours found;
  double left = k;
  for (const std::size_t j : order) {
    found.push_back({j, -double{nearness[j]}, std::min(left, weight(j))});
    left -= found.back().count;
    if (!(left > 0)) break;
  }
  return found;
}

/// The mean over the neighbours of max(distance, distance of the neighbour to its k-th one).
double NeighbourNovelty::reachability(const Neighbours& found) const {
  double sum = 0;
  for (const Neighbour& one : found) sum += one.count * std::max(one.distance, kth_[one.basis]);
  return sum / static_cast<double>(neighbours_);
}

double NeighbourNovelty::outlier_factor(const Neighbours& found, double density) const {
  double sum = 0;
  for (const Neighbour& one : found) sum += one.count * densities_[one.basis];
  return sum / static_cast<double>(neighbours_) / density;
}

double NeighbourNovelty::oddness(const Neighbours& found) const {
  if (score_ == "kth") return found.back().distance;
  if (has_densities()) return outlier_factor(found, 1 / (reachability(found) + least_reach_));
  double sum = 0;
  for (const Neighbour& one : found) sum += one.count * one.distance;
  return sum / static_cast<double>(neighbours_);
}

/// The local outlier factor of each basis, from its neighbours. Learns the densities.
std::vector<double> NeighbourNovelty::train_factors(const std::vector<Neighbours>& found) {
  constexpr double share = 1e-10;
  double sum = 0;
  kth_.clear();
  for (std::size_t j = 0; j < found.size(); ++j) {
    kth_.push_back(found[j].back().distance);
    sum += bases_.weight(j) * kth_[j];
  }
  least_reach_ = sum > 0 ? share * sum / bases_.total_weight() : share;
  densities_.clear();
  for (const Neighbours& of : found) densities_.push_back(1 / (reachability(of) + least_reach_));
  std::vector<double> factors;
  for (std::size_t j = 0; j < found.size(); ++j)
    factors.push_back(outlier_factor(found[j], densities_[j]));
  return factors;
}

/// How odd each basis is beside the others.
std::vector<double> NeighbourNovelty::train_scores(MatrixView rows, Context& context) {
  constexpr std::size_t at_once = 64;
  std::vector<double> odd(rows.rows);
  std::vector<Neighbours> found(has_densities() ? rows.rows : 0);
  context.parallel_for((rows.rows + at_once - 1) / at_once, [&](std::size_t block) {
    const std::size_t first = block * at_once;
    const MatrixView some = rows.rows_range(first, std::min(at_once, rows.rows - first));
    const auto take = [&](std::size_t i, std::span<const float> nearness) {
      check_distances(i, nearness);
      Neighbours own = nearest(nearness, first + i);
      if (has_densities())
        found[first + i] = std::move(own);
      else
        odd[first + i] = oddness(own);
    };
    try {
      distances_.compare(some, context, take);
    } catch (const RowError& problem) {
      if (problem.of() != RowError::Of::block) throw;
      const std::int64_t row = bases_.rows()[first + problem.row()];
      throw problem.about(RowError::Of::training, static_cast<std::size_t>(row));
    }
  });
  return has_densities() ? train_factors(found) : odd;
}

/// The smallest value such that at most a share nu of the rows is above it, and as much more as
/// rounding may make of rows that are exactly as odd.
double NeighbourNovelty::usual_end(const std::vector<double>& odd) const {
  std::vector<std::size_t> order(odd.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return odd[a] > odd[b]; });
  constexpr double rounding = 16 * double{std::numeric_limits<float>::epsilon()};
  const double most = nu_ * bases_.total_weight() * (1 + 1e-12);
  double end = odd[order.front()], above = 0;
  for (std::size_t first = 0, last = 0; first < order.size() && above <= most; first = last) {
    end = odd[order[first]];
    for (; last < order.size() && odd[order[last]] == end; ++last)
      above += bases_.weight(order[last]);
  }
  return end + rounding * std::abs(end);
}

void NeighbourNovelty::train(const TrainingSet& training, Report& report, Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  common::check_finite(training.rows, context);
  const FloatMatrix samples = take_bases(training, context);
  std::vector<double> odd;
  try {
    odd = train_scores(samples.view(), context);
  } catch (...) {
    bases_ = {};
    throw;
  }
  threshold_ = usual_end(odd);
  double novel = 0;
  for (std::size_t j = 0; j < odd.size(); ++j) novel += odd[j] > threshold_ ? bases_.weight(j) : 0;
  report.text("certificate", name(Certificate::converged));
  report.number("objective", 0);
  report.number("threshold", -threshold_);
  report.number("novel_share", novel / bases_.total_weight());
  report.integer("bases", static_cast<std::int64_t>(bases_.size()));
  report.integer("parameters", static_cast<std::int64_t>(samples.values.size()));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  report.number("train_seconds", seconds.count());
}

void NeighbourNovelty::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  if (!trained()) throw Error("the solver has not been trained");
  if (in.cols != width_)
    throw Error("rows of " + std::to_string(in.cols) + " values do not match a model for " +
                std::to_string(width_));
  distances_.compare(in, context, [&](std::size_t i, std::span<const float> nearness) {
    check_distances(i, nearness);
    const double score = threshold_ - oddness(nearest(nearness, SimilarBases::none));
    // A negative score must stay below 0 as float32.
    const auto rounded = static_cast<float>(score);
    out.row(i)[0] =
        score < 0 ? std::min(rounded, -std::numeric_limits<float>::denorm_min()) : rounded;
  });
}

Formula::Value NeighbourNovelty::write(Formula& formula, Formula::Value in) const {
  if (!trained()) throw Error("the solver has not been trained");
  const auto found = write_nearest(formula, distances_.write(formula, in), bases_,
                                   static_cast<std::size_t>(neighbours_));
  const auto number = [&](double value) { return formula.number(value, found[0].chosen); };
  Formula::Value sum = number(0), odd = formula.subtract(sum, found.back().similarity);
  Formula::Value densities = sum;
  const auto of = [&](Formula::Value chosen, Formula::Value all) {
    return formula.sum(formula.multiply(chosen, all));
  };
  const auto kth = has_densities() ? formula.constant(kth_) : sum;
  const auto dense = has_densities() ? formula.constant(densities_) : sum;
  for (const auto& [nearness, chosen] : found) {
    const Formula::Value distance = formula.subtract(number(0), nearness);
    if (has_densities()) densities = formula.add(densities, of(chosen, dense));
    sum = formula.add(sum, has_densities() ? formula.maximum(distance, of(chosen, kth)) : distance);
  }
  const Formula::Value k = number(static_cast<double>(neighbours_)), mean = formula.divide(sum, k);
  if (score_ == "mean") odd = mean;
  if (has_densities())
    odd = formula.multiply(formula.divide(densities, k), formula.add(mean, number(least_reach_)));
  return formula.narrow(formula.subtract(number(threshold_), odd));
}

void NeighbourNovelty::save(StateWriter& state) const {
  if (!trained()) throw Error("the solver has not been trained");
  state.integers("rows", bases_.rows());
  state.doubles("weights", bases_.weights());
  state.doubles("kth", kth_);
  state.doubles("densities", densities_);
  state.number("least_reach", least_reach_);
  state.number("threshold", threshold_);
  distances_.save(state);
}

void NeighbourNovelty::load(const StateReader& state, Context& context) {
  std::vector<std::int64_t> rows = state.integers("rows");
  std::vector<double> weights = state.doubles("weights");
  distances_.load(state, context);
  kth_ = state.doubles("kth");
  densities_ = state.doubles("densities");
  least_reach_ = state.number("least_reach");
  threshold_ = state.number("threshold");
  const std::size_t n = rows.size(), of_lof = has_densities() ? n : 0;
  const auto finite = [](double x) { return std::isfinite(x); };
  const bool sound = n > 0 && distances_.bases() == n && (weights.empty() || weights.size() == n) &&
                     kth_.size() == of_lof && densities_.size() == of_lof && finite(threshold_) &&
                     finite(least_reach_) && std::ranges::all_of(kth_, finite) &&
                     std::ranges::all_of(densities_, finite) &&
                     std::ranges::all_of(weights, [](double w) { return w > 0 && w < HUGE_VAL; });
  if (!sound) throw Error("the nearest neighbours have arrays of the wrong size; train them again");
  bases_ = SimilarBases(std::move(rows), std::move(weights));
  check_enough();
}

}  // namespace

ComponentEntry declare_neighbour_novelty() { return NeighbourNovelty::declare().entry(); }

}  // namespace semblance::neighbours

// SPDX-License-Identifier: MIT
#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "point_columns.hpp"
#include "semblance/declaration.hpp"
#include "semblance/distance.hpp"
#include "sinkhorn.hpp"
#include "transport.hpp"

namespace semblance::sets {
namespace {

/// Plans for more points take gigabytes, and minutes per pair.
constexpr std::size_t most_points = 4096;

/// The least that it costs to move the points of one set to those of the other.
class Wasserstein final : public Distance {
 public:
  static Declaration<Wasserstein> declare() {
    return distance_parameters(
               Declaration<Wasserstein>("similarity/wasserstein",
                                        "Wasserstein (earth mover's) distance of sets of points"))
        .parameter("order", &Wasserstein::order_,
                   "p: the distance is the p-th root of the least mean of |q - r|^p", at_least(1),
                   at_most(8))
        .parameter("method", &Wasserstein::method_,
                   "exact: the least cost; sinkhorn: approximately, with an entropic regularizer, "
                   "from above; auto: exact",
                   choices({"auto", "exact", "sinkhorn"}))
        .parameter("epsilon", &Wasserstein::epsilon_,
                   "sinkhorn: weight of the regularizer, as a share of a pair's mean cost: the "
                   "smaller, the more exact and the slower",
                   at_least(1e-4), at_most(10))
        .parameter("iterations", &Wasserstein::iterations_,
                   "largest number of Sinkhorn's iterations; it stops earlier once less than a "
                   "thousandth of the mass is misplaced",
                   at_least(1), at_most(1000000))
        .accepts({LayoutKind::set})
        .symmetric()
        .documentation(
            "Each set has the mass 1, spread evenly over its points; sets may differ in size. "
            "Exact distances are metrics, for sets of any size: they come from whole flows, by the "
            "network simplex method, between sets of the same few hundred points by shortest "
            "augmenting paths, and for points of one coordinate from sorting. Sinkhorn's distances "
            "differ: with epsilon: 0.05 they are 4 to 60 % too large for a few hundred points, so "
            "that only about three of four nearest neighbours stay, and they take longer. "
            "Sinkhorn's plan is rounded to one that moves all the mass, so that its distance is "
            "never below the exact one, and that of a set to itself is above 0; both directions "
            "are computed and their mean is taken. Where it has not converged within `iterations`, "
            "a warning says so once. Sets of more than 4096 points of several coordinates are "
            "refused.")
        .reference(
            "Rubner, Tomasi & Guibas 2000, The earth mover's distance; Cuturi 2013, Sinkhorn "
            "distances; Altschuler, Weed & Rigollet 2017, algorithm 2")
        .complexity(
            "exact: of the order of 80 n^2.5 operations per pair of n points each; sinkhorn: 80 "
            "|b| |x| per iteration; one coordinate: n log n")
        .example(R"(
        series: {is: source/warped_series, length: 30, shortest: 15}
        sets:   {is: feature/as_set, time: 1, from: series}
        bases:  {is: basis/random, count: 20, from: sets}
        moved:  {is: similarity/wasserstein, from: sets, bases: bases}
        phi:    {is: normalizer/mean_norm, from: moved}
        svm:    {is: solver/linear_svm, from: phi}
        test:   {is: evaluator/classification, from: svm})");
  }

  double operations() const noexcept override {
    const auto points = static_cast<double>(layout().width);
    if (layout().depth == 1 && exact()) return 100 * points;
    return 80 * points * points * (exact() ? std::sqrt(points) : 100);
  }

 private:
  void check_layout(const Layout& layout) const override {
    if (layout.width > most_points && !(layout.depth == 1 && exact()))
      throw Error("the costs of a pair of sets of up to " + std::to_string(layout.width) +
                  " points are " + std::to_string(layout.width) + " x " +
                  std::to_string(layout.width) + " numbers; at most " +
                  std::to_string(most_points) +
                  " points are compared, unless they have one coordinate; take fewer, with "
                  "feature/resample for instance");
  }

  void prepare_bases(MatrixView bases, Context& context) override {
    bases_ = bases;
    if (exact()) return;
    context.log(LogLevel::info,
                "distances are Sinkhorn's, above the exact ones, with a regularizer of epsilon: " +
                    to_text(Value(epsilon_)) + " times a pair's mean cost");
  }

  void distances(MatrixView in, std::size_t first, MutableMatrixView out,
                 Context& context) const override {
    const auto poll = [&] { context.check_stop(); };
    std::size_t unfinished = 0;
    for (std::size_t i = 0; i < in.rows; ++i)
      for (std::size_t j = 0; j < out.cols; ++j) {
        poll();
        const SinkhornCost found = distance(bases_.row_span(first + j), in.row_span(i), poll);
        out.row(i)[j] = static_cast<float>(found.cost);
        if (!found.converged) ++unfinished;
      }
    if (unfinished > 0 && !warned_.exchange(true))
      context.log(
          LogLevel::warning,
          "Sinkhorn's method did not converge within iterations: " + std::to_string(iterations_) +
              " for " + std::to_string(unfinished) + " of " + std::to_string(in.rows * out.cols) +
              " pairs of a block (not counted any further): these distances are those of plans "
              "that are not optimal; raise iterations or epsilon");
  }

  double self_distance(std::span<const float> row) const override {
    return exact() ? 0 : distance(row, row, [] {}).cost;
  }

  bool exact() const noexcept { return method_ != "sinkhorn"; }

  SinkhornCost distance(std::span<const float> b, std::span<const float> x,
                        const std::function<void()>& poll) const {
    const std::size_t d = layout().depth, n = b.size() / d, m = x.size() / d;
    const auto rooted = [&](SinkhornCost cost) {
      cost.cost = std::pow(std::max(cost.cost, 0.0), 1 / order_);
      return cost;
    };
    check_points(x, "the sample");
    check_points(b, "the basis");
    if (d == 1 && exact()) return rooted({on_line(b, x), true});
    const PointColumns columns(x, d);
    std::vector<float> squares(columns.padded());
    std::vector<double> costs(n * m), turned(n * m);
    for (std::size_t i = 0; i < n; ++i) {
      squared_distances(b.data() + i * d, columns, squares.data());
      for (std::size_t j = 0; j < m; ++j) {
        const double square = squares[j];
        const double cost = order_ == 1   ? std::sqrt(square)
                            : order_ == 2 ? square
                                          : std::pow(square, order_ / 2);
        // Too far apart for float32 or the order: the base class reports it.
        if (!std::isfinite(cost)) return {cost, true};
        costs[i * m + j] = turned[j * n + i] = cost;
      }
    }
    if (exact()) return rooted({transport_cost(costs, n, m, poll), true});
    const SinkhornLimits limits{epsilon_, static_cast<std::size_t>(iterations_)};
    const SinkhornCost there = sinkhorn_cost(costs, n, m, limits, poll);
    const SinkhornCost back = sinkhorn_cost(turned, m, n, limits, poll);
    return rooted({(there.cost + back.cost) / 2, there.converged && back.converged});
  }

  double on_line(std::span<const float> b, std::span<const float> x) const {
    std::vector<double> from(b.begin(), b.end()), to(x.begin(), x.end());
    return transport_cost_on_line(from, to, order_);
  }

  double order_ = 1;
  std::string method_ = "auto";
  double epsilon_ = 0.05;
  std::int64_t iterations_ = 1000;
  MatrixView bases_;
  mutable std::atomic<bool> warned_ = false;
};

}  // namespace

ComponentEntry declare_wasserstein() { return Wasserstein::declare().entry(); }

}  // namespace semblance::sets

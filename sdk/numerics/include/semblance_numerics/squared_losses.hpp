// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "semblance/collectives.hpp"
#include "semblance/context.hpp"
#include "semblance_numerics/losses.hpp"

namespace semblance::numerics {

/// The samples' side of several problems min_w 1/2 |w|^2 + C sum_i u_i l_i(f_i), where f_i is a
/// linear function of w, u_i the weight of sample i and l_i its loss (losses.hpp). It knows the
/// functions' values, not the functions. Below, lost is a loss's slack, at least 0 and at most its
/// cap, and c a problem's working cost.
///
/// Samples are numbered over all ranks, which have the parts of RowParts. Arrays "by sample" have
/// problems() values for each own sample. Members that sum are collective, and fix the order of
/// summation. `live`: the problems that take part; the others cost nothing.
class SquaredLosses {
 public:
  struct Data {
    AnyLosses losses;
    std::size_t samples = 0;                ///< of all ranks
    double cost = 1;                        ///< C
    std::span<const double> weights = {};   ///< u, 0 or more; empty: 1 each
    std::vector<double> cost_factors = {};  ///< factor of C for each problem; empty: 1
    bool intercept = false;  ///< whether a constant, which is not regularized, is added to f
  };
  using Live = std::span<const std::size_t>;

  SquaredLosses(Data data, Context& context);

  const Data& data() const noexcept { return data_; }
  std::size_t problems() const noexcept { return costs_.size(); }
  const OwnParts& own() const noexcept { return own_; }
  double weight(std::size_t sample) const noexcept {
    return data_.weights.empty() ? 1.0 : data_.weights[sample];
  }

  /// A problem's C.
  double cost(std::size_t problem) const noexcept {
    return data_.cost_factors.empty() ? data_.cost : data_.cost * data_.cost_factors[problem];
  }
  /// c <= C, initially C: what the multipliers, curvatures and line searches below use.
  double working_cost(std::size_t problem) const noexcept { return costs_[problem]; }
  void set_working_cost(std::size_t problem, double cost) noexcept {
    costs_[problem] = std::min(cost, this->cost(problem));
  }
  /// Changes C. Larger working costs are reduced to it, smaller ones stay.
  void set_cost(double cost) noexcept {
    data_.cost = cost;
    for (std::size_t c = 0; c < costs_.size(); ++c) costs_[c] = std::min(costs_[c], this->cost(c));
  }

  /// f by sample, initially 0, and its change by the next step. Both without the intercept.
  std::span<double> values() noexcept { return values_; }
  std::span<double> step() noexcept { return step_; }
  /// The intercepts, and their changes by the next step.
  std::span<const double> intercepts() const noexcept { return intercepts_; }
  std::span<double> intercept_steps() noexcept { return intercept_steps_; }
  /// Sets the intercepts to the best ones for the present f.
  void find_intercepts(Live live);

  /// Sums of a problem, including u_i.
  struct Sums {
    double squares = 0;  ///< sum l_i
    double duals = 0;    ///< sum (g_i alpha_i - alpha_i^2 / 4C) / c; g_i as `gain` of the losses
  };

  /// z = u_i alpha_i y_i by sample, where alpha_i = 2 c lost_i and y_i is the sign of the direction
  /// in which f_i must move: minus the derivatives of the losses, and a feasible dual point. With
  /// intercepts the larger of the sums of z of one sign is reduced to the other.
  void multipliers(Live live, std::vector<Sums>& sums, std::vector<double>& z) const;

  /// The dual point of f + step to first order: of the samples that have a loss at f, with the
  /// slack changed by the step; `squares` is not set. Near the optimum its value is much closer
  /// than that of multipliers() if columns are badly scaled.
  void predicted_multipliers(Live live, std::vector<Sums>& sums, std::vector<double>& z) const;

  /// The second derivatives 2 c u_i by sample; 0 where the loss is not quadratic.
  void curvatures(Live live, std::vector<float>& to) const;

  /// C sum u_i l_i of each problem, at f and at f = 0.
  std::vector<double> loss() const;
  std::vector<double> loss_at_zero() const;

  /// First and second derivative of c times the squares at f + t step with respect to t.
  void slopes(Live live, std::span<const double> t, std::vector<double>& first,
              std::vector<double>& second) const;

  /// The t >= 0 that minimises the objective at w + t s, exactly: its derivative is piecewise
  /// linear. 0 if s is not a descent direction. `ws`, `ss`: the products <w, s> and <s, s>.
  std::vector<double> line_search(std::span<const double> ws, std::span<const double> ss,
                                  Live live) const;

  /// Makes f + t step the current values.
  void move(std::span<const double> t, Live live);

  /// A sample is active in a problem if its loss is quadratic there: positive, and below the cap.
  /// For every own sample, the share of the live problems in which it is active, times its weight.
  std::vector<float> active_shares(Live live) const;
  /// The own samples with nonzero weight that are active in the problem, in ascending order.
  std::vector<std::size_t> active_samples(std::size_t problem) const;
  /// Their number over all ranks, for each live problem.
  std::vector<double> active_counts(Live live) const;

 private:
  std::size_t place(std::size_t sample, std::size_t problem) const noexcept {
    return (sample - own_.first_row) * problems() + problem;
  }
  double value(std::size_t sample, std::size_t problem) const noexcept {
    return values_[place(sample, problem)] + intercepts_[problem];
  }
  template <class Body>
  void for_samples(const Body& body) const;
  template <class Body>
  std::vector<double> sum_samples(std::size_t count, const Body& body) const;
  template <class Slack>
  void dual_point(Live live, std::vector<Sums>& sums, std::vector<double>& z,
                  const Slack& slack) const;
  void balance(Live live, std::vector<Sums>& sums, std::vector<double>& z) const;

  Data data_;
  Context& context_;
  std::vector<double> costs_;  // the working cost c of each problem
  RowParts parts_;
  OwnParts own_;
  // In double: if 2C |x|^2 is large, the optimum depends on slacks of 1e-6 and less.
  std::vector<double> values_, step_;
  std::vector<double> intercepts_, intercept_steps_;
};

}  // namespace semblance::numerics

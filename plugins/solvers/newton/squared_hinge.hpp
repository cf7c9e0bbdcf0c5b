// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "newton/progress.hpp"
#include "newton/row_weights.hpp"
#include "semblance/samples.hpp"
#include "sweep.hpp"

namespace semblance::solvers {

/// The problems min_w 1/2 |w|^2 + C sum_i u_i max(0, 1 - y_i w.x_i)^2 of several classes against
/// the rest on the same rows (BE-SVM, eq. (6)), where u_i is the weight of row i. With bias
/// != 0 every x_i has `bias` appended, so the bias is regularized like any weight. All operations
/// take the list of `live` problems, the others cost nothing; vectors are indexed by problem.
///
/// What there is a row, a rank has for its own rows; what is summed over rows all ranks get. The
/// members that do that are collective; set_step(), move(), active_shares() and active_rows() are
/// not.
class SquaredHinge {
 public:
  struct Data {
    const Rows& rows;
    std::span<const std::int32_t> labels;
    std::vector<std::int32_t> positives;  ///< the class that problem c separates from the rest
    double cost = 1;                      ///< C
    double bias = 1;
    std::span<const double> row_weights = {};  ///< u, 0 or more; empty: 1 each
    /// Rows that float32 cannot hold: behind each row's columns what rounding took from them. All
    /// but the Hessian then takes both. Null: `rows` are exact.
    const Rows* split = nullptr;
    bool sparse = false;  ///< the rows; they are then on one rank
  };
  using Live = std::span<const std::size_t>;

  SquaredHinge(Data data, Context& context);

  std::size_t problems() const noexcept { return data_.positives.size(); }
  std::size_t dimension() const noexcept { return dimension_; }
  /// How many values all rows have together: what a product with them costs.
  double values() const noexcept { return values_; }
  const Data& data() const noexcept { return data_; }

  /// Makes a problem's steps those of another weight c <= C of the losses: the gradient, the line
  /// search and the dual points below are then of c, while Value stays that of C. C at first.
  void set_working_cost(std::size_t problem, double cost) noexcept { costs_[problem] = cost; }
  double working_cost(std::size_t problem) const noexcept { return costs_[problem]; }

  /// Changes C. Working costs that are greater become it, smaller ones stay.
  void set_cost(double cost) noexcept {
    data_.cost = cost;
    for (double& c : costs_) c = std::min(c, cost);
  }

  /// u of each row, and the sum of them all.
  RowWeights row_weights() const noexcept { return {data_.row_weights}; }
  double total_weight() const noexcept { return total_weight_; }

  /// Primal and dual objective, sums in double. The dual point is alpha_i = 2c max(0, 1 - y_i f_i):
  /// feasible, so its value sum alpha - sum alpha^2 / 4C - 1/2 |sum alpha_i y_i x_i|^2 is a lower
  /// bound of the minimum. With weights, alpha and C are multiplied with u_i.
  struct Value {
    double primal = 0;
    double dual = 0;
  };

  /// What the losses alone add up to at w, u_i included.
  struct Losses {
    double squares = 0;  ///< sum max(0, 1 - y_i f_i)^2
    double duals = 0;    ///< sum (alpha_i - alpha_i^2 / 4C) / c
  };

  /// The losses and pull_c = sum alpha_i y_i x_i, the negative gradient of c times the squares.
  /// Like all members of this kind it returns false when a stop was requested, with its results
  /// unusable.
  bool losses(Live live, std::vector<Losses>& sums, Vectors<double>& pull);

  /// Value and gradient at w, which is 0 at first and then where move() went.
  bool evaluate(const Vectors<double>& w, Live live, std::vector<Value>& values,
                Vectors<double>& gradient);

  /// out = H p, H the generalized Hessian at w.
  bool hessian_product(const Vectors<double>& p, Live live, Vectors<double>& out);

  /// C sum u_i max(0, 1 - y_i f_i)^2 of every problem, without reading the rows.
  std::vector<double> loss() const;

  /// Computes X s, which the members below need.
  bool set_step(const Vectors<double>& s, Live live);

  /// The t >= 0 that minimises the objective at w + t s, exactly: its derivative is piecewise
  /// linear. 0 where s is not a direction of descent.
  std::vector<double> line_search(const Vectors<double>& w, const Vectors<double>& s, Live live);

  /// First and second derivative by t of the losses (c times the squares) at w + t s.
  void slopes(Live live, std::span<const double> t, std::vector<double>& first,
              std::vector<double>& second) const;

  /// Makes w + t s the point that all members speak of: moves its decision values.
  void move(std::span<const double> t, Live live);

  /// The dual objective at w + s to first order: alpha_i = 2c max(0, 1 - y_i (f_i + s.x_i)) for the
  /// rows that are active at w, 0 for the others. Feasible, so a lower bound; near the optimum much
  /// closer than evaluate()'s where columns are badly scaled.
  bool predicted_dual(Live live, std::vector<double>& dual);

  /// For every own row the share of the live problems in which it has a loss, times its weight.
  std::vector<float> active_shares(Live live) const;

  /// The own rows with a weight in which a problem has a loss, in ascending order.
  std::vector<std::size_t> active_rows(std::size_t problem) const;

  /// In how many rows with a weight each of the live problems has a loss.
  std::vector<double> active_counts(Live live) const;

  /// Tells where the problems are, and goes there: f of all rows, and the working costs.
  /// Collective; going there is not.
  void note(Notes& notes) const;
  void go_on(const NotesReader& kept);

  Context& context() const noexcept { return context_; }

  /// The own rows.
  const OwnParts& own() const noexcept { return own_; }

  /// Bytes that an object with so many own rows holds during a sweep.
  static std::size_t bytes(std::size_t rows, std::size_t dimension, std::size_t problems,
                           std::size_t threads);

 private:
  double sign(std::size_t row, std::size_t problem) const noexcept {
    return data_.labels[row] == data_.positives[problem] ? 1.0 : -1.0;
  }
  bool stopped() const { return context_.stop_requested() != StopReason::none; }
  double slack(std::size_t row, std::size_t problem) const noexcept {
    return 1 - sign(row, problem) * decisions_[place(row, problem)];
  }
  std::size_t place(std::size_t row, std::size_t problem) const noexcept {
    return (row - own_.first_row) * problems() + problem;
  }
  bool any_active(std::size_t row, Live live) const noexcept;
  /// run_sweep() in double, over the exact rows.
  bool sweep_exactly(const Sweep<double>& sweep) const;
  template <class T>
  bool sweep_rows(const Sweep<T>& sweep) const;
  template <class T>
  Vectors<T> gather(const Vectors<double>& from, Live live) const;
  double row_weight(std::size_t row) const noexcept { return row_weights()(row); }

  Data data_;
  Context& context_;
  std::size_t dimension_;
  std::vector<double> costs_;  // the working cost c of each problem
  double total_weight_;
  double values_;
  RowParts parts_;
  OwnParts own_;
  // In double: where 2C |x|^2 is large, the optimum hangs on slacks of 1e-6 and less.
  std::vector<double> decisions_;   // own rows x problems: f at w
  std::vector<double> step_image_;  // X s
};

}  // namespace semblance::solvers

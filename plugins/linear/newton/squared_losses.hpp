// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "problem/losses.hpp"
#include "problem/sweep.hpp"
#include "semblance/samples.hpp"

namespace semblance::linear {

/// u of each row: the factor of its losses.
struct RowWeights {
  std::span<const double> of_row = {};  ///< empty: 1 each

  double operator()(std::size_t row) const noexcept { return of_row.empty() ? 1.0 : of_row[row]; }
  /// Whether the row's weight is not 0.
  bool counts(std::size_t row) const noexcept { return of_row.empty() || of_row[row] > 0; }
};

/// Several problems min_w 1/2 |w|^2 + C sum_i u_i l_i(w.x_i) on the same rows, where u_i is the
/// weight of row i and l_i its loss (losses.hpp): the squared hinge of a class against the rest
/// (BE-SVM, eq. (6)), or a tube around a target. Below, lost is a loss's slack, at least 0 and at
/// most its cap. With bias != 0 every x_i has `bias` appended, so the bias is regularized like any
/// weight. All operations take the list of `live` problems; other problems cost nothing. Vectors
/// are indexed by problem.
///
/// Each rank has the values per row of its own rows; all ranks get sums over rows. Members that sum
/// are collective; set_step(), move(), active_shares() and active_rows() are not.
class SquaredLosses {
 public:
  struct Data {
    const Rows& rows;
    AnyLosses losses;
    double cost = 1;  ///< C
    double bias = 1;
    std::span<const double> row_weights = {};  ///< u, 0 or more; empty: 1 each
    /// For rows that float32 cannot represent: each row's columns followed by their rounding
    /// errors. Everything except the Hessian then uses both. Null: `rows` are exact.
    const Rows* split = nullptr;
    bool sparse = false;  ///< whether the rows are sparse; they are then on one rank
    std::vector<double> cost_factors = {};  ///< factor of C for each problem; empty: 1
    std::span<const double> centre = {};    ///< LinearTask::centre
  };
  using Live = std::span<const std::size_t>;

  SquaredLosses(Data data, Context& context);

  std::size_t problems() const noexcept { return costs_.size(); }
  std::size_t dimension() const noexcept { return dimension_; }
  /// The number of values of all rows: the cost of a product with them.
  double values() const noexcept { return values_; }
  const Data& data() const noexcept { return data_; }

  /// A problem's C.
  double cost(std::size_t problem) const noexcept {
    return data_.cost_factors.empty() ? data_.cost : data_.cost * data_.cost_factors[problem];
  }

  /// Sets a problem's working cost c <= C, initially C. The gradient, the line search and the dual
  /// points below then use c, while Value still uses C.
  void set_working_cost(std::size_t problem, double cost) noexcept { costs_[problem] = cost; }
  double working_cost(std::size_t problem) const noexcept { return costs_[problem]; }

  /// Changes C. Larger working costs are reduced to it, smaller ones stay.
  void set_cost(double cost) noexcept {
    data_.cost = cost;
    for (std::size_t c = 0; c < costs_.size(); ++c) costs_[c] = std::min(costs_[c], this->cost(c));
  }

  /// u of each row.
  RowWeights row_weights() const noexcept { return {data_.row_weights}; }

  /// Primal and dual objective, summed in double. The dual point alpha_i = 2c lost_i is feasible,
  /// so its value sum g_i alpha_i - sum alpha^2 / 4C - 1/2 |sum alpha_i y_i x_i|^2 is a lower bound
  /// of the minimum, where y_i is the sign of the direction in which f_i must move, and g_i is 1
  /// for hinges, y_i t_i - epsilon for tubes. With weights, alpha and C are multiplied by u_i.
  struct Value {
    double primal = 0;
    double dual = 0;
  };

  /// Sums of the losses at w, including u_i.
  struct Sums {
    double squares = 0;  ///< sum l_i
    double duals = 0;    ///< sum (g_i alpha_i - alpha_i^2 / 4C) / c
  };

  /// Computes the losses and pull_c = sum alpha_i y_i x_i, the negative gradient of c times the
  /// squares. Like all members of this kind it returns false, with unusable results, if a stop was
  /// requested.
  bool losses(Live live, std::vector<Sums>& sums, Vectors<double>& pull);

  /// Computes value and gradient at w, which is initially 0 and then the target of move().
  bool evaluate(const Vectors<double>& w, Live live, std::vector<Value>& values,
                Vectors<double>& gradient);

  /// out = H p, H the generalized Hessian at w.
  bool hessian_product(const Vectors<double>& p, Live live, Vectors<double>& out);

  /// C sum u_i l_i for every problem, without reading the rows.
  std::vector<double> loss() const;

  /// The same at w = 0.
  std::vector<double> loss_at_zero() const;

  /// Computes X s for the members below.
  bool set_step(const Vectors<double>& s, Live live);

  /// The t >= 0 that minimises the objective at w + t s, exactly: its derivative is piecewise
  /// linear. 0 if s is not a descent direction.
  std::vector<double> line_search(const Vectors<double>& w, const Vectors<double>& s, Live live);

  /// First and second derivative of the losses (c times the squares) at w + t s with respect to t.
  void slopes(Live live, std::span<const double> t, std::vector<double>& first,
              std::vector<double>& second) const;

  /// Makes w + t s the current point: updates the decision values.
  void move(std::span<const double> t, Live live);

  /// The dual objective at w + s to first order: alpha_i = 2c lost_i for the rows that have a loss
  /// at w, with the slack changed by -y_i s.x_i, else 0. It is feasible, so its value is a lower
  /// bound; near the optimum it is much closer than evaluate()'s if columns are badly scaled.
  bool predicted_dual(Live live, std::vector<double>& dual);

  /// A row is active in a problem if its loss is quadratic there: positive, and below the cap. For
  /// every own row, the share of the live problems in which it is active, times its weight.
  std::vector<float> active_shares(Live live) const;

  /// The own rows with nonzero weight that are active in the problem, in ascending order.
  std::vector<std::size_t> active_rows(std::size_t problem) const;

  /// The number of active rows with nonzero weight, for each live problem.
  std::vector<double> active_counts(Live live) const;

  Context& context() const noexcept { return context_; }

  /// Whether a GPU multiplies the rows.
  bool on_gpu() const noexcept { return on_gpu_ != nullptr; }

  /// The own rows.
  const OwnParts& own() const noexcept { return own_; }

  /// Bytes of an object with this number of own rows during a sweep.
  static std::size_t bytes(std::size_t rows, std::size_t dimension, std::size_t problems,
                           std::size_t threads);

 private:
  bool stopped() const { return context_.stop_requested() != StopReason::none; }
  /// Calls body with the losses, of their own type.
  template <class Body>
  decltype(auto) with_losses(const Body& body) const {
    return std::visit(body, data_.losses);
  }
  template <class L>
  LossPoint point(const L& losses, std::size_t row, std::size_t problem) const noexcept {
    return losses.at(row, problem, decisions_[place(row, problem)]);
  }
  template <class L>
  static bool active(const L& losses, std::size_t problem, LossPoint at) noexcept {
    if constexpr (!L::capped) return at.slack > 0;
    return at.slack > 0 && at.slack < losses.cap(problem, at.sign);
  }
  template <class L>
  bool active(const L& losses, std::size_t row, std::size_t problem) const noexcept {
    return active(losses, problem, point(losses, row, problem));
  }
  std::size_t place(std::size_t row, std::size_t problem) const noexcept {
    return (row - own_.first_row) * problems() + problem;
  }
  template <class L>
  bool any_lost(const L& losses, std::size_t row, Live live) const noexcept;
  template <class L>
  bool any_active(const L& losses, std::size_t row, Live live) const noexcept;
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
  double values_;
  RowParts parts_;
  OwnParts own_;
  // In double: if 2C |x|^2 is large, the optimum depends on slacks of 1e-6 and less.
  std::vector<double> decisions_;                  // own rows x problems: f at w
  std::vector<double> step_image_;                 // X s
  std::shared_ptr<const gpu::TallMatrix> on_gpu_;  // the rows; null: the CPU sweeps
};

}  // namespace semblance::linear

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "semblance/decision_values.hpp"
#include "semblance/formula.hpp"
#include "semblance/similarity.hpp"
#include "semblance/state.hpp"
#include "semblance_numerics/padded_vectors.hpp"

namespace semblance::kernel {

using numerics::Vectors;

/// A coefficient of one expansion vector.
struct Term {
  std::size_t vector;
  double coefficient;
};

/// The terms of several functions.
using Terms = std::vector<std::vector<Term>>;

/// Several functions f(x) = sum_i b_i k(v_i, x) + bias on the same expansion vectors v, each with
/// its own coefficients, for example one per binary problem or per target number. Independent of
/// the kernel.
class KernelExpansion {
 public:
  KernelExpansion() = default;
  /// `terms` and `biases`: one entry per function. `starts`: the boundaries of groups of vectors
  /// that few functions use (the first vector of each class, and the number of vectors).
  KernelExpansion(std::vector<double> biases, std::span<const std::vector<Term>> terms,
                  std::span<const std::size_t> starts);
  /// Throws Error if the arrays do not fit together.
  explicit KernelExpansion(const StateReader& state);

  void save(StateWriter& state) const;

  std::size_t vectors() const noexcept { return vectors_; }
  std::size_t count() const noexcept { return biases_.size(); }  ///< of functions
  std::span<const double> biases() const noexcept { return biases_; }

  /// The functions' values, one row of count() per row of `kernel`, which has one kernel value per
  /// vector. A row's values do not depend on other rows.
  std::vector<double> values(MatrixView kernel) const;

  /// For a linear kernel with these vectors: the weights of each function, summed about a centre in
  /// double.
  Vectors<double> weights(const Similarity& vectors, std::size_t cols,
                          std::span<const float> centre = {}) const;
  /// Adds a constant to the first function.
  void raise(double by) { biases_.at(0) += by; }
  /// For linear functions trained on centred rows: sets the biases for the original rows.
  void move_centre(const Similarity& vectors, std::span<const float> centre);
  /// Calls take(i, values) with the functions' values at row i of `rows`, by their weights.
  void values(MatrixView rows, const Vectors<double>& weights,
              const std::function<void(std::size_t, std::span<const double>)>& take) const;

  /// The coefficients of a function, one per vector.
  std::vector<double> coefficients(std::size_t function) const;

  /// The functions' values as a formula, in float64.
  Formula::Value write(Formula& formula, Formula::Value kernel) const;
  /// The same for the rows themselves, by the functions' weights.
  Formula::Value write(Formula& formula, const Vectors<double>& weights, Formula::Value in) const;

  /// Consecutive vectors and the functions that have coefficients of them.
  struct Group {
    std::size_t first = 0;
    std::size_t count = 0;
    std::vector<std::size_t> functions;
    Vectors<double> coefficients;
  };
  const std::vector<Group>& groups() const noexcept { return groups_; }

 private:
  std::size_t vectors_ = 0;
  std::vector<double> biases_;
  std::vector<Group> groups_;
};

/// Where the vectors of a machine come from. A model has it, so that explanations and drawings can
/// name the samples; nothing is computed from it.
struct VectorOrigins {
  std::vector<std::uint32_t> rows = {};  ///< the training sample of each; empty: not known
  std::vector<VectorRole> roles = {};    ///< of a classifier

  void save(StateWriter& state) const;
  /// Empty for a model of an older version. Throws Error if the arrays do not fit.
  static VectorOrigins load(const StateReader& state, std::size_t vectors);
};

/// Throws Error unless the arrays of a saved machine fit together.
void check_saved(bool sound);

}  // namespace semblance::kernel

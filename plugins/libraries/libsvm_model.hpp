// SPDX-License-Identifier: MIT
#pragma once

#include <libsvm/svm.h>

#include <cstddef>
#include <span>
#include <vector>

#include "semblance/formula.hpp"
#include "semblance/layout.hpp"
#include "semblance/state.hpp"
#include "semblance/support_vectors.hpp"

namespace semblance::libraries {

/// Owns the arrays of an svm_model. The library's text format rounds, and its structs are allocated
/// by malloc; here everything is in plain arrays that are saved bit for bit.
class LibSvmModel {
 public:
  /// Copies a freshly trained model; its support vectors have the layout of the samples.
  LibSvmModel(const svm_model& trained, const Layout& samples);
  /// Throws Error if the arrays do not fit together.
  explicit LibSvmModel(const StateReader& state);
  /// Imports a machine for samples of this layout. Values become float32. Throws Error as above.
  LibSvmModel(const SupportVectorMachine& machine, const Layout& samples);
  LibSvmModel(const LibSvmModel&) = delete;

  void save(StateWriter& state) const;

  std::size_t inputs() const noexcept { return vectors_.cols; }
  std::size_t classes() const noexcept { return labels_.size(); }
  std::size_t vectors() const noexcept { return vectors_.rows; }

  /// Computes the scores of row i: votes for more than two classes, else the decision value.
  void scores(MatrixView rows, std::size_t i, std::span<float> out) const;

  SupportVectorMachine machine() const;

  /// The scores as a formula, in float64 as the library computes them.
  Formula::Value write(Formula& formula, Formula::Value in) const;

 private:
  void check_arrays() const;
  void link();
  Formula::Value write_kernel(Formula& formula, Formula::Value x) const;
  Formula::Value write_decisions(Formula& formula, Formula::Value kernel) const;

  svm_model model_{};
  FloatMatrix vectors_;
  std::vector<double> coefficients_;  // (classes - 1) x vectors
  std::vector<double> rho_;
  std::vector<int> labels_;  // the library's order of the classes
  std::vector<int> counts_;
  std::vector<svm_node> nodes_;
  std::vector<svm_node*> node_rows_;
  std::vector<double*> coefficient_rows_;
};

}  // namespace semblance::libraries

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>

#include "semblance/component.hpp"
#include "semblance/similarity.hpp"

namespace semblance {

/// The values of a standard kernel k from which a pair kernel K((a, b), (c, d)) is computed.
struct StandardKernelValues {
  double ac = 0, ad = 0, bc = 0, bd = 0;  ///< k(a, c), ...
  /// sgn(a_1 - b_1) sgn(c_1 - d_1), of the first coordinates of the examples (Remark 3).
  double order = 0;
};

/// The same for one pair (a, b) and `count` pairs (c, d), one per column.
struct StandardKernelColumns {
  const float* ac = nullptr;
  const float* ad = nullptr;
  const float* bc = nullptr;
  const float* bd = nullptr;
  const float* order = nullptr;  ///< required if the kernel is ordered(), else may be null
  std::size_t count = 0;
};

/// A pair kernel written as a weighted sum of K_SD (3c), K_ML (3d) and K_TL (3e) on the standard
/// kernel k and on its square k(., .)^2, plus a constant. Sums of such kernels over pairs are
/// matrix products.
struct PairKernelSum {
  struct Weights {
    double symmetric_direct_sum = 0;
    double metric_learning = 0;
    double tensor_learning = 0;
  };
  Weights plain;
  Weights squared;
  double constant = 0;
};

/// Kind `pair_kernel`: a kernel between pairs of examples (pairwise SVM, eqs. (3a)-(3h)). Used as
/// the parameter of a component, not as a node. All members are thread-safe.
class PairKernel : public Component {
 public:
  static const KindInfo& kind_info();
  ~PairKernel() override;

  /// The kernel k between single examples. The caller binds it and sets its bases.
  virtual Similarity& standard_kernel() const noexcept = 0;

  virtual double evaluate(const StandardKernelValues& k) const noexcept = 0;

  /// out[j] = K((a, b), pair j). The default calls evaluate() for each pair.
  virtual void evaluate_columns(const StandardKernelColumns& k, float* out) const noexcept;

  /// K((a, b), (c, d)) = K((b, a), (c, d)): no need to train on both orders of a pair. All kernels
  /// satisfy K((a, b), (c, d)) = K((b, a), (d, c)), eq. (9).
  virtual bool symmetric() const noexcept = 0;

  /// K((a, b), (c, d)) = K((a, b), -(c, d)), eq. (6): the sign of all four values does not matter.
  virtual bool even() const noexcept { return false; }

  /// Whether evaluate() reads `order`.
  virtual bool ordered() const noexcept { return false; }

  /// Whether a machine with a bias is the same if all examples move by one vector of the standard
  /// kernel's feature space: K sees differences of examples, or terms of one pair that only add up.
  virtual bool translation_invariant() const noexcept { return false; }

  /// The symmetric part (K((a, b), (c, d)) + K((b, a), (c, d))) / 2 as a sum, if it has that form.
  virtual std::optional<PairKernelSum> symmetric_sum() const { return std::nullopt; }
};

}  // namespace semblance

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "semblance/state.hpp"
#include "semblance_numerics/packed_rows.hpp"

namespace semblance::ml3 {

/// A value of a sparse vector.
struct Entry {
  std::uint32_t column;
  float value;
};

struct CodingOptions {
  /// 0: the weighted lasso of local coordinate coding; otherwise its approximation on that many
  /// nearest anchors.
  std::size_t neighbours = 0;
  double locality = 0.1;  ///< of the lasso: mu
  double beta = 1e-4;     ///< on neighbours: weight of the squared coordinates
};

/// Coordinates of a row in terms of anchors.
///
/// With the lasso (Yu, Zhang, Gong 2009) they minimise
///
///     1/2 |x - sum over v of gamma_v v|^2 + mu sum over v of |gamma_v| |v - x|^2,
///
/// by coordinate descent on the active anchors, until no other anchor would become active and every
/// coordinate's optimality condition holds up to 1e-5 of the largest |v . x|. The coordinates are
/// not constrained to sum to 1. On neighbours (locality-constrained linear coding, Wang et al.
/// 2010) they sum to 1 and minimise |x - sum gamma_v v|^2 + beta |gamma|^2 times the sum of the
/// squared distances.
class CoordinateCoding {
 public:
  CoordinateCoding() = default;
  CoordinateCoding(FloatMatrix anchors, const CodingOptions& options);

  const FloatMatrix& anchors() const noexcept { return anchors_; }

  /// Appends the nonzero coordinates of each row, by column, to `codes`; `ends` gets the total
  /// number after each row. A row's codes do not depend on other rows. Thread-safe.
  void encode(MatrixView rows, std::vector<Entry>& codes, std::vector<std::size_t>& ends) const;

  /// Bytes that an object of that many anchors takes.
  static std::size_t bytes(std::size_t anchors, std::size_t cols, bool lasso) noexcept;

 private:
  /// Squared distances to the anchors lack `missing`, the same for all.
  void lasso(std::span<const float> products, std::span<const double> distances, double missing,
             std::vector<Entry>& codes) const;
  void nearest(std::span<const float> row, std::span<const double> distances,
               std::vector<Entry>& codes) const;

  FloatMatrix anchors_;
  CodingOptions options_;
  numerics::PackedRows packed_;
  FloatMatrix gram_;             // of the lasso
  std::vector<double> squares_;  // |v|^2
  std::vector<float> norms_;     // these in float32
};

}  // namespace semblance::ml3

// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "measures/path_sums.hpp"
#include "semblance/declaration.hpp"
#include "semblance/row_error.hpp"
#include "semblance/self_similarity.hpp"
#include "semblance/similarity.hpp"

namespace semblance {

/// The global alignment kernel, normalized: positive semi-definite on series of any length.
class Gak final : public Similarity, public SelfSimilarity {
 public:
  static Declaration<Gak> declare();
  void check_parameters() const override;

  void set_bases(MatrixView bases, std::span<const std::int64_t> indices,
                 Context& context) override;
  std::size_t bases() const noexcept override { return bases_.rows; }
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void apply_range(MatrixView in, std::size_t first, MutableMatrixView out,
                   Context& context) const override;
  void compare_with_itself(MatrixView rows, float* values) const override;
  double operations() const noexcept override;
  bool positive_semidefinite() const noexcept override { return true; }
  bool learns_from_bases() const noexcept override { return sigma_ == "auto"; }
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;

  /// The width in use: the parameter, or the value learned from the bases.
  double sigma() const noexcept { return learned_sigma_; }

 private:
  void prepare(const Layout& input) override;
  void keep(FloatMatrix bases);
  void use(double sigma, Context& context);
  void check_rows(MatrixView rows, RowError::Of of) const;

  std::string sigma_ = "auto";
  std::int64_t triangular_ = 0;
  Layout layout_;
  FloatMatrix bases_;
  double learned_sigma_ = 0;
  PathSums sums_;
  SeriesLanes lanes_;
  std::vector<double> own_;  // of each base with itself
};

}  // namespace semblance

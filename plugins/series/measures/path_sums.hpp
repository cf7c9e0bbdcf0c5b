// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "measures/series_lanes.hpp"
#include "semblance/row_error.hpp"

namespace semblance::series {

/// The sum over all alignments of two series of the product of a local kernel over the aligned
/// steps, for the global alignment kernel and soft-DTW. The result is its logarithm to base 2.
///
/// Sums are float32 mantissas with separate exponents, which neither overflow nor lose digits to a
/// large logarithm for series of any length: the relative error is a few units in the last place
/// per cell on the path, 1e-5 for a thousand steps. Kernels and sums below 2^-1e30 count as 0.
class PathSums final : public StepProgramme {
 public:
  struct Settings {
    double rate = 1;           ///< the local kernel is exp(-rate |x - b|^2) = g,
    bool halved = false;       ///< or g / (2 - g)
    std::size_t triangle = 0;  ///< g times max(0, 1 - |i - j| / triangle); 0: only g
    std::size_t longest = 0;   ///< of the series
  };

  PathSums() = default;
  explicit PathSums(const Settings& settings);

  std::size_t table_planes() const override { return 2; }
  bool takes_two_groups() const override { return false; }
  void run(const LanesJob& job) const override;

  /// Throws Error if a value is not finite, or so large that sums could not be distinguished from
  /// 0; `where` is "the block" or "the bases".
  void check(MatrixView rows, const Layout& layout, RowError::Of of) const;

  /// sums[i]: the result of row i with itself; with independent channels, the sum over channels.
  /// The bits are those of SeriesLanes::compare().
  void with_itself(MatrixView rows, const Layout& layout, bool dependent, double* sums,
                   Context& context) const;

 private:
  double rate_ = 1;
  bool halved_ = false;
  std::size_t longest_ = 0;
  std::vector<float> log_weights(std::size_t longest) const;

  std::size_t triangle_ = 0;
  std::vector<float> log_weights_;  // of the difference k in time, from -longest to longest
};

}  // namespace semblance::series

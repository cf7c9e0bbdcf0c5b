// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "measures/series_lanes.hpp"
#include "semblance/row_error.hpp"

namespace semblance {

/// The sum over all alignments of two series of the product of a local kernel over the aligned
/// steps, of which the global alignment kernel and soft-DTW are made. Its logarithm to base 2 is
/// what is accumulated.
///
/// Sums are float32 mantissas with exponents of their own, which neither overflow nor lose digits
/// to a large logarithm, however long the series are: a relative error of a few units in the last
/// place a cell on the way, 1e-5 for a thousand steps. Where a kernel or a sum is below 2^-1e30 it
/// stands for 0.
class PathSums final : public StepProgramme {
 public:
  struct Settings {
    double rate = 1;           ///< the local kernel is exp(-rate |x - b|^2) = g,
    bool halved = false;       ///< or g / (2 - g)
    std::size_t triangle = 0;  ///< g times max(0, 1 - |i - j| / triangle); 0: g alone
    std::size_t longest = 0;   ///< of the series
  };

  PathSums() = default;
  explicit PathSums(const Settings& settings);

  std::size_t table_planes() const override { return 2; }
  bool takes_two_groups() const override { return false; }
  void run(const LanesJob& job) const override;

  /// Throws Error where a value is not finite, or so large that sums could not be told from 0;
  /// `where` is "the block" or "the bases".
  void check(MatrixView rows, const Layout& layout, RowError::Of of) const;

  /// sums[i]: what row i accumulates with itself; with independent channels, each one with itself,
  /// added up. The same bits as SeriesLanes::compare() would give.
  void with_itself(MatrixView rows, const Layout& layout, bool dependent, double* sums,
                   Context& context) const;

 private:
  double rate_ = 1;
  bool halved_ = false;
  std::size_t longest_ = 0;
  std::vector<float> log_weights_;  // of the difference k in time, from -longest to longest
};

}  // namespace semblance

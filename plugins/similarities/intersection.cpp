// SPDX-License-Identifier: MIT
#include "intersection.hpp"

#include "histogram_kernels.hpp"

namespace semblance {

Declaration<Intersection> Intersection::declare() {
  return Declaration<Intersection>("similarity/intersection",
                                   "Histogram intersection: sum of min(b, x)")
      .symmetric()
      .documentation("Values must not be negative.")
      .reference("Swain and Ballard 1991")
      .complexity("2d operations a pair for d values");
}

double Intersection::operations() const noexcept {
  return 2.0 * static_cast<double>(layout().size());
}

void Intersection::learn(MatrixView bases) { check_histograms(bases, "intersection"); }

void Intersection::compare_with_itself(MatrixView rows, float* values) const {
  row_sums(rows, values);
}

bool Intersection::compare_range(MatrixView in, std::size_t first, MutableMatrixView out,
                                 Context& context) const {
  check_histograms(in, "intersection");
  histogram_sums(HistogramSum::intersection, in, packed(), first, out, context);
  return true;
}

}  // namespace semblance

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

void Intersection::compare(MatrixView in, MutableMatrixView out, Context& context) const {
  check_histograms(in, "intersection");
  const numerics::PackedBlock block(in);
  for (std::size_t p = 0; p < packed().panels(); ++p) {
    context.check_stop();
    histogram_panel(HistogramSum::intersection, block, packed(), p, out);
  }
}

}  // namespace semblance

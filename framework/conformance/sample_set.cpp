// SPDX-License-Identifier: MIT
#include "conformance/sample_set.hpp"

#include <algorithm>
#include <cmath>

#include "semblance/random.hpp"

namespace semblance::conformance {
namespace {

/// How far the values of class c are moved in column j.
double centre(std::size_t c, std::size_t j) { return (j % sample_classes) == c ? 1 : 0; }

SampleSet labelled(const Layout& layout, std::size_t rows) {
  SampleSet set{layout, FloatMatrix(rows, layout.size()), {}, {"one", "two", "three"}, {}};
  for (std::size_t i = 0; i < rows; ++i)
    set.labels.push_back(static_cast<std::int32_t>(i % sample_classes));
  return set;
}

SampleSet similarity_map(std::size_t rows) {
  constexpr std::size_t bases = 24, values = 6;
  Random random(11);
  std::vector<double> points(rows * values);
  for (std::size_t k = 0; k < points.size(); ++k)
    points[k] = 2 * centre(k / values % sample_classes, k % values) + 0.5 * random.normal();
  SampleSet set = labelled(Layout::vector(bases), rows);
  for (std::size_t b = 0; b < bases; ++b) set.bases.push_back(static_cast<std::int64_t>(b));
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t b = 0; b < bases; ++b) {
      double distance = 0;
      for (std::size_t k = 0; k < values; ++k) {
        const double d = points[i * values + k] - points[b * values + k];
        distance += d * d;
      }
      set.values.view().row(i)[b] = static_cast<float>(std::exp(-0.1 * distance));
    }
  return set;
}

/// Values in [0, 1), moved by the class in every third column; some are zero.
SampleSet moved_by_class(const Layout& layout) {
  SampleSet set = labelled(layout, sample_rows);
  Random random(12);
  for (std::size_t i = 0; i < sample_rows; ++i)
    for (std::size_t j = 0; j < set.layout.size(); ++j)
      set.values.view().row(i)[j] = static_cast<float>(
          std::max(0.0, 0.7 * random.uniform(-0.2, 1.0) + 0.29 * centre(i % sample_classes, j)));
  return set;
}

/// Whole numbers in 0..255; the classes differ by a bright stripe.
SampleSet image(std::size_t side, std::size_t channels) {
  SampleSet set = labelled(Layout::image(side, side, channels), sample_rows);
  Random random(13);
  for (std::size_t i = 0; i < sample_rows; ++i)
    for (std::size_t j = 0; j < set.layout.size(); ++j) {
      const std::size_t row = j / side % side;
      const bool stripe = row * sample_classes / side == i % sample_classes;
      set.values.view().row(i)[j] = static_cast<float>(
          random.below(stripe ? 256 : 128) / (stripe ? 1 : 2) + (stripe ? 0 : 1));
    }
  return set;
}

}  // namespace

std::vector<SampleSet> sample_sets(const std::vector<LayoutKind>& layouts) {
  std::vector<SampleSet> sets;
  for (const LayoutInfo& info : semblance::layouts()) {
    if (!layouts.empty() && std::ranges::find(layouts, info.kind) == layouts.end()) continue;
    if (info.kind == LayoutKind::vector) {
      sets.push_back(similarity_map(sample_rows));
    } else if (info.kind == LayoutKind::image) {
      sets.push_back(image(28, 1));
      sets.push_back(image(32, 3));
    } else {
      sets.push_back(moved_by_class(info.example));
    }
  }
  return sets;
}

SampleSet many_samples() { return similarity_map(500 * sample_classes); }

}  // namespace semblance::conformance

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "semblance/samples.hpp"
#include "semblance/state.hpp"

namespace semblance::conformance {

/// Labelled samples of one layout to try a component on.
struct SampleSet {
  Layout layout;
  FloatMatrix values;
  std::vector<std::int32_t> labels;
  std::vector<std::string> classes;
  std::vector<std::int64_t> bases;  ///< of the vectors, which are the rows of a similarity map
};

/// More than one block of rows.
inline constexpr std::size_t sample_rows = 300;
inline constexpr std::size_t sample_classes = 3;

/// Samples of the layouts, where the list is empty of all whose samples are of one size: vectors,
/// which are similarities in (0, 1] to the first 24 of the samples; grids of values in [0, 1);
/// images with one and with three channels of values 0..255; sequences with one and with two
/// channels, strings and sets, each first of differing size and then of one size. The classes are
/// well apart in each.
std::vector<SampleSet> sample_sets(const std::vector<LayoutKind>& layouts);

/// Scores of the classes, as a solver gives them to held-out rows: the right class has the largest
/// of them in most rows.
SampleSet score_samples();

/// Where only labels matter: 500 rows a class in the vectors' layout.
SampleSet many_samples();

}  // namespace semblance::conformance

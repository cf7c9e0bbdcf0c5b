// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "semblance/state.hpp"

namespace semblance::oracle {

struct Data {
  FloatMatrix values;
  std::vector<std::int32_t> labels;
  std::vector<std::string> classes;
};

/// Overlapping normal clouds, one a class; column j is multiplied by spread^(j / (cols - 1)), so
/// that a large spread makes the columns badly scaled.
Data clouds(std::size_t rows, std::size_t cols, std::size_t classes, double spread = 1);

/// The text of a file packed with gzip.
std::string unpacked(const std::string& path);

/// The USPS digits (zip.train.gz or zip.test.gz) of $SEMBLANCE_DATA, values in [-1, 1]. Prints that
/// the test is skipped and returns nothing where the variable is not set.
std::optional<Data> usps(const std::string& file);

}  // namespace semblance::oracle

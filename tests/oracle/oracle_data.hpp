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

/// Overlapping normal clouds, one per class; column j is multiplied by spread^(j / (cols - 1)), so
/// that a large spread makes the columns badly scaled.
Data clouds(std::size_t rows, std::size_t cols, std::size_t classes, double spread = 1);

/// The text of a file packed with gzip.
std::string unpacked(const std::string& path);

/// The USPS digits (zip.train.gz or zip.test.gz) of $SEMBLANCE_DATA, values in [-1, 1]. If the
/// variable is not set, prints that the test is skipped and returns nothing.
std::optional<Data> usps(const std::string& file);

/// LETTER of $SEMBLANCE_DATA: the first 16,000 rows or the last 4,000, values 0 to 15; like usps().
std::optional<Data> letter(bool train);

/// The MNIST digits ("train" or "t10k") of $SEMBLANCE_DATA, values 0 to 255; like usps().
std::optional<Data> mnist(const std::string& part);

}  // namespace semblance::oracle

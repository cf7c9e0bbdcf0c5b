// SPDX-License-Identifier: MIT
#include "fuzzing.hpp"
#include "support/files/npy.hpp"

using namespace semblance;
using namespace semblance::fuzzing;

// An array of the store or a model. Everything read must be identical when written again.
FUZZ_TARGET(array) {
  const std::string_view content = input.rest();
  const auto values = [&](std::size_t bytes) { return content.substr(npy::header_bytes, bytes); };
  expect_result_or_error([&] {
    const FloatMatrix matrix = npy::floats(content, "array");
    require(matrix.values.size() == matrix.rows * matrix.cols, "not all values are there");
    require(npy::to_bytes(matrix.view()).substr(npy::header_bytes) ==
                values(matrix.values.size() * sizeof(float)),
            "other bytes are written than were read");
  });
  expect_result_or_error([&] {
    const auto list = npy::doubles(content, "array");
    require(npy::to_bytes(list).substr(npy::header_bytes) == values(list.size() * sizeof(double)),
            "other bytes are written than were read");
  });
  expect_result_or_error([&] {
    const auto list = npy::integers(content, "array");
    require(
        npy::to_bytes(list).substr(npy::header_bytes) == values(list.size() * sizeof(std::int64_t)),
        "other bytes are written than were read");
  });
}

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "semblance/matrix.hpp"
#include "semblance/state.hpp"

namespace semblance::npy {

/// Bytes before the data of every file written here: a fixed size, so that a file can be mapped and
/// filled before its checksum is known.
inline constexpr std::size_t header_bytes = 128;

/// The header of a little-endian, row-major array. `type` is NumPy's: "<f4", "<f8", "<i8".
/// A vector has one entry in `shape`.
std::string header(std::string_view type, std::span<const std::size_t> shape);

struct Shape {
  std::string type;
  std::vector<std::size_t> shape;
};

/// Parses a header written by header(); throws Error unless the file's size is exactly right.
Shape parse(std::string_view file_content, const std::string& name);

std::string to_bytes(MatrixView values);
std::string to_bytes(std::span<const double> values);
std::string to_bytes(std::span<const std::int64_t> values);

FloatMatrix floats(std::string_view content, const std::string& name);
std::vector<double> doubles(std::string_view content, const std::string& name);
std::vector<std::int64_t> integers(std::string_view content, const std::string& name);

}  // namespace semblance::npy

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "semblance/context.hpp"
#include "semblance/wanted_rows.hpp"

/// Files of CIFAR-10's binary version.
namespace semblance::sources::cifar10 {

constexpr std::size_t pixels = 3 * 32 * 32;
constexpr std::size_t record = 1 + pixels;
constexpr std::size_t batch_rows = 10000;
constexpr std::size_t classes = 10;

/// A file to read, and the destination of its first records.
struct BatchFile {
  std::string path;
  std::int64_t first = 0;            ///< the number of its first image
  std::span<unsigned char> records;  ///< of the images that are wanted
  std::span<std::int32_t> labels;    ///< of all images to read
};

/// Throws DataError: the file is too short.
[[noreturn]] void cut_off(const std::string& file, std::uint64_t end);

/// Reads and checks the files.
void read_batches(std::span<const BatchFile> files, const WantedRows& wanted, Context& context);

}  // namespace semblance::sources::cifar10

// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "semblance/plugin_testing.hpp"
#include "semblance/source.hpp"
#include "semblance/wanted_rows.hpp"

namespace semblance::testing {

using Texts = std::vector<std::string>;
using Floats = std::vector<float>;
using Labels = std::vector<std::int32_t>;

/// A folder for one test, removed with all its files at the end.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const std::string& path() const noexcept { return path_; }

  /// Writes a file and its folders, and returns its full name. The content is compressed if the
  /// name ends in .gz, .xz, .bz2 or .zst.
  std::string write(const std::string& name, std::string_view content) const;

  /// Writes an archive (.tar, .tar.gz or .zip) of the files given.
  std::string archive(const std::string& name,
                      const std::vector<std::pair<std::string, std::string>>& files) const;

 private:
  std::string path_;
};

/// All rows of a data set.
inline FloatMatrix all_rows(const Dataset& data) {
  const Outline& outline = data.outline();
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < outline.rows(); ++i) sizes.push_back(data.values(i));
  FloatMatrix rows = room_for(outline.layout, sizes);
  data.read(0, rows.view());
  return rows;
}

/// One row of rows that differ in size.
inline std::vector<float> row_of(const Dataset& data, std::size_t row) {
  const FloatMatrix rows = all_rows(data);
  const auto values = rows.view().row_span(row);
  return {values.begin(), values.end()};
}

inline std::vector<std::int32_t> labels(const Dataset& data) {
  return {data.labels().begin(), data.labels().end()};
}

/// Opens the source and checks that its outline agrees; files() must all exist.
std::unique_ptr<Dataset> open_checked(const Source& source, TestContext& context);

/// The error message of open(); "no error" if there is none.
std::string message_of(const Source& source, TestContext& context);

/// Checks that the message names the file, contains the given text, is one line and has a remedy.
void check_message(const std::string& message, const std::string& file, const std::string& wanted);

/// Checks that a seeded source gives the same bits for the same seed with 1 and 2 threads, and
/// other bits for another seed.
void check_seeded(const Source& source);

/// The folder of real data, or empty after saying so: $SEMBLANCE_DATA.
std::string real_data();

/// Bytes of a big-endian 32-bit number.
std::string big_endian(std::uint32_t x);

/// A .npy file of version 1 with this dictionary and these bytes.
std::string npy(const std::string& dictionary, const std::string& bytes);

/// The bytes of a value.
template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// All bytes of a file.
std::string read_bytes(const std::string& file);

/// An encoded picture; channels 1 grey, 3 RGB, 4 RGB and opacity.
std::string png_file(std::uint32_t width, std::uint32_t height, int channels,
                     const std::string& pixels);
/// A grey JPEG of the highest quality.
std::string jpeg_file(int width, int height, const std::string& pixels);

/// The number of rows of [first, first + count) with each label.
std::vector<int> class_counts(const Dataset& data, std::size_t first, std::size_t count);

}  // namespace semblance::testing

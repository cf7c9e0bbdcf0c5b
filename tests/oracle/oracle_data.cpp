// SPDX-License-Identifier: MIT
#include "oracle_data.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>

#include "semblance/error.hpp"
#include "semblance/random.hpp"

namespace semblance::oracle {
std::string unpacked(const std::string& path) {
  const std::unique_ptr<archive, int (*)(archive*)> reader(archive_read_new(), archive_read_free);
  archive_read_support_filter_gzip(reader.get());
  archive_read_support_format_raw(reader.get());
  archive_entry* entry = nullptr;
  if (archive_read_open_filename(reader.get(), path.c_str(), 1 << 16) != ARCHIVE_OK ||
      archive_read_next_header(reader.get(), &entry) != ARCHIVE_OK)
    throw DataError(path, "", archive_error_string(reader.get()));
  std::string text;
  std::vector<char> buffer(1 << 16);
  for (la_ssize_t got;
       (got = archive_read_data(reader.get(), buffer.data(), buffer.size())) != 0;) {
    if (got < 0) throw DataError(path, "", archive_error_string(reader.get()));
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return text;
}

Data clouds(std::size_t rows, std::size_t cols, std::size_t classes, double spread) {
  Random random(7);
  Data data{FloatMatrix(rows, cols), {}, {}};
  std::vector<double> centres(classes * cols);
  for (double& x : centres) x = 0.4 * random.normal();
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t label = i < classes ? i : random.below(classes);
    data.labels.push_back(static_cast<std::int32_t>(label));
    for (std::size_t j = 0; j < cols; ++j) {
      const double place = static_cast<double>(j) / static_cast<double>(cols - 1);
      data.values.values[i * cols + j] = static_cast<float>(
          std::pow(spread, place) * (centres[label * cols + j] + random.normal()));
    }
  }
  for (std::size_t c = 0; c < classes; ++c) data.classes.push_back(std::to_string(c));
  return data;
}

std::optional<Data> usps(const std::string& file) {
  const char* folder = std::getenv("SEMBLANCE_DATA");
  if (folder == nullptr) {
    std::puts("skipped: $SEMBLANCE_DATA is not set");
    return std::nullopt;
  }
  const std::string text = unpacked(std::string(folder) + "/usps/" + file);
  constexpr std::size_t pixels = 256;
  Data data;
  const char* at = text.c_str();
  for (char* next = nullptr;; at = next) {
    const double label = std::strtod(at, &next);
    if (next == at) break;
    data.labels.push_back(static_cast<std::int32_t>(label));
    for (std::size_t j = 0; j < pixels; ++j) data.values.values.push_back(std::strtof(next, &next));
  }
  data.values.rows = data.labels.size();
  data.values.cols = pixels;
  for (int c = 0; c < 10; ++c) data.classes.push_back(std::to_string(c));
  return data;
}

}  // namespace semblance::oracle

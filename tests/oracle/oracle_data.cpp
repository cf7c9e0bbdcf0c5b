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

namespace {

std::optional<std::string> data_file(const std::string& path) {
  const char* folder = std::getenv("SEMBLANCE_DATA");
  if (folder != nullptr) return unpacked(std::string(folder) + "/" + path);
  std::puts("skipped: $SEMBLANCE_DATA is not set");
  return std::nullopt;
}

}  // namespace

std::optional<Data> usps(const std::string& file) {
  const auto content = data_file("usps/" + file);
  if (!content) return std::nullopt;
  const std::string& text = *content;
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

std::optional<Data> letter(bool train) {
  const auto text = data_file("letter/letter-recognition.data.gz");
  if (!text) return std::nullopt;
  constexpr std::size_t columns = 16, train_rows = 16000;
  std::istringstream lines(*text);
  Data data;
  std::size_t row = 0;
  for (std::string line; std::getline(lines, line); ++row) {
    if (line.empty() || (row < train_rows) != train) continue;
    data.labels.push_back(line[0] - 'A');
    const char* at = line.c_str() + 1;
    for (std::size_t j = 0; j < columns; ++j) {
      char* next = nullptr;
      data.values.values.push_back(std::strtof(at + 1, &next));
      at = next;
    }
  }
  data.values.rows = data.labels.size();
  data.values.cols = columns;
  for (char c = 'A'; c <= 'Z'; ++c) data.classes.emplace_back(1, c);
  return data;
}

std::optional<Data> mnist(const std::string& part) {
  const auto images = data_file("mnist/" + part + "-images-idx3-ubyte.gz");
  if (!images) return std::nullopt;
  const auto labels = data_file("mnist/" + part + "-labels-idx1-ubyte.gz");
  constexpr std::size_t pixels = 784, images_header = 16, labels_header = 8;
  const std::size_t rows = labels->size() - labels_header;
  if (images->size() != images_header + rows * pixels)
    throw Error("the MNIST files have an unexpected size");
  Data data{FloatMatrix(rows, pixels), {}, {}};
  for (std::size_t i = 0; i < rows * pixels; ++i)
    data.values.values[i] = static_cast<unsigned char>((*images)[images_header + i]);
  for (std::size_t i = 0; i < rows; ++i) data.labels.push_back((*labels)[labels_header + i]);
  for (int c = 0; c < 10; ++c) data.classes.push_back(std::to_string(c));
  return data;
}

}  // namespace semblance::oracle

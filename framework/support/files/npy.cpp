// SPDX-License-Identifier: MIT
#include "support/files/npy.hpp"

#include <charconv>
#include <cstring>
#include <limits>

#include "semblance/error.hpp"
#include "support/json_text.hpp"

namespace semblance::npy {
namespace {

constexpr std::string_view magic("\x93NUMPY\x01\x00", 8);

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw Error("'" + name + "' is not an array written by this program: " + one_line(why));
}

std::string_view between(std::string_view text, std::string_view before, std::string_view after,
                         const std::string& name) {
  const auto begin = text.find(before);
  if (begin == std::string_view::npos) refuse(name, "its header lacks " + std::string(before));
  const auto rest = text.substr(begin + before.size());
  const auto end = rest.find(after);
  if (end == std::string_view::npos) refuse(name, "its header is cut off");
  return rest.substr(0, end);
}

std::vector<std::size_t> parse_sizes(std::string_view list, const std::string& name) {
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < list.size();) {
    if (list[i] == ' ' || list[i] == ',') {
      ++i;
      continue;
    }
    std::size_t value = 0;
    const auto [end, problem] = std::from_chars(list.data() + i, list.data() + list.size(), value);
    if (problem != std::errc()) refuse(name, "its shape is not a list of sizes");
    sizes.push_back(value);
    i = static_cast<std::size_t>(end - list.data());
  }
  return sizes;
}

std::size_t element_size(std::string_view type, const std::string& name) {
  if (type == "<f4" || type == "<u4") return 4;
  if (type == "<f8" || type == "<i8") return 8;
  refuse(name, "its element type is " + std::string(type));
}

template <class T>
std::string vector_bytes(std::string_view type, std::span<const T> values) {
  const std::size_t shape[] = {values.size()};
  std::string bytes = header(type, shape);
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  return bytes;
}

template <class T>
std::vector<T> read_vector(std::string_view content, std::string_view type,
                           const std::string& name) {
  const Shape found = parse(content, name);
  if (found.type != type || found.shape.size() != 1)
    refuse(name, "expected a vector of type " + std::string(type));
  std::vector<T> values(found.shape[0]);
  if (!values.empty())
    std::memcpy(values.data(), content.data() + header_bytes, values.size() * sizeof(T));
  return values;
}

}  // namespace

std::string header(std::string_view type, std::span<const std::size_t> shape) {
  std::string text = "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (";
  for (const std::size_t n : shape) text += std::to_string(n) + ", ";
  if (shape.size() > 1)
    text.resize(text.size() - 2);
  else
    text.resize(text.size() - 1);
  text += "), }";
  std::string result(magic);
  result += static_cast<char>(header_bytes - 10);
  result += '\0';
  text.resize(header_bytes - 11, ' ');
  return result + text + "\n";
}

Shape parse(std::string_view content, const std::string& name) {
  if (content.size() < header_bytes || content.substr(0, magic.size()) != magic ||
      static_cast<unsigned char>(content[8]) != header_bytes - 10 || content[9] != '\0')
    refuse(name, "it does not start with the expected header");
  const auto text = content.substr(10, header_bytes - 10);
  Shape result;
  result.type = between(text, "'descr': '", "'", name);
  result.shape = parse_sizes(between(text, "'shape': (", ")", name), name);
  std::size_t bytes = element_size(result.type, name);
  for (const std::size_t n : result.shape) {
    if (n != 0 && bytes > std::numeric_limits<std::size_t>::max() / n)
      refuse(name, "its shape is too large");
    bytes *= n;
  }
  // The number of rows without values does not follow from the bytes.
  constexpr std::size_t most_of_nothing = std::numeric_limits<std::int32_t>::max();
  for (const std::size_t n : result.shape)
    if (bytes == 0 && n > most_of_nothing) refuse(name, "its shape is too large");
  if (content.size() - header_bytes != bytes)
    refuse(name, "it has " + std::to_string(content.size() - header_bytes) +
                     " bytes of data, but its header says " + std::to_string(bytes));
  return result;
}

std::string to_bytes(MatrixView values) {
  const std::size_t shape[] = {values.rows, values.cols};
  std::string bytes = header("<f4", shape);
  for (std::size_t i = 0; i < values.rows; ++i)
    bytes.append(reinterpret_cast<const char*>(values.row(i)), values.cols * sizeof(float));
  return bytes;
}

std::string to_bytes(std::span<const double> values) { return vector_bytes("<f8", values); }
std::string to_bytes(std::span<const std::int64_t> values) { return vector_bytes("<i8", values); }

FloatMatrix floats(std::string_view content, const std::string& name) {
  const Shape found = parse(content, name);
  if (found.type != "<f4" || found.shape.size() != 2) refuse(name, "expected a matrix of type <f4");
  FloatMatrix matrix(found.shape[0], found.shape[1]);
  if (!matrix.values.empty())
    std::memcpy(matrix.values.data(), content.data() + header_bytes, matrix.values.size() * 4);
  return matrix;
}

std::vector<double> doubles(std::string_view content, const std::string& name) {
  return read_vector<double>(content, "<f8", name);
}

std::vector<std::int64_t> integers(std::string_view content, const std::string& name) {
  return read_vector<std::int64_t>(content, "<i8", name);
}

}  // namespace semblance::npy

// SPDX-License-Identifier: MIT
#include "arrays/npy_file.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "semblance/error.hpp"

namespace semblance {
namespace {

constexpr std::size_t longest_header = std::size_t{1} << 20;
constexpr std::size_t values_a_step = std::size_t{1} << 18;

std::string place(const NpyHeader& header, std::size_t value) {
  return "row " + std::to_string(value / header.row_size()) + ", value " +
         std::to_string(value % header.row_size()) + " (both from 0)";
}

/// Converts one value; returns what is wrong with it, or null.
template <class To, class From>
const char* convert(From from, To& to) {
  if constexpr (std::is_same_v<To, float>) {
    to = static_cast<float>(from);
    if constexpr (std::is_floating_point_v<From>) {
      if (std::isnan(from)) return "is not a number";
      if (!std::isfinite(from)) return "is not finite";
      if (!std::isfinite(to)) return "is too large for float32";
    }
  } else if constexpr (std::is_same_v<To, double>) {
    to = static_cast<double>(from);
    if (std::isnan(to)) return "is not a number";
    if (!std::isfinite(to)) return "is not finite";
  } else if constexpr (std::is_floating_point_v<From>) {
    if (!(std::abs(from) < 9e15) || from != std::floor(from))
      return "is not an integer, as class labels must be";
    to = static_cast<To>(from);
  } else {
    if constexpr (std::is_same_v<From, std::uint64_t>)
      if (from > std::uint64_t{1} << 62) return "is too large";
    to = static_cast<To>(from);
  }
  return nullptr;
}

/// Values of a file from number `first` on.
struct Step {
  const std::vector<unsigned char>& bytes;
  std::uint64_t first;
  std::span<const std::size_t> sizes;  ///< values wanted of each row; empty: all
  const WantedRows* wanted;            ///< nullptr: all rows
  std::int64_t first_row;              ///< the number of the file's first row
};

template <class From, class To>
void convert_all(const Step& step, std::vector<To>& out, ColumnPrecision* precision,
                 const ByteReader& reader, const NpyHeader& header) {
  const std::size_t count = step.bytes.size() / sizeof(From), before = out.size();
  const std::size_t row_size = header.row_size();
  out.resize(before + count);
  std::size_t end = before;
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint64_t number = step.first + k;
    if (!step.sizes.empty() && number % row_size >= step.sizes[number / row_size]) continue;
    From value;
    std::memcpy(&value, step.bytes.data() + k * sizeof(From), sizeof(From));
    To& converted = out[end];
    if (const char* problem = convert(value, converted))
      throw DataError(reader.path(), place(header, number),
                      std::string("the value ") + problem + "; correct the array");
    if constexpr (std::is_same_v<To, float> && sizeof(From) >= 4 && !std::is_same_v<From, float>) {
      const std::size_t column = precision ? number % precision->columns() : 0;
      if (precision && precision->wants(column, converted))
        precision->note(column, converted, static_cast<long double>(value),
                        value == std::floor(value));
    }
    if (!step.wanted ||
        step.wanted->contains(step.first_row + static_cast<std::int64_t>(number / row_size)))
      ++end;
  }
  out.resize(end);
}

template <class To>
void convert_step(const Step& step, std::vector<To>& out, ColumnPrecision* precision,
                  const ByteReader& reader, const NpyHeader& header) {
  const auto as = [&]<class From>(From) {
    convert_all<From>(step, out, precision, reader, header);
  };
  const std::size_t size = header.bytes;
  if (header.kind == 'f') return size == 4 ? as(float{}) : as(double{});
  if (header.kind == 'i')
    return size == 1   ? as(std::int8_t{})
           : size == 2 ? as(std::int16_t{})
           : size == 4 ? as(std::int32_t{})
                       : as(std::int64_t{});
  return size == 1   ? as(std::uint8_t{})
         : size == 2 ? as(std::uint16_t{})
         : size == 4 ? as(std::uint32_t{})
                     : as(std::uint64_t{});
}

}  // namespace

NpyReader::NpyReader(const std::string& path) : reader_(path) {
  std::array<unsigned char, 8> start;
  if (reader_.read(start) != start.size() || std::memcmp(start.data(), "\x93NUMPY", 6) != 0)
    throw DataError(path, "byte 0",
                    "the magic number of .npy is missing; store the array with numpy.save");
  const unsigned version = start[6];
  if (version < 1 || version > 3)
    throw DataError(path, "byte 6",
                    "has format version " + std::to_string(version) +
                        ", but only versions 1 to 3 are supported; store it with numpy.save");
  std::array<unsigned char, 4> length = {};
  reader_.read_exactly(std::span(length).first(version == 1 ? 2 : 4), "the header");
  const std::size_t size = length[0] | std::size_t(length[1]) << 8 | std::size_t(length[2]) << 16 |
                           std::size_t(length[3]) << 24;
  if (size > longest_header)
    throw DataError(path, "byte 8",
                    "the header claims a length of " + std::to_string(size) +
                        " bytes; the file is damaged, store it again");
  std::string text(size, '\0');
  reader_.read_exactly({reinterpret_cast<unsigned char*>(text.data()), size}, "the header");
  std::string problem = parse_npy_header(text, header_);
  if (problem.empty()) {
    check_size();
    return;
  }
  if (problem.find(';') == problem.npos) problem += "; store the array again with numpy.save";
  throw DataError(path, "header", problem);
}

void NpyReader::check_size() const {
  const std::uint64_t claimed =
      std::uint64_t{header_.rows()} * header_.row_size() * header_.bytes + reader_.position();
  if (reader_.plain_size() && *reader_.plain_size() < claimed) cut_off(*reader_.plain_size());
}

void NpyReader::cut_off(std::uint64_t end) const {
  throw DataError(reader_.path(), "byte " + std::to_string(end),
                  "the file ends before the " + std::to_string(header_.rows()) +
                      " rows that its header claims; it is cut off, store it again");
}

template <class T>
void NpyReader::read_values(std::vector<T>& out, ColumnPrecision* precision,
                            std::span<const std::size_t> sizes, Context& context) {
  const std::uint64_t total = std::uint64_t{header_.rows()} * header_.row_size();
  std::vector<unsigned char> bytes;
  if (wanted_)
    out.reserve(out.size() + values_a_step +
                wanted_->count(first_, header_.rows()) * header_.row_size());
  for (std::uint64_t first = 0; first < total; first += values_a_step) {
    context.check_stop();
    const std::uint64_t wanted = std::min<std::uint64_t>(values_a_step, total - first);
    bytes.clear();
    if (append_bytes(reader_, wanted * header_.bytes, bytes) < wanted * header_.bytes)
      cut_off(reader_.position());
    convert_step({bytes, first, sizes, wanted_, first_}, out, precision, reader_, header_);
  }
  reader_.expect_end("the " + std::to_string(header_.rows()) + " rows of the header");
}

void NpyReader::read(std::vector<float>& out, ColumnPrecision& precision, Context& context) {
  read_values(out, header_.is_exact() ? nullptr : &precision, {}, context);
}
void NpyReader::read(std::vector<float>& out, ColumnPrecision& precision,
                     std::span<const std::size_t> sizes, Context& context) {
  read_values(out, header_.is_exact() ? nullptr : &precision, sizes, context);
}
void NpyReader::read(std::vector<std::int64_t>& out, Context& context) {
  read_values(out, nullptr, {}, context);
}
void NpyReader::read(std::vector<double>& out, Context& context) {
  read_values(out, nullptr, {}, context);
}
void NpyReader::read(std::vector<std::uint8_t>& out, Context& context) {
  read_values(out, nullptr, {}, context);
}

}  // namespace semblance

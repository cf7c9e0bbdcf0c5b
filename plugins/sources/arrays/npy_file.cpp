// SPDX-License-Identifier: MIT
#include "arrays/npy_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "semblance/error.hpp"
#include "text/alphabet.hpp"

namespace semblance::sources {
namespace {

constexpr std::size_t longest_header = std::size_t{1} << 20;
constexpr std::size_t values_a_step = std::size_t{1} << 18;

/// The place of a value.
struct Place {
  std::uint64_t row;
  std::uint64_t value;  ///< in the row
};

/// The place of value `number` of the file.
Place place_of(const NpyHeader& header, std::uint64_t number) {
  const std::uint64_t row_size = header.row_size();
  if (!header.by_columns) return {number / row_size, number % row_size};
  const std::uint64_t row = number % header.rows();
  number /= header.rows();
  // The first of the other dimensions changes fastest.
  std::uint64_t value = 0, stride = row_size;
  for (std::size_t d = 1; d < header.shape.size(); ++d) {
    stride /= header.shape[d];
    value += number % header.shape[d] * stride;
    number /= header.shape[d];
  }
  return {row, value};
}

/// The place of the next value in the file, `number`; rarely needs a division.
void advance(const NpyHeader& header, std::uint64_t row_size, std::uint64_t number, Place& place) {
  if (header.by_columns) {
    if (++place.row == header.rows()) place = place_of(header, number);
  } else if (++place.value == row_size) {
    place = {place.row + 1, 0};
  }
}

std::string text_of(const Place& place) {
  return "row " + std::to_string(place.row) + ", value " + std::to_string(place.value) +
         " (both from 0)";
}

/// Converts a float16 (IEEE 754 binary16) exactly to float32.
struct Half {
  std::uint16_t bits;
};

float widened(Half half) {
  const int sign = half.bits >> 15 ? -1 : 1, exponent = half.bits >> 10 & 31;
  const int fraction = half.bits & 1023;
  if (exponent == 31)
    return fraction ? std::numeric_limits<float>::quiet_NaN()
                    : float(sign) * std::numeric_limits<float>::infinity();
  return std::ldexp(float(sign * (exponent ? fraction + 1024 : fraction)),
                    (exponent ? exponent : 1) - 25);
}

template <class T>
T widened(T value) {
  return value;
}

/// Converts one value; returns the problem, or null.
template <class To, class From>
const char* convert(From from, To& to, bool keeps_missing) {
  if constexpr (std::is_same_v<To, float>) {
    to = static_cast<float>(from);
    if constexpr (std::is_floating_point_v<From>) {
      if (std::isnan(from)) return keeps_missing ? nullptr : "is not a number";
      if (!std::isfinite(from)) return "is not finite";
      if (!std::isfinite(to)) return "is too large for float32";
    }
  } else if constexpr (std::is_same_v<To, double>) {
    to = static_cast<double>(from);
    if (std::isnan(to)) return keeps_missing ? nullptr : "is not a number";
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
  std::vector<unsigned char>& bytes;
  std::uint64_t first;
  bool keeps_missing;
};

/// The destination of a file's values.
template <class To>
struct Target {
  const NpyHeader& header;
  const ByteReader& reader;
  std::span<const std::size_t> sizes;  ///< values wanted of each row; empty: all
  const WantedRows* wanted;            ///< nullptr: all rows
  std::int64_t first_row;              ///< the number of the file's first row
  ColumnPrecision* precision;          ///< nullptr: values are exact, or not watched
  SeriesPrecision* series;             ///< per row
  std::vector<To>& out;
  /// For column order only: the start of each row's values; no_row: not stored.
  std::vector<std::size_t> starts = {};
  ColumnPrecision of_rows =
      ColumnPrecision();  ///< the channels of each row, one row's after another's

  static constexpr std::size_t no_row = SIZE_MAX;

  bool wants(std::uint64_t row) const {
    return !wanted || wanted->contains(first_row + static_cast<std::int64_t>(row));
  }
  /// Allocates all rows, which arrive in pieces.
  void make_starts() {
    std::size_t end = out.size();
    for (std::size_t row = 0; row < header.rows(); ++row) {
      starts.push_back(wants(row) ? end : no_row);
      if (wants(row)) end += sizes.empty() ? header.row_size() : sizes[row];
    }
    out.resize(end);
    if (series) of_rows.resize(header.rows() * precision->columns());
  }

  void note(const Place& place, auto value) {
    const std::size_t channels = precision->columns(), channel = place.value % channels;
    precision->add(channel, value);
    if (!series) return;
    if (header.by_columns)
      of_rows.add(place.row * channels + channel, value);
    else
      series->channels(channels).add(channel, value);
  }

  /// Ends a row or, in column order, all rows.
  void end_series(std::uint64_t row) {
    const auto text = [&] { return "row " + std::to_string(row) + " (from 0)"; };
    const std::size_t channels = precision->columns();
    const std::string lost = header.by_columns
                                 ? series->judge(of_rows, row * channels, channels, text)
                                 : series->end_series(text);
    if (!lost.empty()) throw DataError(reader.path(), text(), lost);
  }
};

template <class From, class To>
void convert_all(const Step& step, Target<To>& target) {
  const NpyHeader& header = target.header;
  const std::size_t count = step.bytes.size() / sizeof(From), before = target.out.size();
  if (!header.by_columns) target.out.resize(before + count);
  const std::uint64_t row_size = header.row_size();
  std::size_t end = before;
  Place place = place_of(header, step.first);
  for (std::size_t k = 0; k < count; ++k, advance(header, row_size, step.first + k, place)) {
    if (target.series && !header.by_columns && place.value == 0 && place.row > 0)
      target.end_series(place.row - 1);
    if (!target.sizes.empty() && place.value >= target.sizes[place.row]) continue;
    unsigned char* const at = step.bytes.data() + k * sizeof(From);
    if (header.big_endian) std::reverse(at, at + sizeof(From));
    From stored;
    std::memcpy(&stored, at, sizeof(From));
    const auto value = widened(stored);
    To converted{};
    if (const char* problem = convert(value, converted, step.keeps_missing))
      throw DataError(target.reader.path(), text_of(place),
                      std::string("the value ") + problem + "; correct the array");
    if constexpr (std::is_same_v<To, float> && sizeof(From) >= 4 && !std::is_same_v<From, float>) {
      if (target.precision && converted == converted) target.note(place, value);
    }
    if (header.by_columns) {
      if (const std::size_t start = target.starts[place.row]; start != Target<To>::no_row)
        target.out[start + place.value] = converted;
    } else {
      target.out[end] = converted;
      if (target.wants(place.row)) ++end;
    }
  }
  if (!header.by_columns) target.out.resize(end);
}

template <class To>
void convert_step(const Step& step, Target<To>& target) {
  const auto as = [&]<class From>(From) { convert_all<From>(step, target); };
  const std::size_t size = target.header.bytes;
  if (target.header.kind == 'f')
    return size == 2 ? as(Half{}) : size == 4 ? as(float{}) : as(double{});
  if (target.header.kind == 'i')
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
void NpyReader::read(std::vector<T>& out, Context& context, const NpyWatch& watch) {
  if (header_.is_text())
    throw DataError(path(), "header",
                    "holds texts, but numbers are needed here; store an array of numbers");
  const std::uint64_t total = std::uint64_t{header_.rows()} * header_.row_size();
  std::vector<unsigned char> bytes;
  SeriesPrecision* const series = header_.is_exact() ? nullptr : watch.series;
  Target<T> target{header_, reader_, watch.sizes, wanted_, first_, watch.columns, series, out};
  if (header_.by_columns)
    target.make_starts();
  else if (wanted_)
    out.reserve(out.size() + values_a_step +
                wanted_->count(first_, header_.rows()) * header_.row_size());
  for (std::uint64_t first = 0; first < total; first += values_a_step) {
    context.check_stop();
    const std::uint64_t wanted = std::min<std::uint64_t>(values_a_step, total - first);
    bytes.clear();
    if (append_bytes(reader_, wanted * header_.bytes, bytes) < wanted * header_.bytes)
      cut_off(reader_.position());
    convert_step(Step{bytes, first, keeps_missing_}, target);
  }
  if (series)
    for (std::size_t row = header_.by_columns ? 0 : header_.rows() - 1; row < header_.rows(); ++row)
      target.end_series(row);
  reader_.expect_end("the " + std::to_string(header_.rows()) + " rows of the header");
}

void NpyReader::read(std::vector<std::string>& out, Context& context) {
  std::vector<unsigned char> bytes(header_.bytes);
  for (std::size_t row = 0; row < header_.rows(); ++row) {
    if (row % 4096 == 0) context.check_stop();
    if (reader_.read(bytes) < bytes.size()) cut_off(reader_.position());
    std::string text;
    for (std::size_t k = 0; header_.kind == 'U' && k < bytes.size(); k += 4) {
      std::array<unsigned char, 4> unit{bytes[k], bytes[k + 1], bytes[k + 2], bytes[k + 3]};
      if (header_.big_endian) std::reverse(unit.begin(), unit.end());
      const std::uint32_t symbol = unit[0] | std::uint32_t{unit[1]} << 8 |
                                   std::uint32_t{unit[2]} << 16 | std::uint32_t{unit[3]} << 24;
      if (symbol > 0x10ffff || (symbol >= 0xd800 && symbol < 0xe000))
        throw DataError(path(), "row " + std::to_string(row) + " (from 0)",
                        "the text is not Unicode; store the array again");
      text += utf8(static_cast<char32_t>(symbol));
    }
    if (header_.kind == 'S') text.assign(bytes.begin(), bytes.end());
    // Shorter texts are filled with zeros.
    out.push_back(text.substr(0, text.find_last_not_of('\0') + 1));
  }
  reader_.expect_end("the " + std::to_string(header_.rows()) + " rows of the header");
}

template void NpyReader::read(std::vector<float>&, Context&, const NpyWatch&);
template void NpyReader::read(std::vector<double>&, Context&, const NpyWatch&);
template void NpyReader::read(std::vector<std::int64_t>&, Context&, const NpyWatch&);
template void NpyReader::read(std::vector<std::uint8_t>&, Context&, const NpyWatch&);

}  // namespace semblance::sources

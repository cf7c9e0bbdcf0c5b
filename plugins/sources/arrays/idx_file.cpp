// SPDX-License-Identifier: MIT
#include "arrays/idx_file.hpp"

#include <algorithm>
#include <array>

#include "byte_reader.hpp"
#include "semblance/error.hpp"

namespace semblance::sources {
namespace {

constexpr std::size_t most_idx_values_a_row = std::size_t{1} << 26;

std::uint32_t big_endian(const unsigned char* bytes) {
  return std::uint32_t(bytes[0]) << 24 | std::uint32_t(bytes[1]) << 16 |
         std::uint32_t(bytes[2]) << 8 | bytes[3];
}

std::vector<std::size_t> read_shape(ByteReader& reader, std::size_t least, std::size_t most,
                                    const char* dimensions) {
  std::array<unsigned char, 4> magic;
  reader.read_exactly(magic, "the magic number");
  const std::uint32_t number = big_endian(magic.data());
  if (magic[0] != 0 || magic[1] != 0 || magic[3] == 0)
    throw DataError(reader.path(), "byte 0",
                    "the magic number is " + std::to_string(number) +
                        ", so this is not an idx file; check that it is the right file");
  if (magic[2] != 0x08)
    throw DataError(reader.path(), "byte 2",
                    "the values are not unsigned bytes (type " + std::to_string(magic[2]) +
                        " instead of 8); store them as bytes, or as .npy for source/npy");
  if (magic[3] < least || magic[3] > most)
    throw DataError(reader.path(), "byte 3",
                    "has " + std::to_string(magic[3]) + " dimensions, but " + dimensions +
                        "; check that images and labels are not swapped");
  std::vector<std::size_t> shape;
  std::size_t row = 1;
  for (std::size_t d = 0; d < magic[3]; ++d) {
    std::array<unsigned char, 4> extent;
    reader.read_exactly(extent, "the header");
    shape.push_back(big_endian(extent.data()));
    if (shape[d] == 0)
      throw DataError(
          reader.path(), "byte " + std::to_string(4 + 4 * d),
          "one of the dimensions is 0, so there are no values; download the file again");
    if (d > 0 && (row *= shape[d]) > most_idx_values_a_row)
      throw DataError(reader.path(), "byte " + std::to_string(4 + 4 * d),
                      "the header claims rows of more than 67,108,864 values; the file is damaged, "
                      "download it again");
  }
  return shape;
}

[[noreturn]] void cut_off(const std::string& file, const IdxFile& idx, std::uint64_t end,
                          std::uint64_t values) {
  throw DataError(file, "byte " + std::to_string(end),
                  "the file ends after " + std::to_string(values / idx.row_size()) + " of the " +
                      std::to_string(idx.shape[0]) +
                      " rows that its header claims; it is cut off, download it again");
}

/// Reads the header; an uncompressed file must be as large as it claims.
IdxFile read_header(ByteReader& reader, std::size_t least, std::size_t most,
                    const char* dimensions) {
  IdxFile idx{read_shape(reader, least, most, dimensions), {}};
  if (const auto size = reader.plain_size()) {
    const std::uint64_t values = *size - std::min(*size, reader.position());
    if (values < std::uint64_t{idx.shape[0]} * idx.row_size())
      cut_off(reader.path(), idx, *size, values);
  }
  return idx;
}

/// Appends the wanted ones of all rows; returns the number of bytes that were read.
std::uint64_t append_wanted(ByteReader& reader, IdxFile& idx, const WantedRows& wanted,
                            std::int64_t first) {
  constexpr std::size_t at_once = std::size_t{1} << 20;
  const std::size_t size = idx.row_size(), rows = idx.shape[0];
  idx.values.reserve(wanted.count(first, rows) * size);
  std::vector<unsigned char> bytes(std::max<std::size_t>(1, at_once / size) * size);
  std::uint64_t total = 0;
  for (std::size_t row = 0; row < rows;) {
    const std::size_t wished = std::min(bytes.size(), (rows - row) * size);
    const std::size_t got = reader.read(std::span(bytes).first(wished));
    total += got;
    if (got < wished) break;
    for (std::size_t at = 0; at < got; at += size, ++row)
      if (wanted.contains(first + static_cast<std::int64_t>(row)))
        idx.values.insert(idx.values.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at),
                          bytes.begin() + static_cast<std::ptrdiff_t>(at + size));
  }
  return total;
}

}  // namespace

std::size_t IdxFile::row_size() const {
  std::size_t size = 1;
  for (std::size_t d = 1; d < shape.size(); ++d) size *= shape[d];
  return size;
}

IdxFile read_idx_header(const std::string& file, std::size_t least, std::size_t most,
                        const char* dimensions) {
  ByteReader reader(file);
  return read_header(reader, least, most, dimensions);
}

IdxFile read_idx(const std::string& file, std::size_t least, std::size_t most,
                 const char* dimensions, const WantedRows& wanted, std::int64_t first) {
  ByteReader reader(file);
  IdxFile idx = read_header(reader, least, most, dimensions);
  const std::uint64_t expected = std::uint64_t{idx.shape[0]} * idx.row_size();
  const std::uint64_t got = wanted.all() ? append_bytes(reader, expected, idx.values)
                                         : append_wanted(reader, idx, wanted, first);
  if (got < expected) cut_off(file, idx, reader.position(), got);
  reader.expect_end(std::to_string(idx.shape[0]) + " rows");
  return idx;
}

}  // namespace semblance::sources

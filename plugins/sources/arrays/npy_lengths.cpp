// SPDX-License-Identifier: MIT
#include "arrays/npy_lengths.hpp"

#include "semblance/error.hpp"

namespace semblance::sources {
namespace {

void check_lengths_header(const NpyReader& lengths, const NpyReader& array) {
  const NpyHeader& header = lengths.header();
  if (header.row_size() != 1)
    throw DataError(lengths.path(), "header",
                    "lengths must be one number per row, not " + std::to_string(header.row_size()) +
                        "; store a one-dimensional array");
  if (header.kind != 'i' && header.kind != 'u')
    throw DataError(lengths.path(), "header",
                    "lengths must be integers, not " + header.type() +
                        "; store them with lengths.astype('int64')");
  if (header.rows() != array.header().rows())
    throw DataError(lengths.path(), "header",
                    "holds " + std::to_string(header.rows()) + " lengths, but " + array.path() +
                        " holds " + std::to_string(array.header().rows()) +
                        " rows; use files that belong together");
}

}  // namespace

std::size_t channels_of(const NpyReader& array) {
  const auto& shape = array.header().shape;
  if (shape.size() == 2) return 1;
  if (shape.size() == 3) return shape[2];
  throw DataError(array.path(), "header",
                  "an array of " + std::to_string(shape.size()) +
                      " dimensions cannot be read as 'sequence'; one has 3 (rows, steps, "
                      "channels), or 2 with one channel");
}

std::vector<std::size_t> read_lengths(const std::string& file, const NpyReader& array,
                                      Context& context) {
  const std::size_t rows = array.header().rows(), most = array.header().shape[1];
  if (file.empty()) return std::vector<std::size_t>(rows, most);
  NpyReader reader(file);
  check_lengths_header(reader, array);
  std::vector<std::int64_t> numbers;
  reader.read(numbers, context);
  std::vector<std::size_t> lengths;
  lengths.reserve(rows);
  for (const std::int64_t number : numbers) {
    if (number < 1 || static_cast<std::uint64_t>(number) > most)
      throw DataError(file, "row " + std::to_string(lengths.size()) + " (from 0)",
                      "the length is " + std::to_string(number) + ", but the rows of " +
                          array.path() + " have 1 to " + std::to_string(most) +
                          " steps; correct it");
    lengths.push_back(static_cast<std::size_t>(number));
  }
  return lengths;
}

}  // namespace semblance::sources

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <vector>

#include "arrays/npy_file.hpp"
#include "arrays/npy_source.hpp"
#include "rows/memory_limit.hpp"
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

/// The channels of an array of sequences: its third axis, or 1. Throws DataError if it is not such
/// an array.
std::size_t channels_of(const NpyReader& array) {
  const auto& shape = array.header().shape;
  if (shape.size() == 2) return 1;
  if (shape.size() == 3) return shape[2];
  throw DataError(array.path(), "header",
                  "an array of " + std::to_string(shape.size()) +
                      " dimensions cannot be read as 'sequence'; one has 3 (rows, steps, "
                      "channels), or 2 with one channel");
}

/// The number of steps of each row of an array of sequences: as in `file`, or the array's second
/// axis if `file` is empty. Throws DataError if they do not match.
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

/// Checks memory before rows claimed by headers are allocated: for their lengths and, if these are
/// not in a file, for all values.
void check_sequences_fit(const NpyReader& train, const std::string& lengths, const NpyReader* test,
                         const std::string& test_lengths, const Context& context) {
  const auto bytes = [](const NpyReader& array, const std::string& file) {
    const NpyHeader& header = array.header();
    const double values = file.empty() ? double(header.row_size()) : 0;
    const std::size_t channels = header.by_columns && !header.is_exact() ? channels_of(array) : 0;
    return double(header.rows()) * (sizeof(std::size_t) + values * sizeof(float) +
                                    ColumnPrecision::bytes(channels, header.shape[1]));
  };
  const std::size_t rows = train.header().rows() + (test ? test->header().rows() : 0);
  check_fits(bytes(train, lengths) + (test ? bytes(*test, test_lengths) : 0) +
                 ColumnPrecision::bytes(channels_of(train), rows),
             std::to_string(rows) + " sequences", train.path(), "", context);
}

}  // namespace

Npy::Sequences Npy::sequences(const NpyReader& train, const NpyReader* test,
                              Context& context) const {
  const std::size_t channels = channels_of(train);
  if (test && channels_of(*test) != channels)
    throw DataError(test_file(), "header",
                    "holds sequences of " + std::to_string(channels_of(*test)) +
                        " channels, but the training file's have " + std::to_string(channels) +
                        "; use arrays of the same data set");
  if (model() && channels != model()->layout.depth)
    throw DataError(train_file(), "header",
                    "holds sequences of " + std::to_string(channels) +
                        " channels, but the model was trained on " +
                        std::to_string(model()->layout.depth) +
                        "; give sequences with the same channels");
  check_sequences_fit(train, length_file(), test, test_length_file(), context);
  Sequences all{{}, read_lengths(length_file(), train, context), train.header().rows(), 0};
  if (test) {
    const auto more = read_lengths(test_length_file(), *test, context);
    all.lengths.insert(all.lengths.end(), more.begin(), more.end());
  }
  const auto longest = std::max_element(all.lengths.begin(), all.lengths.end());
  const auto most = static_cast<std::size_t>(longest_);
  if (most > 0 && *longest > most) {
    const auto row = static_cast<std::size_t>(longest - all.lengths.begin());
    throw DataError(row < all.first ? train_file() : test_file(),
                    "row " + std::to_string(row < all.first ? row : row - all.first) + " (from 0)",
                    "the sequence has " + std::to_string(*longest) + " steps, more than " +
                        "'longest: " + std::to_string(most) +
                        "' allows; raise it or cut the sequence");
  }
  all.layout = model() ? model()->layout : Layout::sequence(most ? most : *longest, channels);
  for (std::size_t& steps : all.lengths) all.values += steps * channels;
  check_fits(double(all.values) * sizeof(float), std::to_string(all.lengths.size()) + " sequences",
             train_file(), "", context);
  return all;
}

std::unique_ptr<Dataset> Npy::open_sequences(NpyReader& train, NpyReader* test,
                                             Context& context) const {
  Sequences all = sequences(train, test, context);
  RaggedRows<float> rows;
  rows.values.reserve(all.values);
  for (std::size_t& steps : all.lengths) {
    steps *= all.layout.depth;
    rows.offsets.push_back(rows.offsets.back() + steps);
  }
  const std::span<const std::size_t> sizes = all.lengths;
  ColumnPrecision precision(all.layout.depth);
  SeriesPrecision series;
  train.read(rows.values, context, {&precision, &series, sizes.first(all.first)});
  if (test) test->read(rows.values, context, {&precision, &series, sizes.subspan(all.first)});
  series.report(train_file(), context);
  const auto channel = [](std::size_t k) { return "channel " + std::to_string(k) + " (from 0)"; };
  if (!model()) precision.check(train_file(), channel, context);
  const std::size_t second = rows.rows() - all.first;
  RowFacts facts = read_facts(all.first, second, context);
  return finish(all.layout, std::move(facts), ragged(std::move(rows)), all.first, context);
}

}  // namespace semblance::sources

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/pairs.hpp"
#include "semblance/parameters.hpp"
#include "semblance/samples.hpp"
#include "semblance/state.hpp"
#include "training/pair_shares.hpp"

namespace semblance::pairs {

/// Throws Error naming the first pair with a row that is not in [0, rows).
void check_rows(const PairSet& pairs, std::size_t rows);

/// Throws Error if writing out `count` pairs is beyond the memory budget.
void check_room(std::size_t count, const Context& context);

/// A size for messages, rounded up.
std::string mebibytes(std::size_t bytes);

/// Throws Error unless rows have the model's number of values, the pairs are of these rows, and
/// there is room for a score of each.
void check_scored(const Rows& rows, const PairSet& pairs, std::span<const float> out,
                  std::size_t values);

/// Throws Error unless there are training pairs of rows in range, all with a label, some positive
/// and some negative.
void check_training_pairs(const PairSet& pairs, std::size_t rows);

/// The set J of section 3.3: every unordered pair once, the smaller row first, by rows. A pair
/// listed several times, in either order, counts once. Throws Error if its labels differ.
std::vector<Pair> unordered(const PairSet& pairs);

/// The same in place, for pairs in any order. Returns the first pair with differing labels.
std::optional<Pair> make_unordered(std::vector<Pair>& pairs);

/// Throws the Error about such a pair.
[[noreturn]] void refuse_both_labels(const Pair& pair);

/// The rows that occur, ascending; none may be negative.
std::vector<std::int32_t> used_rows(const PairSet& pairs);

/// For pairs that use few of many rows, the chosen rows, contiguous, in their order.
FloatMatrix gather(const Rows& rows, std::span<const std::int32_t> chosen);

/// The same for rows spread over several ranks; every rank gets the result. Collective.
FloatMatrix gather(const Rows& rows, std::span<const std::int32_t> chosen, Context& context);

/// The place of each of `rows` rows among the chosen ones, or -1.
std::vector<std::int32_t> places(std::span<const std::int32_t> chosen, std::size_t rows);

/// The same pairs with places among the chosen rows.
PairSet moved(const PairSet& pairs, std::span<const std::int32_t> places);

/// Unordered pairs (i, j), i <= j, of the examples 0, ..., n - 1, row after row: a compressed
/// sparse matrix, or all of the upper triangle, which is not written out.
class PairTable {
 public:
  PairTable() = default;
  /// All pairs, with the diagonal if `reflexive`.
  PairTable(std::size_t examples, bool reflexive);
  /// `starts` has one entry per example and the end; `others` has the j of each pair, ascending in
  /// a row.
  PairTable(std::vector<std::size_t> starts, std::vector<std::uint32_t> others);

  std::size_t examples() const noexcept { return examples_; }
  std::size_t size() const noexcept { return start(examples_); }
  bool all() const noexcept { return all_; }

  /// The number of the first pair of row i.
  std::size_t start(std::size_t i) const noexcept {
    if (!all_) return starts_[i];
    return i * (examples_ - skipped_) - (i == 0 ? 0 : i * (i - 1) / 2);
  }
  /// The other example of pair p in row i.
  std::size_t other(std::size_t i, std::size_t p) const noexcept {
    return all_ ? i + skipped_ + (p - start(i)) : others_[p];
  }

 private:
  std::size_t examples_ = 0;
  bool all_ = false;
  std::size_t skipped_ = 0;
  std::vector<std::size_t> starts_ = {0};
  std::vector<std::uint32_t> others_;
};

/// Pairs with labels: for a list one label per pair, for all pairs the examples' classes. For a
/// list each rank has only the pairs in its own blocks' rows; other rows are empty.
struct LabelledPairs {
  PairTable table;
  std::vector<signed char> labels;
  std::vector<std::int32_t> classes;
  std::size_t total = 0;  ///< of all ranks

  /// +1 or -1
  double label(std::size_t i, std::size_t j, std::size_t p) const noexcept {
    if (!table.all()) return labels[p];
    return classes[i] == classes[j] ? 1 : -1;
  }
};

/// The factors of the losses of pairs: the parameter `class_weights` of a pair solver, {same: 2,
/// different: 1}; 1 by default.
struct PairWeights {
  double same = 1;
  double different = 1;

  PairWeights() = default;
  /// Throws Error if another name is given, or a weight that is not a number above 0.
  explicit PairWeights(const NamedValues& given);

  bool equal() const noexcept { return same == different; }
  double of(std::int32_t label) const noexcept { return label > 0 ? same : different; }
};

/// The number of training pairs of each block of examples, with duplicates. Examples are the rows
/// with a place.
std::vector<std::size_t> pairs_by_block(const PairSet& pairs, std::span<const std::int32_t> places,
                                        std::size_t examples);

/// The training pairs of examples; see unordered(). Collective.
LabelledPairs labelled_pairs(const PairSet& pairs, std::span<const std::int32_t> places,
                             const PairShares& shares, Context& context);

}  // namespace semblance::pairs

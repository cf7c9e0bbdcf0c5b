// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "rows/row_facts.hpp"
#include "semblance/context.hpp"
#include "semblance_tables/column_roles.hpp"

namespace semblance::sources {

/// The samples of one side of pairs, as a table of pairs may name them.
class SideSamples {
 public:
  /// How a table names a sample.
  enum class Naming { by_name, from_0, from_1 };

  /// `side` is "first" or "second". Throws Error if two samples have the same name, or one has
  /// none.
  SideSamples(const Dataset& samples, const std::string& side, Naming naming);

  /// The position of the sample; throws Error saying that there is no such sample.
  std::uint32_t find(std::string_view id) const;
  /// The sample's name, or its number.
  const std::string& name(std::uint32_t sample) const { return names_[sample]; }
  std::size_t count() const noexcept { return names_.size(); }

 private:
  std::string side_;
  Naming naming_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::uint32_t> positions_;
};

/// What the columns of a table of pairs are, by name or number.
struct PairFormat : TableFormat {
  std::array<std::string, 2> ids;
  std::vector<std::string> named = {};  ///< names of the targets; empty: those of the columns
  FactRules facts = {};
  bool keeps_repeats = false;  ///< all pairs are to be predicted
};

/// Pairs in the order of reading; their numbers are those of the rows in the files, from 0.
struct PairTable : RowFacts {
  std::vector<std::array<std::uint32_t, 2>> pairs;  ///< positions of the two samples
  std::vector<std::size_t> lines;
  std::int64_t read = 0;       ///< rows of the files so far
  std::size_t repeated = 0;    ///< rows omitted because they repeat a pair with its label
  std::size_t unlabelled = 0;  ///< rows omitted because their label is missing
};

/// Appends a file's pairs. A pair that was read before is omitted if its label is the same, and
/// else an error; to be predicted, it is read again. Throws DataError naming line, column and
/// problem.
void read_pairs(const std::string& file, const PairFormat& format,
                const std::array<const SideSamples*, 2>& sides, PairTable& table, Context& context);

}  // namespace semblance::sources

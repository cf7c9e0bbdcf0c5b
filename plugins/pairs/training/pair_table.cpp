// SPDX-License-Identifier: MIT
#include "training/pair_table.hpp"

#include <cmath>
#include <numeric>
#include <tuple>

#include "semblance/error.hpp"
#include "training/training_pairs.hpp"

namespace semblance::pairs {
namespace {

/// Whether these are all pairs of all examples, without repeated rows.
bool are_all(const PairSet& pairs, std::size_t examples) {
  return !pairs.is_list() && pairs.rows().size() == examples;
}

std::size_t place(std::span<const std::int32_t> places, std::int32_t row) {
  return static_cast<std::size_t>(places[static_cast<std::size_t>(row)]);
}

/// The example whose table row contains a pair: places are in the order of the rows.
std::size_t table_row(std::span<const std::int32_t> places, const Pair& pair) {
  return place(places, std::min(pair.first, pair.second));
}

/// Throws Error on all ranks if a pair has both labels, for the first such pair.
void check_labels(const std::optional<Pair>& both, const PairShares& shares, Context& context) {
  std::vector<Pair> found;
  if (both) found.push_back(*both);
  if (shares.ranks() > 1) found = context.collectives().gather(found);
  const auto first = std::ranges::min_element(
      found, {}, [](const Pair& pair) { return std::tie(pair.first, pair.second); });
  if (first != found.end()) refuse_both_labels(*first);
}

LabelledPairs own_list(const PairSet& pairs, std::span<const std::int32_t> places,
                       const PairShares& shares, Context& context) {
  const auto own = [&](const Pair& pair) {
    return shares.has(table_row(places, pair) / PairShares::block_size);
  };
  std::size_t count = 0;
  pairs.visit([&](const Pair& pair) { count += own(pair); });
  std::vector<Pair> list;
  list.reserve(count);
  pairs.visit([&](const Pair& pair) {
    if (own(pair)) list.push_back(pair);
  });
  check_labels(make_unordered(list), shares, context);
  LabelledPairs made;
  std::vector<std::size_t> starts(shares.examples() + 1);
  std::vector<std::uint32_t> others;
  others.reserve(list.size());
  made.labels.reserve(list.size());
  for (const Pair& pair : list) {
    ++starts[place(places, pair.first) + 1];
    others.push_back(static_cast<std::uint32_t>(place(places, pair.second)));
    made.labels.push_back(static_cast<signed char>(pair.label));
  }
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  made.table = PairTable(std::move(starts), std::move(others));
  made.total = list.size();
  if (shares.ranks() > 1) {
    const auto totals = context.collectives().gather(std::vector<std::size_t>{list.size()});
    made.total = std::accumulate(totals.begin(), totals.end(), std::size_t{0});
  }
  return made;
}

}  // namespace

PairTable::PairTable(std::size_t examples, bool reflexive)
    : examples_(examples), all_(true), skipped_(reflexive ? 0 : 1) {}

PairTable::PairTable(std::vector<std::size_t> starts, std::vector<std::uint32_t> others)
    : examples_(starts.size() - 1), starts_(std::move(starts)), others_(std::move(others)) {}

PairWeights::PairWeights(const NamedValues& given) {
  for (const auto& [name, value] : given) {
    if (name != "same" && name != "different")
      throw Error("'class_weights' of a solver of pairs names '" + name +
                  "'; it may name same and different");
    double weight = 0;
    if (const auto* whole = std::get_if<std::int64_t>(&value)) weight = static_cast<double>(*whole);
    if (const auto* number = std::get_if<double>(&value)) weight = *number;
    if (!(weight > 0) || !std::isfinite(weight))
      throw Error("'class_weights." + name + "' must be a number above 0, got " +
                  to_text(Value(NamedValues{{name, value}})));
    (name == "same" ? same : different) = weight;
  }
}

std::vector<std::size_t> pairs_by_block(const PairSet& pairs, std::span<const std::int32_t> places,
                                        std::size_t examples) {
  std::vector<std::size_t> counts(PairShares::block_count(examples));
  if (are_all(pairs, examples)) {
    const PairTable table(examples, pairs.reflexive());
    for (std::size_t b = 0; b < counts.size(); ++b)
      counts[b] = table.start(std::min(examples, (b + 1) * PairShares::block_size)) -
                  table.start(b * PairShares::block_size);
    return counts;
  }
  pairs.visit(
      [&](const Pair& pair) { ++counts[table_row(places, pair) / PairShares::block_size]; });
  return counts;
}

LabelledPairs labelled_pairs(const PairSet& pairs, std::span<const std::int32_t> places,
                             const PairShares& shares, Context& context) {
  if (!are_all(pairs, shares.examples())) return own_list(pairs, places, shares, context);
  const std::size_t examples = shares.examples();
  LabelledPairs made;
  made.table = PairTable(examples, pairs.reflexive());
  made.classes.resize(examples);
  for (std::size_t i = 0; i < examples; ++i)
    made.classes[place(places, pairs.rows()[i])] = pairs.classes()[i];
  made.total = made.table.size();
  return made;
}

}  // namespace semblance::pairs

// SPDX-License-Identifier: MIT
#include "training/training_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

#include "semblance/collectives.hpp"
#include "semblance/error.hpp"

namespace semblance::pairs {
namespace {

std::string place(std::size_t p, const Pair& pair) {
  return "pair " + std::to_string(p) + " (counted from 0), of rows " + std::to_string(pair.first) +
         " and " + std::to_string(pair.second);
}

bool inside(std::int32_t row, std::size_t rows) {
  return row >= 0 && static_cast<std::size_t>(row) < rows;
}

/// The numbers of positive and negative pairs.
struct Counts {
  std::size_t positive = 0;
  std::size_t negative = 0;
};

Counts count(const PairSet& pairs) {
  Counts counts;
  if (pairs.is_list()) {
    for (std::size_t p = 0; p < pairs.list().size(); ++p) {
      const Pair& pair = pairs.list()[p];
      if (pair.label != 1 && pair.label != -1)
        throw Error("training " + place(p, pair) + ", has the label " + std::to_string(pair.label) +
                    "; a pair to learn from must have +1 (same class) or -1");
      ++(pair.label > 0 ? counts.positive : counts.negative);
    }
    return counts;
  }
  std::vector<std::int32_t> sorted(pairs.classes().begin(), pairs.classes().end());
  for (std::size_t i = 0; i < sorted.size(); ++i)
    if (sorted[i] < 0)
      throw Error("row " + std::to_string(pairs.rows()[i]) +
                  " has no class, so its training pairs have no label; give all rows a class or "
                  "list the pairs");
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0, end = 0; i < sorted.size(); i = end) {
    while (end < sorted.size() && sorted[end] == sorted[i]) ++end;
    const std::size_t same = end - i;
    counts.positive += pairs.reflexive() ? same * (same + 1) / 2 : same * (same - 1) / 2;
  }
  counts.negative = pairs.size() - counts.positive;
  return counts;
}

}  // namespace

void check_rows(const PairSet& pairs, std::size_t rows) {
  for (std::size_t p = 0; p < pairs.list().size(); ++p)
    if (const Pair& pair = pairs.list()[p]; !inside(pair.first, rows) || !inside(pair.second, rows))
      throw Error(place(p, pair) + ", is out of range: there are " + std::to_string(rows) +
                  " rows, numbered from 0");
  for (const std::int32_t row : pairs.rows())
    if (!inside(row, rows))
      throw Error("a set of pairs names row " + std::to_string(row) + ", but there are " +
                  std::to_string(rows) + " rows, numbered from 0");
}

void check_room(std::size_t count, const Context& context) {
  const std::size_t bytes = count * sizeof(Pair);
  if (bytes <= context.memory_budget()) return;
  throw MemoryError(
      "a list of " + std::to_string(count) + " pairs takes " + std::to_string(bytes >> 20) +
      " MiB, " + std::to_string(context.memory_budget() >> 20) +
      " MiB of the memory budget are left; use fewer rows, pairs/sampled, or more --memory");
}

std::string mebibytes(std::size_t bytes) { return std::to_string((bytes >> 20) + 1) + " MiB"; }

void check_scored(const Rows& rows, const PairSet& pairs, std::span<const float> out,
                  std::size_t values) {
  if (rows.cols() != values)
    throw Error("rows of " + std::to_string(rows.cols()) + " values do not match a model for " +
                std::to_string(values));
  if (out.size() != pairs.size())
    throw Error(std::to_string(out.size()) + " scores were requested for " +
                std::to_string(pairs.size()) + " pairs");
  check_rows(pairs, rows.rows());
}

void check_training_pairs(const PairSet& pairs, std::size_t rows) {
  if (pairs.size() == 0) throw Error("there are no training pairs");
  check_rows(pairs, rows);
  const Counts counts = count(pairs);
  if (counts.positive == 0 || counts.negative == 0)
    throw Error("all " + std::to_string(pairs.size()) + " training pairs are " +
                (counts.positive == 0 ? "negative" : "positive") +
                "; a classifier needs pairs of the same class and of different classes");
}

std::optional<Pair> make_unordered(std::vector<Pair>& all) {
  for (Pair& pair : all)
    if (pair.first > pair.second) std::swap(pair.first, pair.second);
  const auto rows = [](const Pair& pair) { return std::tie(pair.first, pair.second); };
  std::sort(all.begin(), all.end(), [&](const Pair& a, const Pair& b) {
    return std::tie(a.first, a.second, a.label) < std::tie(b.first, b.second, b.label);
  });
  all.erase(std::unique(all.begin(), all.end()), all.end());
  const auto same = std::adjacent_find(
      all.begin(), all.end(), [&](const Pair& a, const Pair& b) { return rows(a) == rows(b); });
  return same == all.end() ? std::nullopt : std::optional(*same);
}

void refuse_both_labels(const Pair& pair) {
  throw Error("the training pair of rows " + std::to_string(pair.first) + " and " +
              std::to_string(pair.second) +
              " is listed with both labels, +1 and -1; give it one of them");
}

std::vector<Pair> unordered(const PairSet& pairs) {
  std::vector<Pair> all = pairs.expanded();
  if (const auto both = make_unordered(all)) refuse_both_labels(*both);
  return all;
}

std::vector<std::int32_t> used_rows(const PairSet& pairs) {
  // Marked and not sorted: pairs may be millions.
  std::vector<char> marks;
  const auto mark = [&](std::int32_t row) {
    const auto at = static_cast<std::size_t>(row);
    if (at >= marks.size()) marks.resize(std::max(at + 1, 2 * marks.size()));
    marks[at] = 1;
  };
  for (const std::int32_t row : pairs.rows()) mark(row);
  for (const Pair& pair : pairs.list()) mark(pair.first), mark(pair.second);
  std::vector<std::int32_t> used;
  for (std::size_t row = 0; row < marks.size(); ++row)
    if (marks[row] != 0) used.push_back(static_cast<std::int32_t>(row));
  return used;
}

FloatMatrix gather(const Rows& rows, std::span<const std::int32_t> chosen) {
  FloatMatrix values(chosen.size(), rows.cols());
  for (std::size_t i = 0; i < chosen.size(); ++i)
    std::copy_n(rows.view(static_cast<std::size_t>(chosen[i]), 1).row(0), rows.cols(),
                values.view().row(i));
  return values;
}

FloatMatrix gather(const Rows& rows, std::span<const std::int32_t> chosen, Context& context) {
  if (context.collectives().ranks() == 1) return gather(rows, chosen);
  // Some at a time: sending needs several times the memory.
  constexpr std::size_t most_values = std::size_t{1} << 20;
  const std::size_t at_once =
      std::max<std::size_t>(1, most_values / std::max<std::size_t>(1, rows.cols()));
  FloatMatrix values(chosen.size(), rows.cols());
  for (std::size_t from = 0; from < chosen.size(); from += at_once) {
    const auto some = chosen.subspan(from, std::min(at_once, chosen.size() - from));
    const std::vector<std::int64_t> positions(some.begin(), some.end());
    const FloatMatrix come = gather_rows(rows, positions, context);
    std::ranges::copy(come.values, values.view().row(from));
  }
  return values;
}

std::vector<std::int32_t> places(std::span<const std::int32_t> chosen, std::size_t rows) {
  std::vector<std::int32_t> places(rows, -1);
  for (std::size_t i = 0; i < chosen.size(); ++i)
    places[static_cast<std::size_t>(chosen[i])] = static_cast<std::int32_t>(i);
  return places;
}

PairSet moved(const PairSet& pairs, std::span<const std::int32_t> places) {
  const auto place = [&](std::int32_t row) { return places[static_cast<std::size_t>(row)]; };
  if (pairs.is_list()) {
    std::vector<Pair> list(pairs.list().begin(), pairs.list().end());
    for (Pair& pair : list) pair = {place(pair.first), place(pair.second), pair.label};
    return PairSet::listed(std::move(list));
  }
  std::vector<std::int32_t> rows;
  for (const std::int32_t row : pairs.rows()) rows.push_back(place(row));
  return PairSet::all_of(std::move(rows), {pairs.classes().begin(), pairs.classes().end()},
                         pairs.reflexive());
}

namespace {

/// Whether these are all pairs of all examples, without repeated rows.
bool are_all(const PairSet& pairs, std::size_t examples) {
  return !pairs.is_list() && pairs.rows().size() == examples;
}

std::size_t place_of(std::span<const std::int32_t> places, std::int32_t row) {
  return static_cast<std::size_t>(places[static_cast<std::size_t>(row)]);
}

/// The example whose table row contains a pair: places are in the order of the rows.
std::size_t table_row(std::span<const std::int32_t> places, const Pair& pair) {
  return place_of(places, std::min(pair.first, pair.second));
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
    ++starts[place_of(places, pair.first) + 1];
    others.push_back(static_cast<std::uint32_t>(place_of(places, pair.second)));
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
    made.classes[place_of(places, pairs.rows()[i])] = pairs.classes()[i];
  made.total = made.table.size();
  return made;
}

}  // namespace semblance::pairs

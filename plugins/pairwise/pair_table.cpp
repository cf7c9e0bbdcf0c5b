// SPDX-License-Identifier: MIT
#include "pair_table.hpp"

#include <numeric>

#include "training_pairs.hpp"

namespace semblance::pairwise {

PairTable::PairTable(std::size_t examples, bool reflexive)
    : examples_(examples), all_(true), skipped_(reflexive ? 0 : 1) {}

PairTable::PairTable(std::vector<std::size_t> starts, std::vector<std::uint32_t> others)
    : examples_(starts.size() - 1), starts_(std::move(starts)), others_(std::move(others)) {}

LabelledPairs labelled_pairs(const PairSet& pairs, std::span<const std::int32_t> places,
                             std::size_t examples) {
  const auto place = [&](std::int32_t row) {
    return static_cast<std::size_t>(places[static_cast<std::size_t>(row)]);
  };
  LabelledPairs made;
  if (!pairs.is_list() && pairs.rows().size() == examples) {  // no row twice
    made.table = PairTable(examples, pairs.reflexive());
    made.classes.resize(examples);
    for (std::size_t i = 0; i < examples; ++i)
      made.classes[place(pairs.rows()[i])] = pairs.classes()[i];
    return made;
  }
  const std::vector<Pair> list = unordered(pairs);
  std::vector<std::size_t> starts(examples + 1);
  std::vector<std::uint32_t> others;
  for (const Pair& pair : list) {
    ++starts[place(pair.first) + 1];
    others.push_back(static_cast<std::uint32_t>(place(pair.second)));
    made.labels.push_back(static_cast<signed char>(pair.label));
  }
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  made.table = PairTable(std::move(starts), std::move(others));
  return made;
}

}  // namespace semblance::pairwise

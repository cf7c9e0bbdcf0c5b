// SPDX-License-Identifier: MIT
#include "training/gathered_rows.hpp"

#include <algorithm>
#include <utility>

#include "semblance/collectives.hpp"

namespace semblance::pairs {

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

}  // namespace semblance::pairs

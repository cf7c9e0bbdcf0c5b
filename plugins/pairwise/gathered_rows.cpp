// SPDX-License-Identifier: MIT
#include "gathered_rows.hpp"

#include <algorithm>
#include <utility>

namespace semblance::pairwise {

FloatMatrix gather(const Rows& rows, std::span<const std::int32_t> chosen) {
  FloatMatrix values(chosen.size(), rows.cols());
  for (std::size_t i = 0; i < chosen.size(); ++i)
    std::copy_n(rows.view(static_cast<std::size_t>(chosen[i]), 1).row(0), rows.cols(),
                values.view().row(i));
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

}  // namespace semblance::pairwise

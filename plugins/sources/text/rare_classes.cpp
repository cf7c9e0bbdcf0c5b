// SPDX-License-Identifier: MIT
#include "text/rare_classes.hpp"

#include <algorithm>
#include <utility>

namespace semblance::sources {

KeptRows leave_out_rare_classes(std::size_t smallest, std::size_t first, StringRows& rows) {
  std::vector<std::size_t> members(rows.classes.names().size(), 0);
  for (std::size_t i = 0; i < first; ++i)
    if (rows.labels[i] >= 0) ++members[static_cast<std::size_t>(rows.labels[i])];
  KeptRows kept{first, {}, 0};
  kept.classes_left_out = static_cast<std::size_t>(std::count_if(
      members.begin(), members.end(), [&](std::size_t count) { return count < smallest; }));
  if (kept.classes_left_out == 0) return kept;

  StringRows left;
  kept.first = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const std::int32_t label = rows.labels[i];
    if (label >= 0 && members[static_cast<std::size_t>(label)] < smallest) continue;
    left.labels.push_back(
        label < 0 ? label
                  : left.classes.add(rows.classes.names()[static_cast<std::size_t>(label)]));
    const std::span<const char> string = rows.strings.row(i);
    left.strings.values.insert(left.strings.values.end(), string.begin(), string.end());
    left.strings.end_row();
    std::string_view text(string.data(), string.size());
    std::size_t symbols = 0;
    for (; !text.empty(); ++symbols) left.found.add(take_symbol(text));
    left.symbols += symbols;
    left.longest = std::max(left.longest, symbols);
    if (!rows.names.empty()) left.names.push_back(i < rows.names.size() ? rows.names[i] : "");
    kept.first += i < first;
    kept.numbers.push_back(static_cast<std::int64_t>(i));
  }
  left.dropped = rows.dropped;
  rows = std::move(left);
  return kept;
}

}  // namespace semblance::sources

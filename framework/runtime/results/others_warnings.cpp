// SPDX-License-Identifier: MIT
#include "runtime/results/others_warnings.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "support/json_text.hpp"

namespace semblance {
namespace {

/// One JSON string per line.
std::vector<char> packed(const std::vector<std::string>& warnings) {
  std::vector<char> lines;
  for (const std::string& warning : warnings) {
    const std::string line =
        nlohmann::json(warning).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    lines.insert(lines.end(), line.begin(), line.end());
    lines.push_back('\n');
  }
  return lines;
}

}  // namespace

void log_others_warnings(RunJournal& journal, Ranks& ranks) {
  if (!ranks.together()) return;
  const std::vector<char> own = packed(journal.record().warnings);
  const std::vector<std::size_t> sizes =
      ranks.collectives().gather(std::vector<std::size_t>{own.size()});
  const std::vector<char> all = ranks.collectives().gather(own);
  if (!ranks.first()) return;
  std::vector<std::string> told = journal.record().warnings;
  auto at = all.begin() + static_cast<std::ptrdiff_t>(own.size());
  for (std::size_t rank = 1; rank < sizes.size(); ++rank) {
    const auto end = at + static_cast<std::ptrdiff_t>(sizes[rank]);
    while (at != end) {
      const auto line = std::find(at, end, '\n');
      auto warning = parse_json(std::string(at, line)).get<std::string>();
      at = line + 1;
      if (std::ranges::find(told, warning) != told.end()) continue;
      journal.log(LogLevel::warning, "rank " + std::to_string(rank) + " on " +
                                         ranks.transport().place(rank) + ": " + warning);
      told.push_back(std::move(warning));
    }
  }
}

}  // namespace semblance

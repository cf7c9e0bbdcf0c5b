// SPDX-License-Identifier: MIT
#include "runtime/results/rank_shares.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "support/number_text.hpp"

namespace semblance {
namespace {

/// The values of all ranks, by rank.
template <class T>
std::vector<T> of_all_ranks(Ranks& ranks, const T& own) {
  return ranks.collectives().gather(std::vector<T>{own});
}

struct Share {
  std::size_t threads;
  std::size_t training_rows;  ///< of all sources together
  std::size_t kept;
  std::size_t throughout;
};

struct Traffic {
  std::size_t sent;
  std::size_t peak;
};

Share own_share(const RunProgress& progress) {
  Share own{progress.options().threads, 0, progress.plan().kept_bytes,
            fixed_bytes(progress.plan())};
  for (std::size_t i = 0; i < progress.size(); ++i)
    if (progress.facts(i).is_source())
      own.training_rows += progress.ranks().share(progress.facts(i).outline->train_rows);
  return own;
}

std::string threads_text(const std::vector<Share>& shares) {
  const auto [least, most] = std::ranges::minmax_element(shares, {}, &Share::threads);
  const std::string ranks = fmt::format("{} rank{}", shares.size(), shares.size() == 1 ? "" : "s");
  if (least->threads == most->threads)
    return fmt::format("{} x {} thread{}", ranks, most->threads, most->threads == 1 ? "" : "s");
  return fmt::format("{} x {} to {} threads", ranks, least->threads, most->threads);
}

std::string bytes_shown(std::size_t bytes) { return bytes_text(static_cast<double>(bytes)); }

}  // namespace

void log_rank_shares(RunProgress& progress) {
  if (!progress.ranks().together()) return;
  const std::vector<Share> shares = of_all_ranks(progress.ranks(), own_share(progress));
  progress.journal().log(LogLevel::info, threads_text(shares));
  for (std::size_t r = 0; r < shares.size(); ++r)
    progress.journal().log(
        LogLevel::info,
        fmt::format("rank {} on {}: {} training rows, {} of rows kept, {} in memory throughout", r,
                    progress.ranks().transport().place(r), shares[r].training_rows,
                    bytes_shown(shares[r].kept), bytes_shown(shares[r].throughout)));
}

std::vector<RankRecord> log_rank_traffic(Ranks& ranks, RunJournal& journal) {
  std::vector<RankRecord> records;
  if (!ranks.together()) return records;
  const std::vector<Traffic> all = of_all_ranks(ranks, Traffic{ranks.sent(), peak_memory()});
  for (std::size_t r = 0; r < all.size(); ++r) {
    records.push_back({ranks.transport().place(r), all[r].sent, all[r].peak});
    journal.log(LogLevel::info, fmt::format("rank {} has sent {}, peak memory {}", r,
                                            bytes_shown(all[r].sent), bytes_shown(all[r].peak)));
  }
  return records;
}

}  // namespace semblance

// SPDX-License-Identifier: MIT
#include "runtime/ranks/rank_watch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

namespace semblance {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds between_looks{200};

/// The launcher ends all ranks when one is gone, mpirun within a second; otherwise a rank ends
/// itself.
constexpr milliseconds grace{4000};

bool dead(const ProcessIdentity& process) { return process.life() == ProcessIdentity::Life::dead; }

}  // namespace

RankWatch::RankWatch(Ranks& ranks, Doing doing, Tell tell)
    : ranks_(ranks), doing_(std::move(doing)), tell_(std::move(tell)) {
  const std::string own = ProcessIdentity::own().text() + "\n";
  const std::vector<char> all =
      ranks.collectives().gather(std::vector<char>(own.begin(), own.end()));
  std::istringstream lines(std::string(all.begin(), all.end()));
  for (std::string line; std::getline(lines, line);)
    processes_.push_back(ProcessIdentity::parse(line).value_or(ProcessIdentity::own()));
  if (on_this_machine()) thread_ = std::thread([this] { watch(); });
}

RankWatch::~RankWatch() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

/// Whether there is another process to watch.
bool RankWatch::on_this_machine() const {
  const ProcessIdentity own = ProcessIdentity::own();
  return std::ranges::any_of(processes_, [&](const ProcessIdentity& process) {
    return process != own && process.life() != ProcessIdentity::Life::unknown;
  });
}

bool RankWatch::over_within(milliseconds time) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, time, [&] { return over_; });
}

void RankWatch::watch() {
  while (!over_within(between_looks)) {
    const auto gone = std::ranges::find_if(processes_, dead);
    if (gone != processes_.end())
      return end_soon(static_cast<std::size_t>(gone - processes_.begin()));
  }
}

void RankWatch::end_soon(std::size_t gone) {
  const auto lives = std::ranges::find_if_not(processes_, dead);
  if (static_cast<std::size_t>(lives - processes_.begin()) == ranks_.rank())
    tell_(
        fmt::format("rank {} on {} is gone, killed or crashed, while {}; without it the job ends. "
                    "Start it again with the same command: it resumes from the finished "
                    "nodes. A process that is killed without "
                    "a message has usually run out of memory (see `dmesg`): then use fewer ranks "
                    "per machine, more machines, or a lower --memory",
                    gone, ranks_.transport().place(gone), doing_()));
  // No destructors: they would wait for the dead rank.
  if (!over_within(grace)) ::_exit(1);
}

}  // namespace semblance

// SPDX-License-Identifier: MIT
#include "runtime/session/node_checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "runtime/ranks/packed_folder.hpp"
#include "runtime/services/processor.hpp"
#include "semblance/error.hpp"
#include "support/number_text.hpp"
#include "support/utc_time.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;

/// Saving takes at most one part in `least_share` of the time.
constexpr int least_share = 20;

}  // namespace

NodeCheckpoint::NodeCheckpoint(const KeptStates& states, std::string key, double seconds, Log log,
                               std::function<void()> check)
    : states_(states),
      key_(std::move(key)),
      period_(std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))),
      log_(std::move(log)),
      check_(std::move(check)),
      next_(begin_ + period_) {}

NodeCheckpoint::~NodeCheckpoint() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

double NodeCheckpoint::spent() const {
  return before_ + std::chrono::duration<double>(Clock::now() - begin_).count();
}

bool NodeCheckpoint::due() {
  bool due = Clock::now() >= next_;
  if (!alone()) together_->broadcast(0, std::as_writable_bytes(std::span(&due, 1)));
  return due;
}

/// Where nothing can be saved, the training continues anyway.
void NodeCheckpoint::keep(const std::function<void(StateWriter&)>& write) {
  if (!first()) return;
  const auto start = Clock::now();
  used_ = true;
  try {
    check_();
    states_.put(key_, {{"seconds", spent()}, {"kept", utc_now()}, {"processor", processor_kind()}},
                write);
  } catch (const std::exception& problem) {
    if (!std::exchange(failed_, true))
      log_(LogLevel::warning, fmt::format("its checkpoint cannot be saved ({}); if it were "
                                          "interrupted now, it would start over",
                                          problem.what()));
  }
  const auto end = Clock::now();
  next_ = end + std::max(period_, least_share * (end - start));
}

const StateReader* NodeCheckpoint::kept() {
  if (!std::exchange(looked_, true)) {
    if (first()) find();
    if (!alone()) share();
  }
  return kept_ ? &*kept_ : nullptr;
}

void NodeCheckpoint::use(fs::path folder) {
  folder_ = std::move(folder);
  kept_.emplace(folder_);
}

void NodeCheckpoint::find() {
  try {
    const auto found =
        states_.find(key_, [&](const std::string& what) { log_(LogLevel::warning, what); });
    if (!found) return;
    used_ = true;
    folder_ = found->folder;
    const std::string processor = found->note.at("processor");
    if (processor != processor_kind()) {
      log_(LogLevel::info, fmt::format("it starts over: its checkpoint was computed on another "
                                       "kind of processor ({}; this one is {})",
                                       processor, processor_kind()));
      return;
    }
    before_ = found->note.at("seconds");
    use(found->folder);
    log_(LogLevel::info,
         fmt::format("resumes from the checkpoint of {}, after {} of work",
                     found->note.at("kept").get<std::string>(), seconds_text(before_)));
  } catch (const std::exception& problem) {
    kept_.reset();
    log_(LogLevel::warning,
         fmt::format("its checkpoint cannot be read ({}); it starts over", problem.what()));
  }
}

/// Sends the checkpoint to the other ranks: all have it, or none.
void NodeCheckpoint::share() {
  std::string files;
  try {
    if (kept_) files = packed(folder_);
  } catch (const std::exception&) {
    kept_.reset();
  }
  std::size_t size = files.size();
  together_->broadcast(0, std::as_writable_bytes(std::span(&size, 1)));
  files.resize(size);
  together_->broadcast(0, std::as_writable_bytes(std::span(files)));
  bool readable = size > 0;
  try {
    if (readable && !first()) {
      const fs::path own = states_.own_path("kept");
      unpack(files, own);
      use(own);
    }
  } catch (const std::exception& problem) {
    readable = false;
  }
  if (!together_->all(readable)) kept_.reset();
}

}  // namespace semblance

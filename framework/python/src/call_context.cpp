// SPDX-License-Identifier: MIT
#include "call_context.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "runtime/services/process_threads.hpp"
#include "runtime/services/run_options.hpp"

namespace semblance::python {
namespace {

/// Arenas that no call uses. Never destroyed: their threads may outlive the module.
struct SpareArenas {
  std::mutex mutex;
  std::multimap<std::size_t, std::unique_ptr<tbb::task_arena>> by_threads;
};

SpareArenas& spare_arenas() {
  static auto* const spare = new SpareArenas;
  return *spare;
}

}  // namespace

std::size_t memory_of_calls(std::size_t threads) {
  using Clock = std::chrono::steady_clock;
  static std::mutex mutex;
  static std::size_t memory = 0;
  static Clock::time_point read = {};
  const std::size_t most = memory_within_limits(threads);
  const std::lock_guard lock(mutex);
  if (memory == 0 || Clock::now() - read > std::chrono::seconds(1)) {
    memory = default_memory(threads);
    read = Clock::now();
  }
  return std::min(memory, most);
}

CallThreads::CallThreads(std::size_t threads) : threads_(threads) {
  if (threads_ > 1) {
    const std::lock_guard lock(spare_arenas().mutex);
    auto& spare = spare_arenas().by_threads;
    if (const auto found = spare.find(threads_); found != spare.end()) {
      arena_ = std::move(found->second);
      spare.erase(found);
      return;
    }
  }
  arena_ = std::make_unique<tbb::task_arena>(static_cast<int>(threads_));
}

CallThreads::~CallThreads() {
  if (threads_ == 1) return;  // has not been used, and holds nothing
  const std::lock_guard lock(spare_arenas().mutex);
  spare_arenas().by_threads.emplace(threads_, std::move(arena_));
}

CallContext::CallContext(const std::string& name, std::uint64_t seed, std::size_t wanted,
                         const std::atomic<bool>* cancel)
    : threads_(workers(wanted)),
      stop_({}, cancel),
      workers_(threads_),
      services_{stop_,
                workers_.arena(),
                threads_,
                [this](LogLevel level, const std::string& line) {
                  if (level != LogLevel::warning) return;
                  const std::lock_guard lock(mutex_);
                  warnings_.push_back(line);
                },
                [](const std::string&, double, double) {},
                [memory = memory_of_calls(threads_)] { return memory; }},
      context_(services_, name, seed) {}

std::size_t CallContext::workers(std::size_t wanted) {
  const std::size_t threads = usable_threads(wanted);
  if (threads > 1) expect_workers(threads);
  return threads;
}

void CallContext::run(const std::function<void()>& body) {
  const OneBlasThread one;
  // A single thread needs no arena.
  if (threads_ == 1) return body();
  workers_.arena().execute(body);
}

}  // namespace semblance::python

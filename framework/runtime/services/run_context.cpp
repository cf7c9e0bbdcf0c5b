// SPDX-License-Identifier: MIT
#include "runtime/services/run_context.hpp"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>

#include "runtime/services/crash_report.hpp"

namespace semblance {

StopSwitch::StopSwitch(std::optional<double> deadline_seconds, const std::atomic<bool>* requested)
    : requested_(requested) {
  if (deadline_seconds)
    deadline_ = std::chrono::steady_clock::now() +
                std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                    std::chrono::duration<double>(*deadline_seconds));
}

StopReason StopSwitch::reason() const noexcept {
  if (signal_.load(std::memory_order_relaxed) != 0) return StopReason::cancelled;
  if (requested_ && requested_->load(std::memory_order_relaxed)) return StopReason::cancelled;
  if (deadline_ && std::chrono::steady_clock::now() >= *deadline_) return StopReason::deadline;
  return StopReason::none;
}

std::string StopSwitch::name_of(int signal) {
  switch (signal) {
    case SIGTERM:
      return "SIGTERM";
    case SIGHUP:
      return "SIGHUP (its terminal was closed)";
    default:
      return "Ctrl-C";
  }
}

std::string StopSwitch::stopper() const {
  const int signal = signal_.load(std::memory_order_relaxed);
  if (signal != 0) return name_of(signal);
  return requested_ && requested_->load() ? "the program" : "the deadline";
}

void StopSwitch::disarm() noexcept {
  deadline_.reset();
  requested_ = nullptr;
}

Collectives& NodeContext::collectives() noexcept {
  return together_ ? static_cast<Collectives&>(*together_) : only_rank();
}

void NodeContext::log(LogLevel level, std::string_view message) {
  if (level == LogLevel::warning && !warns_) level = LogLevel::info;
  services_.log(level, said_as_ + ": " + std::string(message));
}

std::filesystem::path NodeContext::scratch_folder() {
  if (services_.scratch.empty()) return Context::scratch_folder();
  std::error_code failure;
  std::filesystem::create_directories(services_.scratch, failure);
  if (failure)
    throw Error("cannot keep rows on disk: '" + services_.scratch.string() + "': " +
                failure.message() + "; choose another folder with --cache DIR or raise --memory");
  return services_.scratch;
}

void NodeContext::parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) {
  if (count == 1 || threads() == 1) {
    for (std::size_t i = 0; i < count; ++i) body(i);
    return;
  }
  // Isolated: a thread that waits here must not pick up another block of the stage, which would
  // nest its memory inside this call's.
  const AtWork* const caller = AtWork::now();
  const auto run = [&](std::size_t i) {
    const AtWork at_work(caller);
    body(i);
  };
  services_.arena.execute([&] {
    tbb::this_task_arena::isolate(
        [&] { tbb::parallel_for(std::size_t{0}, count, run, tbb::simple_partitioner()); });
  });
}

std::uint64_t mixed_seed(std::uint64_t seed, const std::string& component) {
  // FNV-1a: fixed for all time, unlike std::hash.
  std::uint64_t mixed = 0xcbf29ce484222325ULL ^ seed;
  for (const char c : component) {
    mixed ^= static_cast<unsigned char>(c);
    mixed *= 0x100000001b3ULL;
  }
  return mixed;
}

}  // namespace semblance

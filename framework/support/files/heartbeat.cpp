// SPDX-License-Identifier: MIT
#include "support/files/heartbeat.hpp"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace semblance {
namespace {

using Clock = std::chrono::steady_clock;

struct Beat {
  std::chrono::milliseconds every;
  std::function<void()> call;
  Clock::time_point next;
};

/// Never destroyed: its thread may outlive static objects.
struct Beats {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::uint64_t, Beat> all;
  bool running = false;

  /// Calls are made with the mutex held, so that the destructor of a heartbeat waits for its call.
  [[noreturn]] void run() {
    std::unique_lock lock(mutex);
    for (;;) {
      if (all.empty()) changed.wait(lock);
      auto next = Clock::now() + std::chrono::hours(1);
      for (auto& [number, beat] : all) {
        if (beat.next <= Clock::now()) {
          beat.call();
          beat.next = Clock::now() + beat.every;
        }
        next = std::min(next, beat.next);
      }
      changed.wait_until(lock, next);
    }
  }
};

Beats* beats = new Beats;

std::uint64_t last_number = 0;

/// A forked child has no such thread, and perhaps a condition variable with a waiting thread that
/// it lacks.
void begin_anew_in_children() {
  ::pthread_atfork([] { beats->mutex.lock(); }, [] { beats->mutex.unlock(); },
                   [] { beats = new Beats; });
}

/// Signals are for the program's own threads.
void start_thread() {
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread(&Beats::run, beats).detach();
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace

Heartbeat::Heartbeat(std::chrono::milliseconds every, std::function<void()> beat) {
  static std::once_flag once;
  std::call_once(once, begin_anew_in_children);
  const std::lock_guard lock(beats->mutex);
  number_ = ++last_number;
  beats->all.emplace(number_, Beat{every, std::move(beat), Clock::now() + every});
  if (!std::exchange(beats->running, true)) start_thread();
  beats->changed.notify_one();
}

Heartbeat::~Heartbeat() {
  const std::lock_guard lock(beats->mutex);
  beats->all.erase(number_);
}

}  // namespace semblance

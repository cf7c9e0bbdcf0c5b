// SPDX-License-Identifier: MIT
#include "runtime/services/process_threads.hpp"

#include <dlfcn.h>
#include <oneapi/tbb/global_control.h>
#include <pthread.h>

#include <atomic>
#include <memory>
#include <mutex>

namespace semblance {
namespace {

/// OpenBLAS, if something has loaded it. It is not loaded for this purpose: it starts its threads
/// at once.
struct Blas {
  int (*threads)() = nullptr;
  void (*set_threads)(int) = nullptr;

  static Blas loaded() {
    Blas blas;
    void* library = ::dlopen("libopenblas.so.0", RTLD_NOLOAD | RTLD_LAZY);
    if (!library) return blas;
    blas.threads = reinterpret_cast<int (*)()>(::dlsym(library, "openblas_get_num_threads"));
    blas.set_threads =
        reinterpret_cast<void (*)(int)>(::dlsym(library, "openblas_set_num_threads"));
    // The handle is not released: what has loaded the library does not unload it, and its use count
    // does not matter.
    return blas;
  }
  explicit operator bool() const noexcept { return threads && set_threads; }
};

struct State {
  std::mutex mutex;
  std::size_t runs = 0;  ///< runs in progress that want one thread of OpenBLAS
  Blas blas;
  int before = 0;                              ///< its threads then; 0: nothing to restore
  std::unique_ptr<tbb::global_control> limit;  ///< where more threads are requested than cores
  std::atomic<bool> workers_expected = false;
  std::atomic<bool> workers_lost = false;
};

State& state() {
  static auto* const all = new State;
  return *all;
}

void restore(State& all) {
  if (all.before > 0) all.blas.set_threads(all.before);
  all.before = 0;
}

/// A fork copies one thread only. The child does not do what other threads were about to do.
void before_fork() { state().mutex.lock(); }
void after_fork() { state().mutex.unlock(); }
void in_child() {
  State& all = state();
  if (all.workers_expected) all.workers_lost = true;
  if (all.runs > 0) restore(all);
  all.runs = 0;
  all.mutex.unlock();
}

void watch_forks() {
  static const int watching = ::pthread_atfork(before_fork, after_fork, in_child);
  static_cast<void>(watching);
}

}  // namespace

OneBlasThread::OneBlasThread() {
  watch_forks();
  State& all = state();
  const std::lock_guard lock(all.mutex);
  if (all.runs++ > 0) return;
  if (!all.blas) all.blas = Blas::loaded();
  if (!all.blas) return;
  all.before = all.blas.threads();
  if (all.before != 1) all.blas.set_threads(1);
}

OneBlasThread::~OneBlasThread() {
  State& all = state();
  const std::lock_guard lock(all.mutex);
  // In a forked child the run of another thread may have ended with the fork.
  if (all.runs == 0 || --all.runs > 0) return;
  restore(all);
}

void expect_workers(std::size_t threads) {
  using Limit = tbb::global_control;
  watch_forks();
  State& all = state();
  all.workers_expected.store(true, std::memory_order_relaxed);
  const std::lock_guard lock(all.mutex);
  if (threads <= Limit::active_value(Limit::max_allowed_parallelism)) return;
  // With several limits the smallest counts.
  all.limit.reset();
  all.limit = std::make_unique<Limit>(Limit::max_allowed_parallelism, threads);
}

bool lost_workers() noexcept { return state().workers_lost.load(std::memory_order_relaxed); }

}  // namespace semblance

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace semblance {

/// @name Threads of the whole process, which other libraries in it share
/// @{

/// While one of these lives, OpenBLAS uses one thread: the run does its own parallel work, and sums
/// keep their order. When the last one goes, OpenBLAS gets its former number of threads back;
/// NumPy, which uses the same library, is not affected otherwise. Does nothing where OpenBLAS is
/// not loaded.
class OneBlasThread {
 public:
  OneBlasThread();
  ~OneBlasThread();
  OneBlasThread(const OneBlasThread&) = delete;
  OneBlasThread& operator=(const OneBlasThread&) = delete;
};

/// Prepares for the use of `threads` threads, even on a machine with fewer cores, and for the fact
/// that a forked child will not have them.
void expect_workers(std::size_t threads);

/// Whether this process is a fork of one whose threads had been started: it lacks these threads and
/// must not wait for them. Then all work runs on the calling thread.
bool lost_workers() noexcept;

/// How many of `threads` threads may be used.
inline std::size_t usable_threads(std::size_t threads) noexcept {
  return lost_workers() ? 1 : threads;
}
/// @}

}  // namespace semblance

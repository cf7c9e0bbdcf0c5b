// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace semblance {

/// @name Threads of the whole process, which other libraries in it share
/// @{

/// While one of these lives, OpenBLAS uses one thread: parallel work is the run's own, and sums
/// keep their order. When the last one goes, OpenBLAS has the number that it had before; NumPy,
/// which uses the same library, notices no more than that. Nothing happens where OpenBLAS is not
/// loaded.
class OneBlasThread {
 public:
  OneBlasThread();
  ~OneBlasThread();
  OneBlasThread(const OneBlasThread&) = delete;
  OneBlasThread& operator=(const OneBlasThread&) = delete;
};

/// Takes note that so many threads are about to be used, also where the machine has fewer cores,
/// and that a forked child will not have them.
void expect_workers(std::size_t threads);

/// Whether this process is a fork of one whose threads had been started: it lacks them, and must
/// not wait for them. What runs here runs on the calling thread.
bool lost_workers() noexcept;

/// How many of so many threads may be used.
inline std::size_t usable_threads(std::size_t threads) noexcept {
  return lost_workers() ? 1 : threads;
}
/// @}

}  // namespace semblance

// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <ctime>

namespace semblance::bench {

struct Seconds {
  double wall = 0;
  double cpu = 0;  ///< of all threads
};

template <class F>
Seconds timed(const F& work) {
  const auto cpu = [] {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  };
  const double before = cpu();
  const auto begin = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  return {wall.count(), cpu() - before};
}

}  // namespace semblance::bench

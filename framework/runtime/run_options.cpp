// SPDX-License-Identifier: MIT
#include "runtime/run_options.hpp"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace semblance {

std::size_t available_threads() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) == 0)
    return std::max<std::size_t>(1, static_cast<std::size_t>(CPU_COUNT(&set)));
  return 1;
}

std::size_t default_memory() {
  const auto pages = static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES));
  std::size_t bytes = pages * static_cast<std::size_t>(::sysconf(_SC_PAGE_SIZE));
  std::size_t limit = 0;
  // "max" where the container has no limit: the number is not read then.
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> limit) bytes = std::min(bytes, limit);
  return bytes / 5 * 4;
}

std::size_t peak_memory() {
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

}  // namespace semblance

// SPDX-License-Identifier: MIT
#include "runtime/services/run_options.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>

#include "runtime/services/control_groups.hpp"
#include "semblance/error.hpp"
#include "support/number_text.hpp"
#include "support/safe_text.hpp"

namespace semblance {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;
/// Address space of a working thread: its stack, its part of the heap, OpenBLAS's buffer.
constexpr std::size_t thread_space = 160 * mebibyte;
constexpr std::size_t least_space = 128 * mebibyte;

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

std::string text(std::size_t bytes) { return bytes_text(static_cast<double>(bytes)); }

std::size_t four_fifths(std::size_t bytes) { return bytes / 5 * 4; }

std::size_t page_size() { return static_cast<std::size_t>(::sysconf(_SC_PAGE_SIZE)); }

std::size_t limit_of(__rlimit_resource_t resource) {
  rlimit limit = {};
  const bool known = ::getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return known ? limit.rlim_cur : unlimited;
}

/// The bytes that a limit leaves when `pages` pages count against it.
std::size_t left_by(std::size_t limit, std::size_t pages) {
  return limit == unlimited ? limit : limit - std::min(limit, pages * page_size());
}

std::size_t free_address_space() {
  const std::size_t space = limit_of(RLIMIT_AS), for_data = limit_of(RLIMIT_DATA);
  if (space == unlimited && for_data == unlimited) return unlimited;
  std::size_t all = 0, resident = 0, shared = 0, code = 0, libraries = 0, data = 0;
  std::ifstream("/proc/self/statm") >> all >> resident >> shared >> code >> libraries >> data;
  return std::min(left_by(space, all), left_by(for_data, data));
}

}  // namespace

void tell(const RunOptions& options, LogLevel level, const std::string& line) {
  if (options.on_log)
    options.on_log(level, line);
  else if (!options.log.silent && (level != LogLevel::warning || options.log.shown->add(line)))
    fmt::print(stderr, "{}{}\n", level == LogLevel::warning ? "warning: " : "", safe_text(line));
}

std::size_t available_threads() {
  cpu_set_t set;
  const int cores = ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  // More threads than the group's processor time would only wait for it.
  return static_cast<std::size_t>(std::clamp<double>(std::ceil(group_limits().cores), 1, cores));
}

std::size_t memory_within_limits(std::size_t threads) {
  const std::size_t space = free_address_space();
  if (space == unlimited) return unlimited;
  const std::size_t least = least_space + threads * thread_space;
  if (space < least)
    throw Error("a limit (ulimit -v or -d) leaves this process " + text(space) +
                " of address space; a run with " + std::to_string(threads) + " threads needs " +
                text(least) + ": raise the limit or lower --threads");
  return four_fifths(space - threads * thread_space);
}

std::size_t default_memory(std::size_t threads) {
  const auto pages = static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES));
  const std::size_t bytes = std::min(pages * page_size(), group_limits().memory_left);
  return std::min(four_fifths(bytes), memory_within_limits(threads));
}

std::size_t peak_memory() {
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto largest = static_cast<std::size_t>(usage.ru_maxrss) * 1024;
  // It may be that of the program that started this one. Where it is not, it never will be, and to
  // read a file takes a good part of a small training.
  static std::atomic<bool> own = false;
  if (own) return largest;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) {
      const std::size_t peak = std::stoull(line.substr(6)) * 1024;
      own = peak >= largest;
      return peak;
    }
  return largest;
}

}  // namespace semblance

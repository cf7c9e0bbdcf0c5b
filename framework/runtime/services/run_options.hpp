// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "runtime/services/run_log.hpp"

namespace semblance {

class SharedData;
class SharedRun;
class Transport;

/// How to run a pipeline; results do not depend on any of it.
struct RunOptions {
  std::filesystem::path out;    ///< folder for the results of the run; empty: none are written
  std::filesystem::path cache;  ///< the artifact store and spilled matrices
  bool use_cache = true;
  std::uintmax_t cache_limit = 0;  ///< bytes the store may hold afterwards; 0: no limit
  std::size_t threads = 1;
  /// It should take so little time that other threads would only cost some: the run has one, and
  /// what is computed with its model has all.
  bool brief = false;
  std::size_t memory = 0;          ///< budget in bytes
  std::optional<double> deadline;  ///< seconds from the start
  /// Results of another kind of processor are refused instead of reported.
  bool same_processor = false;
  bool quiet = false;
  /// Whether pages, tables, predictions and the trace are written too, not only what others
  /// continue with: the model of a run, the variants of a study.
  bool writes_pages = true;
  LogOptions log;
  std::string command;  ///< the command that repeats the run, for the report
  /// Where several workers share the work: this process is one of them. They store what they
  /// compute, and one of them writes the results.
  SharedRun* shared = nullptr;
  /// The part of the shared run: the step of a study.
  std::string part = "";
  /// The data that this run and others of the program read once, if they do not use the store;
  /// nullptr: each run reads its own.
  std::shared_ptr<SharedData> shared_data = nullptr;
  /// Nodes that failed in other workers, by key, with their messages.
  std::map<std::string, std::string> failures = {};
  /// The processes that make this run together; it must live as long as the run. nullptr: this
  /// process alone.
  Transport* transport = nullptr;

  /// @name For programs that embed runs; all may be called from any thread
  /// @{

  /// Ends this run only, as Ctrl-C would; it must live as long as the run.
  const std::atomic<bool>* cancel = nullptr;
  /// Called instead of a display: with 0 of 0 when a node starts, and with done == total when it
  /// ends.
  std::function<void(const std::string& node, double done, double total)> on_progress;
  /// Called for every message instead of the console.
  std::function<void(LogLevel, const std::string&)> on_log;
  /// @}
};

/// Reports something outside of any session's log to the program; without on_log to the console,
/// warnings as warnings that are shown once.
void tell(const RunOptions& options, LogLevel level, const std::string& line);

/// Cores this process may use, or the share of them that its control group is given, rounded up.
std::size_t available_threads();

/// The bytes for data that a limit of this process's address space (ulimit -v, -d) leaves when
/// `threads` threads work; the largest number where there is no limit. Throws Error when it leaves
/// too little for the threads themselves: OpenBLAS would wait for memory for ever.
std::size_t memory_within_limits(std::size_t threads);

/// Four fifths of the machine's memory, or of what the tightest control group leaves of its limit
/// if that is less; less if limits of the address space require it. Throws as
/// memory_within_limits() does.
std::size_t default_memory(std::size_t threads);

/// The part of a memory budget for the program and its libraries: 98 MiB, but it gets along with
/// half of that where the rest, without `needed` bytes of data, is small.
inline std::size_t program_bytes(std::size_t memory, std::size_t needed = 0) noexcept {
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  constexpr std::size_t least = 48 * mebibyte, most = 98 * mebibyte, rest = 8 * mebibyte;
  return std::clamp(memory, needed + rest + least, needed + rest + most) - needed - rest;
}

/// The largest resident size of this process so far, in bytes.
std::size_t peak_memory();

}  // namespace semblance

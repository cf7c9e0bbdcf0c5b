// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "runtime/services/run_log.hpp"

namespace semblance {

class SharedRun;
class Transport;

/// How a pipeline is run; what it computes does not depend on any of it.
struct RunOptions {
  std::filesystem::path out;    ///< folder for what the run leaves behind; empty: it leaves none
  std::filesystem::path cache;  ///< the artifact store and spilled matrices
  bool use_cache = true;
  std::uintmax_t cache_limit = 0;  ///< bytes the store may keep afterwards; 0: no limit
  std::size_t threads = 1;
  std::size_t memory = 0;          ///< budget in bytes
  std::optional<double> deadline;  ///< seconds from the start
  double checkpoint = 60;  ///< seconds between what long trainings keep; 0: they keep nothing
  /// What another kind of processor has computed is refused, not told of.
  bool same_processor = false;
  bool quiet = false;
  LogOptions log;
  std::string command;  ///< for the report: what repeats the run
  /// Where others work on the same: this process is one of the workers. What they compute is in
  /// the store, and one of them writes the results.
  SharedRun* shared = nullptr;
  /// Of what is shared: the step of a study.
  std::string part = "";
  /// Only what is in the store already is collected; nothing is computed.
  bool only_collects = false;
  /// Nodes that workers found to fail, by key, with what they said.
  std::map<std::string, std::string> failures = {};
  /// The processes that make this run together; it must live as long as the run. nullptr: there are
  /// no others.
  Transport* transport = nullptr;

  /// @name For a program in which runs go on; all may be called from any thread
  /// @{

  /// Ends this run, and no other, as Ctrl-C would; it must live as long as the run.
  const std::atomic<bool>* cancel = nullptr;
  /// Told instead of a display: 0 of 0 when a node starts, all of all when it has ended.
  std::function<void(const std::string& node, double done, double total)> on_progress;
  /// Told of every message; the console is not.
  std::function<void(LogLevel, const std::string&)> on_log;
  /// @}
};

/// Tells the program of something outside of any session's log; without on_log the console gets it,
/// a warning as such.
void tell(const RunOptions& options, LogLevel level, const std::string& line);

/// Cores this process may use.
std::size_t available_threads();

/// Bytes for data that a limit of this process's address space (ulimit -v, -d) leaves when so many
/// threads work; the largest number where there is no limit. Throws Error when it leaves too little
/// for the threads themselves: OpenBLAS would wait for memory without end.
std::size_t memory_within_limits(std::size_t threads);

/// Four fifths of what the machine or its container has, if the limits allow so much. Throws as
/// memory_within_limits() does.
std::size_t default_memory(std::size_t threads);

/// The largest resident size of this process so far, in bytes.
std::size_t peak_memory();

}  // namespace semblance

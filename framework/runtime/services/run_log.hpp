// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "semblance/context.hpp"

namespace spdlog {
class logger;
}

namespace semblance {

enum class LogFormat { text, json };

/// The warnings that consoles have shown. Thread-safe.
class ShownWarnings {
 public:
  /// False if it was added before.
  bool add(const std::string& warning);

 private:
  std::mutex mutex_;
  std::set<std::string> shown_;
};

struct LogOptions {
  LogLevel console = LogLevel::warning;  ///< the least severe messages that the console shows
  bool silent = false;                   ///< the console shows none
  LogFormat format = LogFormat::text;    ///< of the console and of the file
  /// Runs that share it, such as those of one command, show an equal warning once.
  std::shared_ptr<ShownWarnings> shown = std::make_shared<ShownWarnings>();
};

/// The messages of one run. All messages from `info` on go to run.log in the run's folder; `debug`
/// messages too if the console shows them. Messages of the console's level or above also go to the
/// console. Thread-safe.
///
/// As text, a line of the file is "SECONDS LEVEL MESSAGE"; as JSON, each line is an object with
/// "seconds" since the start, "level" and "message".
///
/// The console shows no warning twice, and a console of text only the first three of a
/// kind: it counts the others.
class RunLog {
 public:
  /// Without a folder there is no file; without `console` nothing is shown. `console` gets each
  /// line to show, without a line end. Throws Error where the file cannot be opened.
  RunLog(const std::filesystem::path& folder, const LogOptions& options,
         std::function<void(const std::string&)> console);
  ~RunLog();

  void write(LogLevel level, const std::string& message);

  /// From now on a console of text counts all warnings, and those that do not matter are in the
  /// file only.
  void count_warnings(std::function<bool(const std::string&)> matters);

  /// A line for each kind of warnings that were not shown since the last call.
  std::vector<std::string> not_shown();

 private:
  class ConsoleSink;

  std::filesystem::path file_;
  const bool text_;
  std::shared_ptr<ConsoleSink> console_;
  std::unique_ptr<spdlog::logger> logger_;
};

}  // namespace semblance

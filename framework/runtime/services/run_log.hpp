// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "semblance/context.hpp"

namespace spdlog {
class logger;
}

namespace semblance {

enum class LogFormat { text, json };

struct LogOptions {
  LogLevel console = LogLevel::warning;  ///< the least severe messages that the console shows
  bool silent = false;                   ///< the console shows none
  LogFormat format = LogFormat::text;    ///< of the console and of the file
};

/// The messages of one run. All messages from `info` on go to run.log in the run's folder; `debug`
/// messages too if the console shows them. Messages of the console's level or above also go to the
/// console. Thread-safe.
///
/// As text, a line of the file is "SECONDS LEVEL MESSAGE"; as JSON, each line is an object with
/// "seconds" since the start, "level" and "message".
///
/// A console of text shows the first three warnings of a kind and counts the others.
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

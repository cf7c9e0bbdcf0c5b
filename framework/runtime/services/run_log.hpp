// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "semblance/context.hpp"

namespace spdlog {
class logger;
}

namespace semblance {

enum class LogFormat { text, json };

struct LogOptions {
  LogLevel console = LogLevel::warning;  ///< the least severe messages that the console shows
  LogFormat format = LogFormat::text;    ///< of the console and of the file
};

/// The messages of one run. All from `info` on go to run.log in the run's folder, `debug` too where
/// the console shows it; what is severe enough goes to the console as well. Safe from any thread.
///
/// As text a line of the file is "SECONDS LEVEL MESSAGE"; as JSON each line is an object with
/// "seconds" since the start, "level" and "message".
class RunLog {
 public:
  /// Without a folder there is no file, without `console` nothing is shown. It is given each line
  /// it shall show, without a line end. Throws Error where the file cannot be opened.
  RunLog(const std::filesystem::path& folder, const LogOptions& options,
         std::function<void(const std::string&)> console);
  ~RunLog();

  void write(LogLevel level, const std::string& message);

 private:
  std::unique_ptr<spdlog::logger> logger_;
};

}  // namespace semblance

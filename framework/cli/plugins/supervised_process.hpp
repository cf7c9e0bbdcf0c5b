// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace semblance::cli {

/// The program itself, started again, for work that may crash or never end. It writes lines to the
/// descriptor `report_descriptor`; its standard output goes to standard error.
class SupervisedProcess {
 public:
  static constexpr int report_descriptor = 3;

  /// Throws Error when it cannot be started.
  explicit SupervisedProcess(const std::vector<std::string>& arguments);
  ~SupervisedProcess();
  SupervisedProcess(const SupervisedProcess&) = delete;
  SupervisedProcess& operator=(const SupervisedProcess&) = delete;

  /// The next line; nothing once the process has ended, or after `seconds` without a complete line:
  /// then it is killed.
  std::optional<std::string> next_line(double seconds);

  /// How the process ended, once next_line() returned nothing: "crashed with signal 11
  /// (Segmentation fault)", "did not finish within 60 s", "ended with exit code 3".
  const std::string& ending() const noexcept { return ending_; }

 private:
  std::optional<std::string> take_line();
  bool wait_for_bytes(double seconds);
  void end(double seconds, bool late);

  pid_t process_ = -1;
  int pipe_ = -1;
  std::string received_;
  std::string ending_;
};

}  // namespace semblance::cli

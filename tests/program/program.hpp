// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace semblance::testing {

/// Whether this build has a sanitizer, which needs its own memory and address space and turns
/// seconds into a quarter of an hour. Tests that make no sense then are skipped.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// Whether a case of a long test, counted from 0, runs today: tests/sampled.py states the rule.
bool of_the_day(std::size_t number, std::size_t days);

/// A folder for one test, with the store and the results in it; gone afterwards.
class Workplace {
 public:
  Workplace();
  ~Workplace();
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

  /// Writes a file and returns its path.
  std::string file(const std::string& name, const std::string& content) const;

  struct Outcome {
    int exit = -1;
    std::string output;  ///< standard output and error
  };
  /// Runs the program with its cache and results in this folder.
  Outcome operator()(const std::string& arguments) const;

  /// Runs the program, which must exit with 0.
  Outcome succeed(const std::string& arguments) const;
  /// Runs the program, which must exit with this code and print this text.
  void expect(const std::string& arguments, int exit, const std::string& message) const;

  /// Runs a shell script in this folder; in it "$program" is the program, with its cache here.
  Outcome shell(const std::string& script) const;

  /// Starts the program in the background; its output goes to `log`, a file here.
  pid_t start(const std::string& arguments, const std::string& log = "background.log") const;

  nlohmann::json metrics(const std::string& out) const;
  std::string content(const std::string& relative) const;

  std::filesystem::path path;
  /// Environment of the program: NAME=value, each followed by a space.
  std::string environment;
};

/// Whether a text, or a program's output, contains another text.
bool contains(const std::string& text, const std::string& part);
bool contains(const Workplace::Outcome& outcome, const std::string& part);

/// Waits for a started program: its exit code, or minus the signal that ended it.
int wait_for(pid_t process);

/// The results of a run, without values that differ between runs: times, and what came from the
/// store.
std::string results_of(const Workplace& work, const std::string& out);

/// Files of a run's predictions: their bytes, one after the other.
std::string predictions(const Workplace& work, const std::string& out);

}  // namespace semblance::testing

// SPDX-License-Identifier: MIT
#include "runtime/services/run_log.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "support/test_folder.hpp"

namespace semblance::run_log_test {
namespace {

std::vector<std::string> lines_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

struct Logged {
  std::vector<std::string> console;
  std::vector<std::string> file;
};

Logged logged(const LogOptions& options) {
  const testing::TestFolder folder;
  Logged result;
  RunLog log(folder.path, options,
             [&](const std::string& line) { result.console.push_back(line); });
  log.write(LogLevel::debug, "a detail");
  log.write(LogLevel::info, "a step");
  log.write(LogLevel::warning, "a \"worry\"");
  // Before the log is closed: a kill loses nothing.
  result.file = lines_of(folder.path / "run.log");
  return result;
}

}  // namespace

TEST_CASE("the console shows warnings, the file what happened") {
  const Logged all = logged({});
  CHECK(all.console == std::vector<std::string>{"warning: a \"worry\""});
  REQUIRE(all.file.size() == 2);
  CHECK(all.file[0].ends_with(" info    a step"));
  CHECK(all.file[1].ends_with(" warning a \"worry\""));
}

TEST_CASE("a lower level shows more, and the file has it too") {
  const Logged all = logged({.console = LogLevel::debug, .format = LogFormat::text});
  CHECK(all.console ==
        std::vector<std::string>{"debug: a detail", "info: a step", "warning: a \"worry\""});
  CHECK(all.file.size() == 3);
}

TEST_CASE("as JSON every line is an object") {
  const Logged all = logged({.console = LogLevel::info, .format = LogFormat::json});
  REQUIRE(all.console.size() == 2);
  REQUIRE(all.file.size() == 2);
  const auto last = nlohmann::json::parse(all.file[1]);
  CHECK(last.at("level") == "warning");
  CHECK(last.at("message") == "a \"worry\"");
  CHECK(last.at("seconds").get<double>() >= 0);
  CHECK(nlohmann::json::parse(all.console[0]).at("message") == "a step");
}

TEST_CASE("a console of text shows three warnings of a kind, and counts the others") {
  const testing::TestFolder folder;
  const auto warn = [&](LogFormat format) {
    std::vector<std::string> console;
    RunLog log(folder.path, {.console = LogLevel::warning, .format = format},
               [&](const std::string& line) { console.push_back(line); });
    for (int i = 1; i <= 5; ++i)
      log.write(LogLevel::warning, "svm[" + std::to_string(i) + "]: it is slow");
    log.write(LogLevel::warning, "svm[1]: it is wrong");
    for (const std::string& line : log.not_shown()) console.push_back(line);
    CHECK(log.not_shown().empty());
    return console;
  };
  const std::string file = (folder.path / "run.log").string();
  CHECK(warn(LogFormat::text) ==
        std::vector<std::string>{"warning: svm[1]: it is slow", "warning: svm[2]: it is slow",
                                 "warning: svm[3]: it is slow", "warning: svm[1]: it is wrong",
                                 "warning: 2 more like 'svm[1]: it is slow'; they are in run.log"});
  CHECK(lines_of(file).size() == 6);
  CHECK(warn(LogFormat::json).size() == 6);
}

TEST_CASE("runs of one command show an equal warning once, and each has it in its file") {
  const testing::TestFolder one, other;
  const LogOptions options;
  std::vector<std::string> console;
  for (const auto* folder : {&one, &other}) {
    RunLog log(folder->path, options, [&](const std::string& line) { console.push_back(line); });
    log.write(LogLevel::warning, "a column is left out");
    log.write(LogLevel::warning, "a column is left out");
    for (const std::string& line : log.not_shown()) console.push_back(line);
    CHECK(lines_of((folder->path / "run.log").string()).size() == 2);
  }
  CHECK(console == std::vector<std::string>{"warning: a column is left out"});
}

TEST_CASE("without a folder there is no file, and a folder that is none is an error") {
  std::vector<std::string> console;
  RunLog log({}, {}, [&](const std::string& line) { console.push_back(line); });
  log.write(LogLevel::warning, "seen");
  CHECK(console.size() == 1);
  CHECK_THROWS(RunLog("/dev/null/nowhere", {}, [](const std::string&) {}));
}

}  // namespace semblance::run_log_test

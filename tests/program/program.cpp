// SPDX-License-Identifier: MIT
#include "program.hpp"

#include <doctest/doctest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>

namespace semblance::testing {
namespace fs = std::filesystem;

bool of_the_day(std::size_t number, std::size_t days) {
  if (days > 7) throw std::logic_error("all cases run within a week");
  const char* tests = ::getenv("SEMBLANCE_TESTS");
  if (tests && std::string_view(tests) == "whole") return true;
  const auto today = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  return (number + static_cast<std::size_t>(today.time_since_epoch().count())) % days == 0;
}

Workplace::Workplace() {
  std::string name = (fs::temp_directory_path() / "semblance_program_XXXXXX").string();
  path = ::mkdtemp(name.data());
}

Workplace::~Workplace() { fs::remove_all(path); }

std::string Workplace::file(const std::string& name, const std::string& content) const {
  fs::create_directories((path / name).parent_path());
  std::ofstream(path / name, std::ios::binary) << content;
  return (path / name).string();
}

namespace {

std::string command_line(const Workplace& work, const std::string& arguments) {
  return "cd " + work.path.string() + " && SEMBLANCE_CACHE=" + (work.path / "cache").string() +
         " SEMBLANCE_PLUGIN_PATH= " + work.environment + "exec " SEMBLANCE_PROGRAM " " + arguments;
}

Workplace::Outcome output_of(const std::string& command) {
  Workplace::Outcome outcome;
  std::FILE* pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe))
    outcome.output.append(buffer, n);
  const int status = ::pclose(pipe);
  outcome.exit = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  return outcome;
}

}  // namespace

Workplace::Outcome Workplace::operator()(const std::string& arguments) const {
  return output_of(command_line(*this, arguments) + " 2>&1");
}

Workplace::Outcome Workplace::shell(const std::string& script) const {
  const std::string name = file(".script.sh", script);
  return output_of("cd " + path.string() + " && SEMBLANCE_CACHE=" + (path / "cache").string() +
                   " SEMBLANCE_PLUGIN_PATH= program=" SEMBLANCE_PROGRAM " exec sh " + name +
                   " 2>&1");
}

Workplace::Outcome Workplace::succeed(const std::string& arguments) const {
  Outcome outcome = (*this)(arguments);
  INFO(arguments << "\n" << outcome.output);
  REQUIRE(outcome.exit == 0);
  return outcome;
}

void Workplace::expect(const std::string& arguments, int exit, const std::string& message) const {
  const Outcome outcome = (*this)(arguments);
  INFO(arguments << "\n" << outcome.output);
  CHECK(outcome.exit == exit);
  CAPTURE(message);
  CHECK(outcome.output.find(message) != std::string::npos);
}

pid_t Workplace::start(const std::string& arguments, const std::string& log) const {
  const std::string command = command_line(*this, arguments) + " >" + log + " 2>&1";
  const pid_t process = ::fork();
  if (process == 0) {
    ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    ::_exit(127);
  }
  return process;
}

nlohmann::json Workplace::metrics(const std::string& out) const {
  return nlohmann::json::parse(content(out + "/metrics.json"));
}

std::string Workplace::content(const std::string& relative) const {
  std::ifstream in(path / relative, std::ios::binary);
  REQUIRE_MESSAGE(in.good(), relative);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool contains(const Workplace::Outcome& outcome, const std::string& part) {
  return contains(outcome.output, part);
}

int wait_for(pid_t process) {
  int status = 0;
  ::waitpid(process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

std::string results_of(const Workplace& work, const std::string& out) {
  auto nodes = work.metrics(out).at("nodes");
  for (auto& node : nodes)
    for (const char* changing :
         {"seconds", "cached", "measured", "train_seconds", "predict_seconds", "predict_rows",
          "convergence_by_seconds", "convergence_by_seconds_tolerance"})
      node.erase(changing);
  return nodes.dump() + predictions(work, out);
}

std::string predictions(const Workplace& work, const std::string& out) {
  std::vector<fs::path> files;
  for (const auto& item : fs::directory_iterator(work.path / out / "predictions"))
    files.push_back(item.path());
  std::ranges::sort(files);
  REQUIRE(!files.empty());
  std::string all;
  for (const auto& file : files) all += work.content(file.lexically_relative(work.path).string());
  return all;
}

}  // namespace semblance::testing

// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "cli/output.hpp"
#include "cli/pipeline_options.hpp"
#include "cli/plugin_template.hpp"
#include "support/did_you_mean.hpp"

namespace semblance::cli {
namespace {

namespace fs = std::filesystem;

fs::path this_program() { return fs::read_symlink("/proc/self/exe"); }

/// The bare name if the shell finds this very program by it.
std::string program_command() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  const fs::path self = this_program();
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::error_code problem;
    const fs::path candidate = fs::path(folder) / "semblance";
    if (!fs::exists(candidate, problem)) continue;
    return fs::equivalent(candidate, self, problem) ? "semblance" : quoted(self.string());
  }
  return quoted(self.string());
}

/// The option that CMake needs to find the SDK of this program; empty where CMake finds it without
/// one.
std::string prefix_option() {
  const fs::path prefix = this_program().parent_path().parent_path();
  if (prefix == "/usr" || prefix == "/usr/local") return "";
  return " " + quoted("-DCMAKE_PREFIX_PATH=" + prefix.string());
}

}  // namespace

int new_plugin_verb(const std::vector<std::string>& arguments) {
  const Verb& verb = verb_named("new-plugin");
  options::options_description described(
      "KIND is one of " + enumerate(template_kinds()) + ".\n\noptions", 100);
  described.add_options()("out", options::value<std::string>()->value_name("DIR"),
                          "the folder to create (default: NAME in the current folder)");
  const auto values = parse(verb, arguments, described, one_argument());
  if (!values) return done;
  const PluginTemplate project(
      required_argument(*values, verb),
      (this_program().parent_path() / "../share/semblance/templates").lexically_normal());
  const fs::path folder =
      values->count("out") ? (*values)["out"].as<std::string>() : project.name();
  project.write(folder, prefix_option(), program_command());

  const std::string written = quoted(folder.string());
  const std::string build = quoted((folder / "build").string());
  fmt::print("{} is in {}. Next:\n", project.id(), folder.string());
  fmt::print("  cmake -G Ninja -S {} -B {}{} && cmake --build {}\n", written, build,
             prefix_option(), build);
  fmt::print("  ctest --test-dir {} --output-on-failure\n", build);
  fmt::print("  {} run {} --plugin-path {}\n", program_command(),
             quoted((folder / "pipeline.yaml").string()), build);
  return done;
}

}  // namespace semblance::cli

// SPDX-License-Identifier: MIT
#include "cli/output.hpp"

#include <ctime>

#include "semblance/error.hpp"

namespace semblance::cli {

std::string quoted(const std::string& argument) {
  if (argument.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                 "-_=./:,+") == std::string::npos)
    return argument;
  std::string text = "'";
  for (const char c : argument) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::filesystem::path default_output(const std::string& name) {
  const std::time_t now = std::time(nullptr);
  std::tm local = {};
  ::localtime_r(&now, &local);
  char stamp[32];
  std::strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &local);
  const std::filesystem::path runs = "runs";
  std::filesystem::path folder = runs / (name + "-" + stamp);
  std::error_code failure;
  std::filesystem::create_directories(runs, failure);
  // Created at once: another run that begins in the same second takes the next name.
  for (int n = 2; !failure && !std::filesystem::create_directory(folder, failure); ++n)
    if (!failure) folder = runs / (name + "-" + stamp + "-" + std::to_string(n));
  if (failure)
    throw Error("cannot create the output folder '" + folder.string() + "': " + failure.message() +
                "; choose another with --out DIR");
  return folder;
}

bool in_source_tree() {
  std::error_code failure;
  // There the program is in build/PRESET/bin. What is installed below a source tree has no cache of
  // CMake beside it.
  const auto build =
      std::filesystem::read_symlink("/proc/self/exe", failure).parent_path().parent_path();
  const auto root = build.parent_path().parent_path();
  return std::filesystem::is_regular_file(build / "CMakeCache.txt", failure) &&
         std::filesystem::is_regular_file(root / "semblance", failure) &&
         std::filesystem::is_regular_file(root / "CMakePresets.json", failure);
}

std::string called_program() { return in_source_tree() ? "./semblance" : "semblance"; }

std::string repeat_command(const std::string& verb, const std::vector<std::string>& arguments) {
  std::string command = called_program() + " " + verb;
  for (const auto& argument : arguments) command += " " + quoted(argument);
  return command;
}

}  // namespace semblance::cli

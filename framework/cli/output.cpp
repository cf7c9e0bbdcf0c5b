// SPDX-License-Identifier: MIT
#include "cli/output.hpp"

#include <ctime>

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
  std::filesystem::path folder = std::filesystem::path("runs") / (name + "-" + stamp);
  for (int n = 2; std::filesystem::exists(folder); ++n)
    folder = std::filesystem::path("runs") / (name + "-" + stamp + "-" + std::to_string(n));
  return folder;
}

std::string repeat_command(const std::string& verb, const std::vector<std::string>& arguments) {
  std::string command = "./semblance " + verb;
  for (const auto& argument : arguments) command += " " + quoted(argument);
  return command;
}

}  // namespace semblance::cli

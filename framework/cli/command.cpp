// SPDX-License-Identifier: MIT
#include "cli/command.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "semblance/error.hpp"

extern char** environ;

namespace semblance::cli {
namespace {

/// A pipe whose reading end is this process's.
struct Pipe {
  Pipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
      throw Error("cannot make a pipe: " + std::generic_category().message(errno));
  }
  ~Pipe() {
    for (const int end : ends)
      if (end >= 0) ::close(end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  void close_writing() {
    ::close(ends[1]);
    ends[1] = -1;
  }

  std::array<int, 2> ends = {-1, -1};
};

/// Appends the available bytes to `text`; false at the end.
bool read_some(int descriptor, std::string& text) {
  std::array<char, 4096> bytes;
  const ssize_t count = ::read(descriptor, bytes.data(), bytes.size());
  if (count > 0) text.append(bytes.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && errno == EINTR);
}

/// Reads both pipes until their ends.
void read_all(const Pipe& output, const Pipe& errors, CommandOutcome& outcome) {
  std::array<pollfd, 2> wanted = {{{output.ends[0], POLLIN, 0}, {errors.ends[0], POLLIN, 0}}};
  const std::array<std::string*, 2> texts = {&outcome.output, &outcome.errors};
  while (wanted[0].fd >= 0 || wanted[1].fd >= 0) {
    if (::poll(wanted.data(), wanted.size(), -1) < 0 && errno != EINTR) return;
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (wanted[i].fd >= 0 && wanted[i].revents != 0 && !read_some(wanted[i].fd, *texts[i]))
        wanted[i].fd = -1;
  }
}

}  // namespace

std::optional<CommandOutcome> run_command(const std::vector<std::string>& words) {
  std::vector<std::string> copies = words;
  std::vector<char*> arguments;
  arguments.reserve(copies.size() + 1);
  for (std::string& word : copies) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  Pipe output, errors;
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, output.ends[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, errors.ends[1], STDERR_FILENO);
  pid_t process = -1;
  const int problem =
      ::posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (problem == ENOENT) return std::nullopt;
  if (problem != 0)
    throw Error("cannot start '" + words[0] + "': " + std::generic_category().message(problem));
  output.close_writing();
  errors.close_writing();
  CommandOutcome outcome;
  read_all(output, errors, outcome);
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  outcome.exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

}  // namespace semblance::cli

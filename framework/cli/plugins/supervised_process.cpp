// SPDX-License-Identifier: MIT
#include "cli/plugins/supervised_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "semblance/error.hpp"

namespace semblance::cli {

SupervisedProcess::SupervisedProcess(const std::vector<std::string>& arguments) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw Error(std::string("cannot open a pipe to a new process: ") + std::strerror(errno));
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], report_descriptor);
  ::posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  std::vector<char*> words;
  std::string program = "semblance";
  words.push_back(program.data());
  for (const auto& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  const int problem =
      ::posix_spawn(&process_, "/proc/self/exe", &actions, nullptr, words.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  pipe_ = ends[0];
  if (problem != 0) {
    ::close(pipe_);
    throw Error(std::string("cannot start the program again: ") + std::strerror(problem));
  }
}

SupervisedProcess::~SupervisedProcess() {
  if (ending_.empty()) end(0, true);
  ::close(pipe_);
}

std::optional<std::string> SupervisedProcess::take_line() {
  const auto newline = received_.find('\n');
  if (newline == std::string::npos) return std::nullopt;
  std::string line = received_.substr(0, newline);
  received_.erase(0, newline + 1);
  return line;
}

bool SupervisedProcess::wait_for_bytes(double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::duration<double>(seconds);
  for (;;) {
    const double left = std::chrono::duration<double>(until - Clock::now()).count();
    if (left <= 0) return false;
    pollfd waiting{pipe_, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(left * 1000) + 1);
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

std::optional<std::string> SupervisedProcess::next_line(double seconds) {
  if (!ending_.empty()) return std::nullopt;
  for (;;) {
    if (auto line = take_line()) return line;
    if (!wait_for_bytes(seconds)) {
      end(seconds, true);
      return std::nullopt;
    }
    char buffer[4096];
    const ssize_t count = ::read(pipe_, buffer, sizeof buffer);
    if (count > 0) {
      received_.append(buffer, static_cast<std::size_t>(count));
    } else if (count == 0 || errno != EINTR) {
      end(seconds, false);
      return std::nullopt;
    }
  }
}

void SupervisedProcess::end(double seconds, bool late) {
  if (late) ::kill(process_, SIGKILL);
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  if (late)
    ending_ = fmt::format("did not finish within {} s", seconds);
  else if (WIFSIGNALED(status))
    ending_ =
        fmt::format("crashed with signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
  else
    ending_ = fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

}  // namespace semblance::cli

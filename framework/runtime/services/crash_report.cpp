// SPDX-License-Identifier: MIT
// Handlers here only read prepared data and call write(): everything else is forbidden in them.
#include "runtime/services/crash_report.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace semblance {
namespace {

struct Crash {
  int signal;
  const char* what;
};

constexpr std::array crashes = {Crash{SIGSEGV, "segmentation fault"}, Crash{SIGABRT, "abort"},
                                Crash{SIGBUS, "bus error"}, Crash{SIGFPE, "arithmetic fault"},
                                Crash{SIGILL, "illegal instruction"}};

std::atomic<bool> reports = false;
std::array<char, 4096> log_file = {};

thread_local const AtWork* at_work = nullptr;

/// A separate stack for the handlers: the thread's own may have overflowed.
class HandlerStack {
 public:
  HandlerStack() {
    stack_t stack = {};
    stack.ss_sp = memory_.get();
    stack.ss_size = size;
    ::sigaltstack(&stack, nullptr);
  }
  ~HandlerStack() {
    stack_t none = {};
    none.ss_flags = SS_DISABLE;
    ::sigaltstack(&none, nullptr);
  }
  HandlerStack(const HandlerStack&) = delete;
  HandlerStack& operator=(const HandlerStack&) = delete;

 private:
  // Leaves room for the registers of the widest vector and tile units.
  static constexpr std::size_t size = 65536;
  std::unique_ptr<char[]> memory_ = std::make_unique<char[]>(size);
};

void put(int file, const char* text, std::size_t size) noexcept {
  while (size > 0) {
    const ssize_t written = ::write(file, text, size);
    if (written <= 0) return;
    text += written;
    size -= static_cast<std::size_t>(written);
  }
}
void put(int file, const char* text) noexcept { put(file, text, std::strlen(text)); }
void put(int file, const std::string& text) noexcept { put(file, text.data(), text.size()); }

void put_report(int file, const char* what) noexcept {
  put(file, "semblance: crashed (");
  put(file, what);
  put(file, ")");
  const AtWork* const work = at_work;
  if (!work || !work->node()) {
    put(file, " outside of any component; please report it with what 'semblance doctor' prints\n");
    return;
  }
  const PipelineNode& node = *work->node();
  const PluginOrigin& plugin = *node.entry->plugin;
  put(file, " in node '");
  put(file, node.name);
  put(file, "' (");
  put(file, node.component.id);
  put(file, "), while ");
  put(file, *work->phase());
  put(file, ": a mistake in plugin '");
  put(file, plugin.name);
  put(file, "' ");
  put(file, plugin.version);
  put(file, " (");
  put(file, plugin.library.native());
  put(file, "), or in a library that it uses; 'semblance check-plugin' tests it\n");
}

void report(const char* what) noexcept {
  put_report(STDERR_FILENO, what);
  if (log_file[0] == 0) return;
  const int log = ::open(log_file.data(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (log < 0) return;
  put_report(log, what);
  ::close(log);
}

/// True for the one thread that reports.
bool first_to_report() noexcept {
  static std::atomic<bool> taken = false;
  return !taken.exchange(true);
}

/// One thread reports; other threads that crash meanwhile wait for the end. A thread that crashes
/// while it reports ends the process at once.
void on_crash(int signal) {
  static thread_local bool mine = false;
  if (mine) {
    ::signal(signal, SIG_DFL);
    ::raise(signal);
  }
  mine = true;
  if (!first_to_report())
    for (;;) ::pause();
  const char* what = "signal";
  for (const Crash& crash : crashes)
    if (crash.signal == signal) what = crash.what;
  report(what);
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

/// Without this, a component that ends the process would end the run as if it were complete.
void on_exit() {
  if (!at_work || !at_work->node()) return;
  if (!first_to_report())
    for (;;) ::pause();
  report("exit");
  ::_exit(EXIT_FAILURE);
}

/// Each thread registers on_exit() before it works. So it runs before the destructors of the
/// plugins' statics, which other threads still use, and all threads that end the process at the
/// same time run one.
void prepare_thread() {
  thread_local const HandlerStack stack;
  [[maybe_unused]] thread_local const int registered = std::atexit(on_exit);
}

}  // namespace

void report_crashes() {
  if (reports.exchange(true)) return;
  for (const Crash& crash : crashes) {
    struct sigaction known = {};
    if (::sigaction(crash.signal, nullptr, &known) != 0 || known.sa_handler != SIG_DFL) continue;
    struct sigaction action = {};
    action.sa_handler = on_crash;
    action.sa_flags = SA_NODEFER | SA_ONSTACK;
    ::sigaction(crash.signal, &action, nullptr);
  }
}

void append_crashes_to(const std::filesystem::path& log) {
  std::error_code failure;
  const std::string file = log.empty() ? "" : std::filesystem::absolute(log, failure).string();
  const std::size_t size = file.size() < log_file.size() ? file.size() : 0;
  std::memcpy(log_file.data(), file.data(), size);
  log_file[size] = 0;
}

AtWork::AtWork(const PipelineNode& node, const std::string& phase)
    : node_(&node), phase_(&phase), before_(at_work) {
  if (reports) prepare_thread();
  at_work = this;
}

AtWork::AtWork(const AtWork* other) : before_(at_work) {
  if (other) {
    node_ = other->node_;
    phase_ = other->phase_;
  }
  if (reports) prepare_thread();
  at_work = this;
}

AtWork::~AtWork() { at_work = before_; }

const AtWork* AtWork::now() noexcept { return at_work; }

}  // namespace semblance

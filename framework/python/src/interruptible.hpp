// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace semblance::python {

/// The arguments of a call that can take long, and what it reports about interrupts.
class Interruptible {
 public:
  /// How far a node is: from any thread, as often as nodes like.
  void advance(const std::string& node, double done, double total);
  /// Calls `callback(node, done, total)` for what came last of each node. Needs the GIL; passes on
  /// exceptions.
  void pass_on();

  std::atomic<bool> cancel = false;              ///< set by Ctrl-C, for the run to look at
  pybind11::object callback = pybind11::none();  ///< of Python; None: progress is not reported
  bool return_on_interrupt = false;              ///< Ctrl-C stops the work and is no exception
  bool interrupted = false;                      ///< afterwards: Ctrl-C came

 private:
  std::mutex mutex_;
  std::map<std::string, std::pair<double, double>> news_;
};

/// Runs `work` on another thread without the GIL, while this thread lets Python handle signals and
/// passes on progress, fifty times a second. Ctrl-C sets `cancel`; when the work has then ended,
/// KeyboardInterrupt is raised, unless it shall not. An exception of a signal's handler or the
/// callback also sets it, and is always raised. Exceptions of the work are passed on. If the work
/// should take so few `seconds` that nobody would notice, and no progress is reported, it runs on
/// this thread: another one costs up to a tenth of a millisecond.
void run_interruptibly(Interruptible& call, const std::function<void()>& work,
                       double seconds = std::numeric_limits<double>::infinity());

/// The same for work that stops soon after its argument is set.
void run_call(double seconds, const std::function<void(const std::atomic<bool>& cancel)>& work);

/// Ends all such calls of this process and waits for them: at the end of Python, which takes its
/// threads away wherever they are.
void end_calls();

}  // namespace semblance::python

// SPDX-License-Identifier: MIT
#include "interruptible.hpp"

#include <unistd.h>

#include <chrono>
#include <future>
#include <optional>
#include <set>
#include <thread>

namespace semblance::python {
namespace {

namespace py = pybind11;

/// The calls that go on, each with its process: a fork copies this list, and not the threads that
/// work. Under the GIL.
std::set<std::pair<::pid_t, Interruptible*>> going_on;

/// Enters a call in that list.
class GoingOn {
 public:
  explicit GoingOn(Interruptible& call) : entry_(::getpid(), &call) { going_on.insert(entry_); }
  ~GoingOn() { going_on.erase(entry_); }
  GoingOn(const GoingOn&) = delete;
  GoingOn& operator=(const GoingOn&) = delete;

 private:
  std::pair<::pid_t, Interruptible*> entry_;
};

/// Whether any call of this process is still running; asks all of them to stop.
bool cancel_all() {
  bool any = false;
  for (const auto& [process, call] : going_on)
    if (process == ::getpid()) any = call->cancel = true;
  return any;
}

}  // namespace

void end_calls() {
  using namespace std::chrono;
  for (const auto until = steady_clock::now() + seconds(10);
       cancel_all() && steady_clock::now() < until;) {
    const py::gil_scoped_release released;
    std::this_thread::sleep_for(milliseconds(5));
  }
}

void Interruptible::advance(const std::string& node, double done, double total) {
  const std::lock_guard lock(mutex_);
  news_[node] = {done, total};
}

void Interruptible::pass_on() {
  std::map<std::string, std::pair<double, double>> news;
  {
    const std::lock_guard lock(mutex_);
    news.swap(news_);
  }
  for (const auto& [node, place] : news) callback(node, place.first, place.second);
}

void run_interruptibly(Interruptible& call, const std::function<void()>& work, double seconds) {
  constexpr double unnoticed = 0.02;
  const GoingOn entered(call);
  if (seconds < unnoticed && call.callback.is_none()) {
    const py::gil_scoped_release released;
    return work();
  }
  std::optional<py::error_already_set> raised;
  const auto look = [&] {
    if (raised) return;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (!call.callback.is_none()) call.pass_on();
    } catch (py::error_already_set& error) {
      raised.emplace(std::move(error));
      call.cancel = true;
    }
  };
  std::future<void> ended;
  {
    const py::gil_scoped_release released;
    ended = std::async(std::launch::async, work);
    while (ended.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
      const py::gil_scoped_acquire held;
      look();
    }
  }
  look();
  if (raised) {
    call.interrupted = raised->matches(PyExc_KeyboardInterrupt);
    if (!call.interrupted || !call.return_on_interrupt) throw std::move(*raised);
  }
  ended.get();
}

void run_call(double seconds, const std::function<void(const std::atomic<bool>& cancel)>& work) {
  Interruptible call;
  run_interruptibly(
      call, [&] { work(call.cancel); }, seconds);
}

}  // namespace semblance::python

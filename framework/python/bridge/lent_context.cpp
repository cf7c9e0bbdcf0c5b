// SPDX-License-Identifier: MIT
#include "lent_context.hpp"

#include <pybind11/pybind11.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "interpreter.hpp"
#include "semblance/context.hpp"
#include "semblance/error.hpp"

namespace semblance::python {

namespace py = pybind11;

namespace {

/// A call of Python on this thread that ends soon after a stop is requested, also where it does not
/// ask: once a moment has passed, semblance._declare.Stopped is raised in it. Code that is not
/// Python's own (a product of matrices) is not interrupted. Made and destroyed under the
/// interpreter's lock.
class InterruptedCall {
 public:
  InterruptedCall(const Context& context, const std::atomic<bool>& stop_seen);
  ~InterruptedCall();
  InterruptedCall(const InterruptedCall&) = delete;
  InterruptedCall& operator=(const InterruptedCall&) = delete;

 private:
  friend class Interrupter;
  using Clock = std::chrono::steady_clock;

  bool is_due();
  void interrupt(const pybind11::object& stopped);

  const Context& context_;
  const std::atomic<bool>& stop_seen_;
  unsigned long thread_;
  Clock::time_point stopped_ = {};  ///< when the request was noticed
  bool interrupted_ = false;
};

/// How long a call may go on after a stop was requested: of itself, and once it has asked and so
/// knows that it has to end.
constexpr std::chrono::milliseconds grace(200), grace_if_it_knows(5000), pause(50);

/// Looks after all calls, on a thread of its own. Whoever takes its mutex and the interpreter's
/// lock takes the latter first.
class Interrupter {
 public:
  /// The one of this process: a fork has the object, but not the thread.
  static Interrupter& instance() {
    static std::atomic<Interrupter*> only = nullptr;
    if (Interrupter* there = only.load(); there && there->process_ == ::getpid()) return *there;
    only = new Interrupter;  // under the interpreter's lock; never destroyed
    return *only.load();
  }

  void add(InterruptedCall* call) {
    const std::lock_guard lock(mutex_);
    calls_.push_back(call);
  }
  void remove(InterruptedCall* call) {
    const std::lock_guard lock(mutex_);
    std::erase(calls_, call);
  }

 private:
  Interrupter() : process_(::getpid()) {
    std::thread([this] { watch(); }).detach();
  }

  void watch() {
    for (;;) {
      std::this_thread::sleep_for(pause);
      if (any_due()) interrupt_due();
    }
  }

  bool any_due() {
    const std::lock_guard lock(mutex_);
    return std::ranges::any_of(calls_, [](InterruptedCall* call) { return call->is_due(); });
  }

  void interrupt_due() {
    const py::gil_scoped_acquire python;
    const py::object stopped = part_of_package("_declare").attr("Stopped");  // may run Python
    const std::lock_guard lock(mutex_);
    for (InterruptedCall* call : calls_)
      if (call->is_due()) call->interrupt(stopped);
  }

  const pid_t process_;
  std::mutex mutex_;
  std::vector<InterruptedCall*> calls_;
};

InterruptedCall::InterruptedCall(const Context& context, const std::atomic<bool>& stop_seen)
    : context_(context), stop_seen_(stop_seen), thread_(PyThread_get_thread_ident()) {
  Interrupter::instance().add(this);
}

InterruptedCall::~InterruptedCall() {
  Interrupter::instance().remove(this);
  if (interrupted_) PyThreadState_SetAsyncExc(thread_, nullptr);  // it ended by itself meanwhile
}

bool InterruptedCall::is_due() {
  if (interrupted_ || context_.stop_requested() == StopReason::none) return false;
  const auto now = Clock::now();
  if (stopped_ == Clock::time_point()) stopped_ = now;
  return now - stopped_ >= (stop_seen_ ? grace_if_it_knows : grace);
}

void InterruptedCall::interrupt(const py::object& stopped) {
  interrupted_ = true;
  PyThreadState_SetAsyncExc(thread_, stopped.ptr());
}

thread_local Context* current_context = nullptr;

}  // namespace

struct LentContext::Handle {
  Context* context = nullptr;
  std::atomic<bool> stop_seen = false;
  std::optional<InterruptedCall> call;

  Context& use() const {
    if (!context)
      throw py::value_error("the context is valid only during the call that it was given to");
    return *context;
  }
  bool stop_requested() {
    const bool stop = use().stop_requested() != StopReason::none;
    if (stop) stop_seen = true;
    return stop;
  }
  void check_stop() const {
    if (use().stop_requested() == StopReason::none) return;
    const py::object type = part_of_package("_declare").attr("Stopped");
    PyErr_SetObject(type.ptr(), type().ptr());
    throw py::error_already_set();
  }
  /// Without the lock: the runtime's log has one of its own, which another thread may hold.
  void log(const std::string& message, LogLevel level) const {
    Context& context = use();
    const py::gil_scoped_release unlocked;
    context.log(level, message);
  }
  void progress(double done, double total) const {
    Context& context = use();
    const py::gil_scoped_release unlocked;
    context.progress(done, total);
  }
  std::uint64_t seed() const { return use().random().bits(); }
};

void LentContext::define() {
  static bool defined = false;
  if (defined) return;
  py::class_<Handle, std::shared_ptr<Handle>>(part_of_package("_bridge"), "NativeContext",
                                              py::module_local())
      .def_property_readonly("stop_requested", &Handle::stop_requested)
      .def("check_stop", &Handle::check_stop)
      .def("log",
           [](const Handle& self, const std::string& text) { self.log(text, LogLevel::info); })
      .def("warn",
           [](const Handle& self, const std::string& text) { self.log(text, LogLevel::warning); })
      .def("progress", &Handle::progress)
      .def_property_readonly("seed", &Handle::seed)
      .def_property_readonly("threads", [](const Handle& self) { return self.use().threads(); })
      .def_property_readonly("memory_budget",
                             [](const Handle& self) { return self.use().memory_budget(); });
  defined = true;
}

LentContext::LentContext(Context& context) : handle_(std::make_shared<Handle>()) {
  define();
  handle_->context = &context;
  object_ = py::cast(handle_);
  handle_->call.emplace(context, handle_->stop_seen);
  outer_ = std::exchange(current_context, &context);
}

LentContext::~LentContext() {
  current_context = outer_;
  handle_->call.reset();
  handle_->context = nullptr;
}

Context& LentContext::current() {
  if (!current_context)
    throw py::value_error(
        "a measure can only be called while the runtime calls its component, on the same thread");
  return *current_context;
}

bool LentContext::stop_seen() const noexcept { return handle_->stop_seen; }

}  // namespace semblance::python

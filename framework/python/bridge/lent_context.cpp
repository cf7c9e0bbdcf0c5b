// SPDX-License-Identifier: MIT
#include "lent_context.hpp"

#include <atomic>
#include <optional>
#include <string>
#include <utility>

#include "interpreter.hpp"
#include "interrupter.hpp"
#include "semblance/error.hpp"

namespace semblance::python {

namespace py = pybind11;

namespace {
thread_local Context* current_context = nullptr;
}

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

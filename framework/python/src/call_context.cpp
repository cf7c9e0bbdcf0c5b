// SPDX-License-Identifier: MIT
#include "call_context.hpp"

#include "errors.hpp"
#include "runtime/services/process_threads.hpp"
#include "runtime/services/run_options.hpp"

namespace semblance::python {

CallContext::CallContext(const std::string& name, std::uint64_t seed, std::size_t wanted)
    : threads_(workers(wanted)),
      arena_(static_cast<int>(threads_)),
      services_{stop_,
                arena_,
                threads_,
                [this](LogLevel level, const std::string& line) {
                  if (level != LogLevel::warning) return;
                  const std::lock_guard lock(mutex_);
                  warnings_.push_back(line);
                },
                [](const std::string&, double, double) {},
                [memory = default_memory(threads_)] { return memory; }},
      context_(services_, name, seed) {}

std::size_t CallContext::workers(std::size_t wanted) {
  const std::size_t threads = usable_threads(wanted);
  if (threads > 1) expect_workers(threads);
  return threads;
}

void CallContext::run(const std::function<void()>& body) {
  const OneBlasThread one;
  arena_.execute(body);
}

void CallContext::pass_on_warnings() const {
  for (const std::string& line : warnings_) warn(line);
}

}  // namespace semblance::python

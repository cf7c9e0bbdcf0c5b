// SPDX-License-Identifier: MIT
#include "semblance/testing.hpp"

#include <exception>

namespace semblance::testing {

HelperThreads::HelperThreads() = default;

HelperThreads::~HelperThreads() {
  const std::lock_guard lock(mutex_);
  ending_ = true;
  begun_.notify_all();
}

bool HelperThreads::run(std::size_t count, const std::function<void()>& work) {
  {
    const std::lock_guard lock(mutex_);
    if (work_) return false;
    work_ = &work;
    places_ = count;
    while (threads_.size() < count) threads_.emplace_back([this] { help(); });
  }
  for (std::size_t t = 0; t < count; ++t) begun_.notify_one();
  work();
  std::unique_lock lock(mutex_);
  places_ = 0;
  ended_.wait(lock, [&] { return inside_ == 0; });
  work_ = nullptr;
  return true;
}

void HelperThreads::help() {
  std::unique_lock lock(mutex_);
  for (;;) {
    begun_.wait(lock, [&] { return ending_ || places_ > 0; });
    if (ending_) return;
    --places_;
    ++inside_;
    const auto& work = *work_;
    lock.unlock();
    work();
    lock.lock();
    if (--inside_ == 0) ended_.notify_one();
  }
}

TestContext::TestContext(std::size_t threads, std::uint64_t seed)
    : threads_(threads), seed_(seed) {}

TestContext::~TestContext() = default;

void TestContext::log(LogLevel, std::string_view message) {
  const std::lock_guard lock(mutex_);
  lines.emplace_back(message);
}

Random TestContext::random() const { return Random(seed_); }
StopReason TestContext::stop_requested() const noexcept { return stop; }
void TestContext::progress(double, double) {}
std::size_t TestContext::memory_budget() const noexcept { return budget; }
std::size_t TestContext::threads() const noexcept { return threads_; }

void TestContext::parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) body(i);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure = std::current_exception();
    }
  };
  if (threads_ <= 1 || count <= 1) {
    work();
  } else if (!helpers_.run(threads_ - 1, work)) {  // a call within a call
    std::vector<std::jthread> helpers;
    for (std::size_t t = 1; t < threads_; ++t) helpers.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

MemoryReport::MemoryReport() = default;
MemoryReport::~MemoryReport() = default;

void MemoryReport::number(std::string_view name, double value) { numbers[fresh(name)] = value; }
void MemoryReport::integer(std::string_view name, std::int64_t value) {
  integers[fresh(name)] = value;
}
void MemoryReport::text(std::string_view name, std::string_view value) {
  texts[fresh(name)] = value;
}
void MemoryReport::curve(const Curve& c) { curves[fresh(c.name)] = c; }
void MemoryReport::table(const Table& t) { tables[fresh(t.name)] = t; }
void MemoryReport::plane_map(const PlaneMap& m) { plane_maps[fresh(m.name)] = m; }
void MemoryReport::sample_list(const SampleList& l) { sample_lists[fresh(l.name)] = l; }
void MemoryReport::draw(const Drawing& d) {
  drawings.insert_or_assign(fresh(name_of(d)), checked_drawing(d));
}
void MemoryReport::explained_samples(const ExplainedSamples& s) { explained[fresh(s.name)] = s; }

std::string MemoryReport::fresh(std::string_view name) {
  if (!names_.emplace(name).second) throw Error("'" + std::string(name) + "' is reported twice");
  return std::string(name);
}

}  // namespace semblance::testing

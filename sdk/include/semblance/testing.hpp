// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "semblance/error.hpp"
#include "semblance/explanation.hpp"
#include "semblance/memory_state.hpp"
#include "semblance/report.hpp"
#include "semblance/samples.hpp"

/// Stand-ins for the runtime in the tests of components.
namespace semblance::testing {

using MemoryRows = MatrixRows;

/// Threads that are made once and help with one call at a time. With new threads for each call the
/// linear plugin's tests made 370,000, and waited until each had been scheduled.
class HelperThreads {
 public:
  ~HelperThreads() {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    begun_.notify_all();
  }

  /// Calls `work`, which must not throw, on this thread and on up to `count` helpers: those that
  /// get to it before it ends here. Returns false, without a call, if the helpers are in use.
  bool run(std::size_t count, const std::function<void()>& work) {
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

 private:
  void help() {
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

  std::mutex mutex_;
  std::condition_variable begun_, ended_;
  const std::function<void()>* work_ = nullptr;
  std::size_t places_ = 0;  ///< for helpers that have not begun
  std::size_t inside_ = 0;  ///< helpers that work
  bool ending_ = false;
  std::vector<std::jthread> threads_;  ///< last, so that they end before the other members
};

/// A context with plain threads, collected log lines, and a stop that the test can request. Tests
/// that need other behaviour (a stop after some work, say) derive from it.
class TestContext : public Context {
 public:
  explicit TestContext(std::size_t threads = 2, std::uint64_t seed = 1)
      : threads_(threads), seed_(seed) {}

  void log(LogLevel, std::string_view message) override {
    const std::lock_guard lock(mutex_);
    lines.emplace_back(message);
  }
  Random random() const override { return Random(seed_); }
  StopReason stop_requested() const noexcept override { return stop; }
  void progress(double, double) override {}
  std::size_t memory_budget() const noexcept override { return budget; }
  std::size_t threads() const noexcept override { return threads_; }
  void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) override {
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

  std::vector<std::string> lines;
  std::atomic<StopReason> stop{StopReason::none};
  std::size_t budget = std::size_t{1} << 30;

 private:
  std::size_t threads_;
  std::uint64_t seed_;
  std::mutex mutex_;
  HelperThreads helpers_;
};

/// Stores what a component reports.
class MemoryReport final : public Report {
 public:
  void number(std::string_view name, double value) override { numbers[fresh(name)] = value; }
  void integer(std::string_view name, std::int64_t value) override {
    integers[fresh(name)] = value;
  }
  void text(std::string_view name, std::string_view value) override { texts[fresh(name)] = value; }
  void curve(const Curve& c) override { curves[fresh(c.name)] = c; }
  void table(const Table& t) override { tables[fresh(t.name)] = t; }
  void plane_map(const PlaneMap& m) override { plane_maps[fresh(m.name)] = m; }
  void sample_list(const SampleList& l) override { sample_lists[fresh(l.name)] = l; }
  void draw(const Drawing& d) override {
    drawings.insert_or_assign(fresh(name_of(d)), checked_drawing(d));
  }
  void explained_samples(const ExplainedSamples& s) override { explained[fresh(s.name)] = s; }

  std::map<std::string, double> numbers;
  std::map<std::string, std::int64_t> integers;
  std::map<std::string, std::string> texts;
  std::map<std::string, Curve> curves;
  std::map<std::string, Table> tables;
  std::map<std::string, PlaneMap> plane_maps;
  std::map<std::string, SampleList> sample_lists;
  std::map<std::string, Drawing> drawings;
  std::map<std::string, ExplainedSamples> explained;

 private:
  /// As in a run: a node's scalars, curves and tables share one set of names.
  std::string fresh(std::string_view name) {
    if (!names_.emplace(name).second) throw Error("'" + std::string(name) + "' is reported twice");
    return std::string(name);
  }
  std::set<std::string> names_;
};

}  // namespace semblance::testing

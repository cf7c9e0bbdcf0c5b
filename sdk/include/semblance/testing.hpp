// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "semblance/error.hpp"
#include "semblance/memory_state.hpp"
#include "semblance/report.hpp"
#include "semblance/samples.hpp"

/// Stand-ins for the runtime in the tests of components.
namespace semblance::testing {

using MemoryRows = MatrixRows;

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
    {
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

  std::map<std::string, double> numbers;
  std::map<std::string, std::int64_t> integers;
  std::map<std::string, std::string> texts;
  std::map<std::string, Curve> curves;
  std::map<std::string, Table> tables;
  std::map<std::string, PlaneMap> plane_maps;
  std::map<std::string, SampleList> sample_lists;

 private:
  /// As in a run: a node's scalars, curves and tables share one set of names.
  std::string fresh(std::string_view name) {
    if (!names_.emplace(name).second) throw Error("'" + std::string(name) + "' is reported twice");
    return std::string(name);
  }
  std::set<std::string> names_;
};

}  // namespace semblance::testing

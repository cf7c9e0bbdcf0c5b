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
  HelperThreads();
  ~HelperThreads();

  /// Calls `work`, which must not throw, on this thread and on up to `count` helpers: those that
  /// get to it before it ends here. Returns false, without a call, if the helpers are in use.
  bool run(std::size_t count, const std::function<void()>& work);

 private:
  void help();

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
  explicit TestContext(std::size_t threads = 2, std::uint64_t seed = 1);
  ~TestContext() override;

  void log(LogLevel, std::string_view message) override;
  Random random() const override;
  StopReason stop_requested() const noexcept override;
  void progress(double, double) override;
  std::size_t memory_budget() const noexcept override;
  std::size_t threads() const noexcept override;
  void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) override;

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
  MemoryReport();
  ~MemoryReport() override;

  void number(std::string_view name, double value) override;
  void integer(std::string_view name, std::int64_t value) override;
  void text(std::string_view name, std::string_view value) override;
  void curve(const Curve& c) override;
  void table(const Table& t) override;
  void plane_map(const PlaneMap& m) override;
  void sample_list(const SampleList& l) override;
  void draw(const Drawing& d) override;
  void explained_samples(const ExplainedSamples& s) override;

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
  std::string fresh(std::string_view name);

  std::set<std::string> names_;
};

}  // namespace semblance::testing

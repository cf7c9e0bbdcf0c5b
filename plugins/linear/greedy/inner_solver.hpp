// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "semblance/context.hpp"
#include "semblance/report.hpp"

/// Contexts and reports for solvers that train other solvers.
namespace semblance::linear {

/// The context of one of many trainings: a part of the memory, no progress, and log lines for
/// debugging only.
class InnerContext final : public Context {
 public:
  InnerContext(Context& outer, std::size_t memory) : outer_(outer), memory_(memory) {}

  void log(LogLevel, std::string_view message) override { outer_.log(LogLevel::debug, message); }
  Random random() const override { return outer_.random(); }
  StopReason stop_requested() const noexcept override { return outer_.stop_requested(); }
  void progress(double, double) override {}
  std::size_t memory_budget() const noexcept override { return memory_; }
  std::size_t threads() const noexcept override { return outer_.threads(); }
  void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) override {
    outer_.parallel_for(count, body);
  }

 private:
  Context& outer_;
  std::size_t memory_;
};

/// Stores the certificate and discards everything else.
class CertificateReport final : public Report {
 public:
  void number(std::string_view, double) override {}
  void integer(std::string_view, std::int64_t) override {}
  void text(std::string_view name, std::string_view value) override {
    if (name == "certificate") certificate = value;
  }
  void curve(const Curve&) override {}
  void table(const Table&) override {}
  void plane_map(const PlaneMap&) override {}
  void sample_list(const SampleList&) override {}

  std::string certificate;
};

/// Passes on everything except times, which the outer solver reports.
class PassingReport final : public Report {
 public:
  explicit PassingReport(Report& outer) : outer_(outer) {}
  void number(std::string_view name, double value) override {
    if (name != "train_seconds") outer_.number(name, value);
  }
  void integer(std::string_view name, std::int64_t value) override { outer_.integer(name, value); }
  void text(std::string_view name, std::string_view value) override {
    if (name == "certificate")
      certificate = value;
    else
      outer_.text(name, value);
  }
  void curve(const Curve& curve) override { outer_.curve(curve); }
  void table(const Table& table) override { outer_.table(table); }
  void plane_map(const PlaneMap& map) override { outer_.plane_map(map); }
  void sample_list(const SampleList& list) override { outer_.sample_list(list); }

  std::string certificate;  ///< not passed on

 private:
  Report& outer_;
};

}  // namespace semblance::linear

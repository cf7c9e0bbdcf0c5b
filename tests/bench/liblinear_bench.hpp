// SPDX-License-Identifier: MIT
#pragma once

#include <linear.h>

#include <vector>

#include "linear_svm_bench.hpp"
#include "semblance/context.hpp"
#include "timed.hpp"

/// Helpers for benchmarks against LIBLINEAR.
namespace semblance::bench {

/// Plenty of memory, one thread.
class OneThread final : public Context {
 public:
  void log(LogLevel, std::string_view) override {}
  Random random() const override { return Random(1); }
  StopReason stop_requested() const noexcept override { return StopReason::none; }
  void progress(double, double) override {}
  std::size_t memory_budget() const noexcept override { return std::size_t{4} << 30; }
  std::size_t threads() const noexcept override { return 1; }
  void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) override {
    for (std::size_t i = 0; i < count; ++i) body(i);
  }
};

/// LIBLINEAR's sparse copy of the rows, bias appended.
class Nodes {
 public:
  explicit Nodes(const Problem& p) {
    const std::size_t cols = p.values.cols;
    std::vector<std::size_t> starts;
    for (std::size_t i = 0; i < p.labels.size(); ++i) {
      starts.push_back(nodes_.size());
      for (std::size_t j = 0; j < cols; ++j)
        if (const float x = p.values.values[i * cols + j]; x != 0)
          nodes_.push_back({static_cast<int>(j + 1), x});
      nodes_.push_back({static_cast<int>(cols + 1), 1});
      nodes_.push_back({-1, 0});
    }
    for (const std::size_t start : starts) rows_.push_back(nodes_.data() + start);
  }
  feature_node** rows() { return rows_.data(); }

 private:
  std::vector<feature_node> nodes_;
  std::vector<feature_node*> rows_;
};

}  // namespace semblance::bench

// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "semblance/evaluator.hpp"
#include "semblance/plugin_testing.hpp"
#include "semblance/source.hpp"

/// Helpers for tests of the evaluators.
namespace semblance::evaluators::testing {

using namespace semblance::testing;

inline const std::vector<std::string> abc = {"a", "b", "c"}, ham_spam = {"ham", "spam"};

/// Points in memory, as a source gives them.
class Points final : public Dataset {
 public:
  Points(std::vector<float> values, std::vector<std::int32_t> labels, std::size_t train,
         const Layout& layout, std::vector<std::string> classes)
      : values_(std::move(values)), labels_(std::move(labels)) {
    outline_ = {layout, train, labels_.size() - train, std::move(classes)};
  }
  const Outline& outline() const noexcept override { return outline_; }
  std::span<const std::int32_t> labels() const noexcept override { return labels_; }
  void read(std::size_t first, MutableMatrixView out) const override {
    for (std::size_t i = 0; i < out.rows; ++i)
      std::copy_n(&values_[(first + i) * out.cols], out.cols, out.row(i));
  }
  std::size_t bytes() const noexcept override { return 0; }

 private:
  Outline outline_;
  std::vector<float> values_;
  std::vector<std::int32_t> labels_;
};

/// Points of the plane with numbers to predict; two of them are training samples. They are counted
/// from 10, and row i is at (10 i, 10 i + 1).
class NumberedPoints final : public Dataset {
 public:
  NumberedPoints(std::vector<double> targets, std::vector<std::string> names)
      : targets_(std::move(targets)) {
    const std::size_t rows = targets_.size() / names.size();
    labels_.assign(rows, -1);
    outline_ = {Layout::vector(2), 2, rows - 2, {}};
    outline_.targets = std::move(names);
    outline_.columns = {"height", "weight"};
  }
  const Outline& outline() const noexcept override { return outline_; }
  std::span<const std::int32_t> labels() const noexcept override { return labels_; }
  std::span<const double> targets() const noexcept override { return targets_; }
  std::string name(std::size_t row) const override { return row == 3 ? "odd.png" : ""; }
  std::int64_t number(std::size_t row) const override {
    return static_cast<std::int64_t>(row) + 10;
  }
  void read(std::size_t first, MutableMatrixView out) const override {
    for (std::size_t i = 0; i < out.rows; ++i)
      for (std::size_t c = 0; c < out.cols; ++c)
        out.row(i)[c] = static_cast<float>(10 * (first + i) + c);
  }
  std::size_t bytes() const noexcept override { return 0; }

 private:
  Outline outline_;
  std::vector<std::int32_t> labels_;
  std::vector<double> targets_;
};

/// The error message of `body`; empty if there is none.
template <class Body>
std::string message_of(const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// The output of an evaluator.
struct Judged {
  MemoryReport report;
  std::vector<std::string> lines;  ///< of the log
  double figure(const std::string& name) const { return report.numbers.at(name); }
};

/// The input of an evaluator besides scores.
struct Judging {
  bool probabilities = false;
  std::size_t threads = 2;
  bool sets = false;
};

/// Evaluates scores, one per class in each row.
inline Judged judge_scores(const std::string& id, const std::vector<float>& scores,
                           const std::vector<std::int32_t>& labels,
                           const std::vector<std::string>& classes, const Parameters& parameters,
                           const Judging& judging = {}) {
  const auto evaluator = make_component<Evaluator>(id, parameters);
  Judged judged;
  TestContext context(judging.threads);
  const std::size_t k = classes.size();
  Results test{{scores.data(), scores.size() / k, k, k}, labels, classes};
  test.lineage.solver = "solver/mine";
  test.probabilities = judging.probabilities;
  test.sets = judging.sets;
  evaluator->check_scores({"mine", "solver/mine", classes, judging.probabilities, judging.sets});
  evaluator->evaluate(test, judged.report, context);
  judged.lines = context.lines;
  return judged;
}

/// Evaluates an empty set of scores with this lineage.
inline MemoryReport judge(const std::string& id, const Lineage& lineage,
                          const std::vector<std::string>& classes,
                          const Parameters& parameters = {}) {
  const auto evaluator = make_component<Evaluator>(id, parameters);
  MemoryReport report;
  TestContext context;
  Results scored{{nullptr, 0, classes.size(), classes.size()}, {}, classes, lineage};
  evaluator->evaluate(scored, report, context);
  return report;
}

}  // namespace semblance::evaluators::testing

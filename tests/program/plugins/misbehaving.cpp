// SPDX-License-Identifier: MIT
// Components that each break one promise of their interface.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <thread>

#include "semblance/basis.hpp"
#include "semblance/evaluator.hpp"
#include "semblance/feature.hpp"
#include "semblance/normalizer.hpp"
#include "semblance/novelty_detector.hpp"
#include "semblance/plugin.hpp"
#include "semblance/regressor.hpp"
#include "semblance/row_similarity.hpp"
#include "semblance/solver.hpp"

namespace semblance {
namespace {

/// A correct feature, which other classes break.
class Copy : public Feature {
 public:
  Layout bind(const Layout& input) override { return input; }
  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    for (std::size_t i = 0; i < in.rows; ++i)
      for (std::size_t j = 0; j < in.cols; ++j) out.row(i)[j] = in.row(i)[j];
  }
};

class Right final : public Copy {
 public:
  static Declaration<Right> declare() { return {"feature/right", "Copies"}; }
};

class Crashing final : public Copy {
 public:
  static Declaration<Crashing> declare() {
    return Declaration<Crashing>("feature/crashing", "Crashes without rows")
        .example("points: {is: source/xor}");
  }
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
    if (in.rows == 0) std::abort();
    Copy::apply(in, out, context);
  }
};

class Endless final : public Copy {
 public:
  static Declaration<Endless> declare() { return {"feature/endless", "Never ends without rows"}; }
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
    while (in.rows == 0) std::this_thread::yield();
    Copy::apply(in, out, context);
  }
};

class Shared final : public Copy {
 public:
  static Declaration<Shared> declare() { return {"feature/shared", "Threads share its memory"}; }
  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    for (std::size_t i = 0; i < in.rows; ++i)
      for (std::size_t j = 0; j < in.cols; ++j) {
        value_ = in.row(i)[j];
        if (j == 0 && i % 16 == 0) std::this_thread::yield();
        out.row(i)[j] = value_;
      }
  }

 private:
  mutable std::atomic<float> value_ = 0;  // no data race, and wrong all the same
};

class BlockMean final : public Copy {
 public:
  static Declaration<BlockMean> declare() { return {"feature/block_mean", "Looks at other rows"}; }
  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    for (std::size_t i = 0; i < in.rows; ++i)
      for (std::size_t j = 0; j < in.cols; ++j) out.row(i)[j] = in.row(i)[j] - in.row(0)[j];
  }
};

class Undocumented final : public Copy {
 public:
  static Declaration<Undocumented> declare() {
    return Declaration<Undocumented>("feature/undocumented", "Its parameter is badly declared")
        .parameter("size", &Undocumented::size_, "", at_least(1))
        .example(R"(
          points: {is: source/xr}
          x:      {is: feature/undocumented, from: points})");
  }

 private:
  std::int64_t size_ = 0;
};

class WrongError final : public Copy {
 public:
  static Declaration<WrongError> declare() { return {"feature/wrong_error", "Throws an int"}; }
  Layout bind(const Layout&) override { throw 42; }
};

class Forgetful final : public Normalizer {
 public:
  static Declaration<Forgetful> declare() { return {"normalizer/forgetful", "Saves nothing"}; }
  Layout bind(const Layout& input) override { return input; }
  void fit(const TrainingSet& training, Context&) override {
    offset_ = training.rows.view(0, 1).row(0)[0];
  }
  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    for (std::size_t i = 0; i < in.rows; ++i)
      for (std::size_t j = 0; j < in.cols; ++j) out.row(i)[j] = in.row(i)[j] - offset_;
  }

 private:
  float offset_ = 0;
};

/// Subtracts the mean, whose sum gets its terms as threads come to them.
class Racing final : public Normalizer {
 public:
  static Declaration<Racing> declare() { return {"normalizer/racing", "Adds in any order"}; }
  Layout bind(const Layout& input) override { return input; }
  void fit(const TrainingSet& training, Context& context) override {
    std::atomic<float> sum = 0;
    context.parallel_for(training.rows.rows(), [&](std::size_t i) {
      const float value = training.rows.view(i, 1).row(0)[0] / 3;
      for (float before = sum; !sum.compare_exchange_weak(before, before + value);) {
      }
    });
    mean_ = sum / static_cast<float>(training.rows.rows());
  }
  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    for (std::size_t i = 0; i < in.rows; ++i)
      for (std::size_t j = 0; j < in.cols; ++j) out.row(i)[j] = in.row(i)[j] - mean_;
  }
  void save(StateWriter& state) const override { state.number("mean", mean_); }
  void load(const StateReader& state, Context&) override {
    mean_ = static_cast<float>(state.number("mean"));
  }

 private:
  float mean_ = 0;
};

/// Subtracts a value of the first training sample of the first class.
class Peeking final : public Normalizer {
 public:
  static Declaration<Peeking> declare() { return {"normalizer/peeking", "Hides that it learns"}; }
  Layout bind(const Layout& input) override { return input; }
  void fit(const TrainingSet& training, Context&) override {
    for (std::size_t i = 0; i < training.labels.size() && offset_ == 0; ++i)
      if (training.labels[i] == 0) offset_ = training.rows.view(i, 1).row(0)[1];
  }
  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    for (std::size_t i = 0; i < in.rows; ++i)
      for (std::size_t j = 0; j < in.cols; ++j) out.row(i)[j] = in.row(i)[j] - offset_;
  }
  void save(StateWriter& state) const override { state.number("offset", offset_); }
  void load(const StateReader& state, Context&) override {
    offset_ = static_cast<float>(state.number("offset"));
  }

 private:
  float offset_ = 0;
};

class FalseClaims final : public RowSimilarity<FalseClaims> {
 public:
  static Declaration<FalseClaims> declare() {
    return Declaration<FalseClaims>("similarity/false_claims", "2 b_0 - x_0").symmetric();
  }
  template <class T>
  T compare(std::span<const T> b, std::span<const T> x) const {
    return static_cast<T>(2 * b[0] - x[0]);
  }
  void compare_with_gradient(MatrixView bases, MatrixView x, double* values,
                             double* gradients) const override {
    compare_plainly(bases, x, values);
    std::fill_n(gradients, bases.rows * x.cols, 0.0);
  }
  bool positive_semidefinite() const noexcept override { return true; }
};

class Repeating final : public Basis {
 public:
  static Declaration<Repeating> declare() { return {"basis/repeating", "One row twice"}; }
  std::vector<std::int64_t> select(const TrainingSet&, Context&) override { return {0, 0}; }
  std::size_t count(std::size_t, std::size_t) const override { return 2; }
};

class NeedsClasses final : public Basis {
 public:
  static Declaration<NeedsClasses> declare() { return {"basis/needs_classes", "Undeclared"}; }
  std::vector<std::int64_t> select(const TrainingSet& training, Context&) override {
    for (std::size_t i = 0; i < training.labels.size(); ++i)
      if (training.labels[i] == 0) return {static_cast<std::int64_t>(i)};
    return {};
  }
  std::size_t count(std::size_t, std::size_t) const override { return 1; }
};

class SecretlyRandom final : public Basis {
 public:
  static Declaration<SecretlyRandom> declare() { return {"basis/secretly_random", "Undeclared"}; }
  std::vector<std::int64_t> select(const TrainingSet& training, Context& context) override {
    return {static_cast<std::int64_t>(context.random().below(training.rows.rows()))};
  }
  std::size_t count(std::size_t, std::size_t) const override { return 1; }
};

class Overconfident final : public Solver {
 public:
  static Declaration<Overconfident> declare() {
    return Declaration<Overconfident>("solver/overconfident", "Is surer than sure")
        .reports({"objective", "none"});
  }
  Layout bind(const Layout&) override { return Layout::vector(classes_); }
  bool gives_probabilities() const override { return true; }
  void train(const TrainingSet& training, Report& report, Context&) override {
    classes_ = training.classes.size();
    report.text("certificate", name(Certificate::converged));
    report.number("objective", 0);
  }
  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    for (std::size_t i = 0; i < in.rows; ++i)
      for (std::size_t c = 0; c < out.cols; ++c) out.row(i)[c] = c == 0 ? 1.5F : 0.25F;
  }

 private:
  std::size_t classes_ = 0;
};

/// Estimates that are a hundredth too close to zero: a multiple of the mean of a class, which it
/// recognizes by the column with the largest value.
class Shrunken final : public Regressor {
 public:
  static Declaration<Shrunken> declare() {
    return Declaration<Shrunken>("solver/shrunken", "Underestimates")
        .reports({"objective", "none"});
  }
  Layout bind(const Layout&) override { return Layout::vector(means_.empty() ? 0 : 1); }
  void train(const TrainingSet& training, Report& report, Context&) override {
    if (training.target_names.size() != 1) throw Error("it learns one number");
    std::vector<double> counts(largest_, 1e-9);
    means_.assign(largest_, 0);
    for (std::size_t i = 0; i < training.rows.rows(); ++i) {
      const std::size_t group = group_of(training.rows.view(i, 1).row_span(0));
      counts[group] += 1;
      means_[group] += static_cast<float>(0.99 * training.targets[i]);
    }
    for (std::size_t g = 0; g < largest_; ++g) means_[g] /= static_cast<float>(counts[g]);
    report.text("certificate", name(Certificate::converged));
    report.number("objective", 0);
  }
  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    for (std::size_t i = 0; i < in.rows; ++i) out.row(i)[0] = means_[group_of(in.row_span(i))];
  }

 private:
  static constexpr std::size_t largest_ = 64;
  static std::size_t group_of(std::span<const float> row) {
    const auto at = std::ranges::max_element(row) - row.begin();
    return static_cast<std::size_t>(at) % largest_;
  }
  std::vector<float> means_;
};

/// Always the same estimates, and two of them.
class Guessing final : public Regressor {
 public:
  static Declaration<Guessing> declare() {
    return Declaration<Guessing>("solver/guessing", "Estimates 0").reports({"objective", "none"});
  }
  Layout bind(const Layout&) override { return Layout::vector(numbers_); }
  void train(const TrainingSet& training, Report& report, Context&) override {
    numbers_ = training.target_names.size();
    report.text("certificate", "done");
    report.number("objective", 0);
  }
  void apply(MatrixView, MutableMatrixView out, Context&) const override {
    for (std::size_t i = 0; i < out.rows; ++i) std::ranges::fill(out.row_span(i), 0.0F);
  }

 private:
  std::size_t numbers_ = 0;
};

/// Scores with the wrong sign.
class Reversed final : public NoveltyDetector {
 public:
  static Declaration<Reversed> declare() {
    return Declaration<Reversed>("solver/reversed", "Distance from the first training row")
        .reports({"objective", "none"});
  }
  Layout bind(const Layout&) override { return Layout::vector(first_.empty() ? 0 : 1); }
  void train(const TrainingSet& training, Report& report, Context&) override {
    if (training.classes.empty()) throw Error("it requires classes");
    const auto row = training.rows.view(0, 1).row_span(0);
    first_.assign(row.begin(), row.end());
    report.text("certificate", name(Certificate::converged));
    report.number("objective", 0);
  }
  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    for (std::size_t i = 0; i < in.rows; ++i) {
      float distance = 0;
      for (std::size_t j = 0; j < in.cols; ++j)
        distance += (in.row(i)[j] - first_[j]) * (in.row(i)[j] - first_[j]);
      out.row(i)[0] = distance - 1e-3F;
    }
  }

 private:
  std::vector<float> first_;
};

class OneNumber final : public EvaluatorOf<PortType::estimates> {
 public:
  static Declaration<OneNumber> declare() {
    return Declaration<OneNumber>("evaluator/one_number", "Ignores all but one number")
        .reports({"error", "largest error"});
  }
  void evaluate(const Results& test, Report& report, Context&) const override {
    if (test.target_names.size() > 1) throw Error("there are two numbers");
    if (!test.groups.empty() && std::ranges::min(test.groups) < 0)
      throw Error("a row is of group -1");
    double error = 0;
    for (std::size_t i = 0; i < test.targets.size(); ++i)
      error = std::max(error, std::abs(test.targets[i] - double{test.outputs.row(i)[0]}));
    report.number("error", error);
  }
};

class Undecided final : public EvaluatorOf<PortType::novelty> {
 public:
  static Declaration<Undecided> declare() {
    return Declaration<Undecided>("evaluator/undecided", "Reports another figure than it says")
        .reports({"novel", "samples with negative scores", FigureUnit::count});
  }
  void check_scores(const AnnouncedScores& scores) const override {
    if (scores.classes.empty()) throw Error("it requires classes");
  }
  void evaluate(const Results& test, Report& report, Context&) const override {
    if (test.outputs.cols != 1) throw Error("it requires one score per sample");
    report.integer("usual", 0);
  }
};

/// Only its base class says that it judges samples.
class Undeclared final : public EvaluatorOf<PortType::samples> {
 public:
  static Declaration<Undeclared> declare() {
    return Declaration<Undeclared>("evaluator/undeclared", "Counts rows")
        .reports({"rows", "number of training iterations", FigureUnit::count});
  }
  void evaluate(const Results& test, Report& report, Context&) const override {
    report.integer("rows", static_cast<std::int64_t>(test.training->rows.rows()));
    report.integer("columns", static_cast<std::int64_t>(test.training->rows.cols()));
  }
};

}  // namespace
}  // namespace semblance

SEMBLANCE_PLUGIN("misbehaving", "1.0.0", "MIT", semblance::Right, semblance::Crashing,
                 semblance::Endless, semblance::Shared, semblance::BlockMean,
                 semblance::Undocumented, semblance::WrongError, semblance::Forgetful,
                 semblance::FalseClaims, semblance::Repeating, semblance::SecretlyRandom,
                 semblance::Overconfident, semblance::Undeclared, semblance::Peeking,
                 semblance::NeedsClasses, semblance::Shrunken, semblance::Guessing,
                 semblance::Reversed, semblance::OneNumber, semblance::Undecided, semblance::Racing)

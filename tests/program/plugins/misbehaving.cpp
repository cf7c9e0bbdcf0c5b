// SPDX-License-Identifier: MIT
// Components that each break one promise of their interface.
#include <atomic>
#include <cstdlib>
#include <thread>

#include "semblance/basis.hpp"
#include "semblance/evaluator.hpp"
#include "semblance/feature.hpp"
#include "semblance/normalizer.hpp"
#include "semblance/plugin.hpp"
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

class FalseClaims final : public RowSimilarity<FalseClaims> {
 public:
  static Declaration<FalseClaims> declare() {
    return Declaration<FalseClaims>("similarity/false_claims", "2 b_0 - x_0").symmetric();
  }
  float compare(std::span<const float> b, std::span<const float> x) const {
    return 2 * b[0] - x[0];
  }
  bool positive_semidefinite() const noexcept override { return true; }
};

class Repeating final : public Basis {
 public:
  static Declaration<Repeating> declare() { return {"basis/repeating", "One row twice"}; }
  std::vector<std::int64_t> select(const TrainingSet&, Context&) override { return {0, 0}; }
  std::size_t count(std::size_t, std::size_t) const override { return 2; }
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

/// Only its base class says that it judges samples.
class Undeclared final : public SampleEvaluator {
 public:
  static Declaration<Undeclared> declare() {
    return Declaration<Undeclared>("evaluator/undeclared", "Counts rows")
        .reports({"rows", "number of training iterations", FigureUnit::count});
  }
  void evaluate(const TrainingSet& training, Report& report, Context&) const override {
    report.integer("rows", static_cast<std::int64_t>(training.rows.rows()));
    report.integer("columns", static_cast<std::int64_t>(training.rows.cols()));
  }
};

}  // namespace
}  // namespace semblance

SEMBLANCE_PLUGIN("misbehaving", "1.0.0", "MIT", semblance::Right, semblance::Crashing,
                 semblance::Endless, semblance::Shared, semblance::BlockMean,
                 semblance::Undocumented, semblance::WrongError, semblance::Forgetful,
                 semblance::FalseClaims, semblance::Repeating, semblance::SecretlyRandom,
                 semblance::Overconfident, semblance::Undeclared)

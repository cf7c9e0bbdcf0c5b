// SPDX-License-Identifier: MIT
// Components that throw in the method that a parameter names.
#include <new>
#include <stdexcept>

#include "semblance/basis.hpp"
#include "semblance/evaluator.hpp"
#include "semblance/feature.hpp"
#include "semblance/normalizer.hpp"
#include "semblance/plugin.hpp"
#include "semblance/similarity.hpp"
#include "semblance/solver.hpp"
#include "semblance/source.hpp"

namespace semblance {
namespace {

/// Throws when `method` is the one asked for; "int" throws something that is no exception class.
class Thrower {
 public:
  void reach(const char* method) const {
    if (where == method) throw std::runtime_error(std::string("thrown in ") + method);
    if (where == "int " + std::string(method)) throw 42;
    if (where == "bad_alloc " + std::string(method)) throw std::bad_alloc();
  }
  std::string where;
};

class ThrowingFeature : public Feature {
 public:
  static Declaration<ThrowingFeature> declare() {
    return Declaration<ThrowingFeature>("feature/throwing", "Throws")
        .parameter("where", &ThrowingFeature::where_, "method");
  }
  void check_parameters() const override { Thrower{where_}.reach("check_parameters"); }
  Layout bind(const Layout& input) override {
    Thrower{where_}.reach("bind");
    return input;
  }
  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    Thrower{where_}.reach("apply");
    for (std::size_t i = 0; i < in.rows; ++i)
      for (std::size_t j = 0; j < in.cols; ++j) out.row(i)[j] = in.row(i)[j];
  }

 private:
  std::string where_;
};

class ThrowingNormalizer : public Normalizer {
 public:
  static Declaration<ThrowingNormalizer> declare() {
    return Declaration<ThrowingNormalizer>("normalizer/throwing", "Throws")
        .parameter("where", &ThrowingNormalizer::where_, "method");
  }
  Layout bind(const Layout& input) override { return input; }
  void fit(const TrainingSet&, Context&) override { Thrower{where_}.reach("fit"); }
  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    for (std::size_t i = 0; i < in.rows; ++i)
      for (std::size_t j = 0; j < in.cols; ++j) out.row(i)[j] = in.row(i)[j];
  }
  void save(StateWriter&) const override { Thrower{where_}.reach("save"); }
  void load(const StateReader&, Context&) override { Thrower{where_}.reach("load"); }

 private:
  std::string where_;
};

class ThrowingBasis : public Basis {
 public:
  static Declaration<ThrowingBasis> declare() {
    return Declaration<ThrowingBasis>("basis/throwing", "Throws")
        .parameter("where", &ThrowingBasis::where_, "method");
  }
  std::vector<std::int64_t> select(const TrainingSet&, Context&) override {
    Thrower{where_}.reach("select");
    return {0, 0};
  }
  std::size_t count(std::size_t, std::size_t) const override {
    Thrower{where_}.reach("count");
    return 2;
  }

 private:
  std::string where_;
};

class ThrowingSolver : public Solver {
 public:
  static Declaration<ThrowingSolver> declare() {
    return Declaration<ThrowingSolver>("solver/throwing", "Throws")
        .parameter("where", &ThrowingSolver::where_, "method");
  }
  Layout bind(const Layout&) override { return Layout::vector(0); }
  void train(const TrainingSet&, Report&, Context&) override { Thrower{where_}.reach("train"); }
  void apply(MatrixView, MutableMatrixView out, Context&) const override {
    Thrower{where_}.reach("apply");
    for (std::size_t i = 0; i < out.rows; ++i)
      for (std::size_t j = 0; j < out.cols; ++j) out.row(i)[j] = 0;
  }

 private:
  std::string where_;
};

class ThrowingEvaluator : public Evaluator {
 public:
  static Declaration<ThrowingEvaluator> declare() {
    return Declaration<ThrowingEvaluator>("evaluator/throwing", "Throws")
        .parameter("where", &ThrowingEvaluator::where_, "method")
        .reports({"twice", "reported once or twice"});
  }
  void evaluate(const Results&, Report& report, Context&) const override {
    Thrower{where_}.reach("evaluate");
    report.number("twice", 1);
    if (where_ == "report") report.number("twice", 2);
    if (where_ == "undeclared") report.number("loss", 1);
  }

 private:
  std::string where_;
};

}  // namespace
}  // namespace semblance

SEMBLANCE_PLUGIN("throwing", "1.0.0", "MIT", semblance::ThrowingFeature,
                 semblance::ThrowingNormalizer, semblance::ThrowingBasis, semblance::ThrowingSolver,
                 semblance::ThrowingEvaluator)

// SPDX-License-Identifier: MIT
// Components that simulate mistakes of plugins in a run.
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string>

#include "semblance/distance.hpp"
#include "semblance/feature.hpp"
#include "semblance/label_evaluator.hpp"
#include "semblance/plugin.hpp"
#include "semblance/similarity.hpp"

namespace semblance {
namespace {

/// A Euclidean distance that fails for rows whose first value is above a limit.
class Troubled final : public RowDistance<Troubled> {
 public:
  static Declaration<Troubled> declare() {
    return distance_parameters(
        Declaration<Troubled>("similarity/troubled", "Fails for some rows")
            .parameter("mode", &Troubled::mode_, "how it fails",
                       choices({"error", "exception", "segfault", "abort", "exit"}))
            .parameter("limit", &Troubled::limit_, "of the first value"));
  }

  double distance(std::span<const float> b, std::span<const float> x) const {
    double sum = 0;
    for (std::size_t k = 0; k < x.size(); ++k)
      sum += (double{b[k]} - double{x[k]}) * (double{b[k]} - double{x[k]});
    if (double{x[0]} > limit_) fail();
    return std::sqrt(sum);
  }

 private:
  void fail() const {
    if (mode_ == "error") throw Error("its first value is too large");
    if (mode_ == "exception") throw std::runtime_error("a table is empty");
    if (mode_ == "segfault") std::raise(SIGSEGV);
    if (mode_ == "abort") std::abort();
    end_with_others();
  }

  /// Threads that meet here within a tenth of a second end the process at the same moment.
  static void end_with_others() {
    static std::atomic<int> waiting = 0;
    const auto latest = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
    ++waiting;
    while (waiting < 2 && std::chrono::steady_clock::now() < latest) {
    }
    std::exit(EXIT_SUCCESS);
  }

  std::string mode_ = "error";
  double limit_ = 0;
};

/// exp(-|b - x|^2) whose rows are computed in sixteenths.
class Coarse final : public Similarity {
 public:
  static Declaration<Coarse> declare() {
    return Declaration<Coarse>("similarity/coarse", "Loses digits").symmetric();
  }
  void prepare(const Layout&) override {}
  void set_bases(MatrixView bases, std::span<const std::int64_t>, Context&) override {
    bases_ = FloatMatrix(bases);
  }
  std::size_t bases() const noexcept override { return bases_.rows; }
  double operations() const noexcept override { return 10; }
  bool positive_semidefinite() const noexcept override { return true; }
  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    for (std::size_t i = 0; i < in.rows; ++i)
      for (std::size_t j = 0; j < bases_.rows; ++j)
        out.row(i)[j] = static_cast<float>(
            std::round(16 * exact(bases_.view().row_span(j), in.row_span(i))) / 16);
  }
  Abilities abilities() const noexcept override { return {.compares_plainly = true}; }
  void compare_plainly(MatrixView bases, MatrixView x, double* values) const override {
    for (std::size_t j = 0; j < bases.rows; ++j)
      values[j] = exact(bases.row_span(j), x.row_span(0));
  }
  void save(StateWriter& state) const override { state.floats("bases", bases_.view()); }
  void load(const StateReader& state, Context&) override { bases_ = state.floats("bases"); }

 private:
  static double exact(std::span<const float> b, std::span<const float> x) {
    double sum = 0;
    for (std::size_t k = 0; k < x.size(); ++k)
      sum += (double{b[k]} - double{x[k]}) * (double{b[k]} - double{x[k]});
    return std::exp(-sum / 300);
  }

  FloatMatrix bases_;
};

/// Copies, and does not say which row is too large.
class Unaware final : public Feature {
 public:
  static Declaration<Unaware> declare() {
    return Declaration<Unaware>("feature/unaware", "Fails for some rows")
        .parameter("limit", &Unaware::limit_, "of the first value");
  }
  Layout bind(const Layout& input) override { return input; }
  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    for (std::size_t i = 0; i < in.rows; ++i)
      if (double{in.row(i)[0]} > limit_) throw std::runtime_error("some row is too large");
    for (std::size_t i = 0; i < in.rows; ++i)
      for (std::size_t j = 0; j < in.cols; ++j) out.row(i)[j] = in.row(i)[j];
  }

 private:
  double limit_ = 0;
};

class NoNumber final : public LabelEvaluator {
 public:
  static Declaration<NoNumber> declare() {
    return Declaration<NoNumber>("evaluator/no_number", "Divides by nothing")
        .reports({"kappa", "agreement beyond chance", FigureUnit::plain, Better::higher, true});
  }

 private:
  void evaluate_labels(const PredictedLabels&, Report& report, Context&) const override {
    report.number("kappa", std::numeric_limits<double>::quiet_NaN());
  }
};

}  // namespace
}  // namespace semblance

SEMBLANCE_PLUGIN("troubled", "1.2.3", "MIT", semblance::Troubled, semblance::Coarse,
                 semblance::NoNumber, semblance::Unaware)

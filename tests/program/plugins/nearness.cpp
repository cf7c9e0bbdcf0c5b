// SPDX-License-Identifier: MIT
// A solver that learns from pairs, simple enough for a test to repeat: f(u, v) = t - |u - v|^2,
// where t is halfway between the mean squared distances of positive and negative pairs.
#include "semblance/pair_solver.hpp"
#include "semblance/plugin.hpp"

namespace semblance {
namespace {

class Nearness final : public PairSolver {
 public:
  static Declaration<Nearness> declare() {
    return Declaration<Nearness>("solver/nearness", "Pairs of near rows are positive")
        .parameter("factor", &Nearness::factor_, "of the threshold", above(0))
        .reports({"objective", "the threshold"});
  }
  void bind(const Layout&) override {}

  void train(const PairTrainingSet& training, Report& report, Context&) override {
    double sums[2] = {0, 0}, counts[2] = {0, 0};
    for (const Pair& p : training.pairs.expanded()) {
      sums[p.label > 0] += distance(training.rows, p);
      counts[p.label > 0] += 1;
    }
    threshold_ = factor_ * (sums[0] / counts[0] + sums[1] / counts[1]) / 2;
    report.text("certificate", "converged");
    report.number("objective", threshold_);
  }
  void score(const Rows& rows, const PairSet& pairs, std::span<float> out,
             Context&) const override {
    std::size_t next = 0;
    for (const Pair& p : pairs.expanded())
      out[next++] = static_cast<float>(threshold_ - distance(rows, p));
  }
  void save(StateWriter& writer) const override { writer.number("threshold", threshold_); }
  void load(const StateReader& reader, Context&) override {
    threshold_ = reader.number("threshold");
  }

 private:
  static double distance(const Rows& rows, const Pair& pair) {
    const float* u = rows.view(static_cast<std::size_t>(pair.first), 1).row(0);
    const float* v = rows.view(static_cast<std::size_t>(pair.second), 1).row(0);
    double sum = 0;
    for (std::size_t k = 0; k < rows.cols(); ++k) sum += double(u[k] - v[k]) * double(u[k] - v[k]);
    return sum;
  }

  double factor_ = 1;
  double threshold_ = 0;
};

}  // namespace
}  // namespace semblance

SEMBLANCE_PLUGIN("nearness", "1.0.0", "MIT", semblance::Nearness)

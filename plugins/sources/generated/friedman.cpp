// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>
#include <span>

#include "generated/drawn_numbers.hpp"
#include "semblance/declaration.hpp"

namespace semblance::sources {
namespace {

constexpr std::size_t relevant_columns = 5;

/// The mean of the number to predict.
double friedman_function(std::span<const float> x) {
  return 10 * std::sin(std::numbers::pi * x[0] * x[1]) + 20 * (x[2] - 0.5) * (x[2] - 0.5) +
         10 * x[3] + 5 * x[4];
}

/// Friedman's first regression problem. A row depends only on the seed and its number.
class Friedman final : public Source {
 public:
  void check_parameters() const override;
  TargetKind target_kind() const override { return TargetKind::numbers; }
  Outline outline(Context& context) const override;
  std::unique_ptr<Dataset> open(Context& context) const override;
  static Declaration<Friedman> declare();

 private:
  std::int64_t train_ = 400;
  std::int64_t test_ = 1000;
  std::int64_t columns_ = 10;
  double noise_ = 1;
};

void Friedman::check_parameters() const {
  if (train_ + test_ == 0) throw Error("'train' and 'test' are both 0, so there are no rows");
}

Outline Friedman::outline(Context&) const {
  Outline outline{Layout::vector(static_cast<std::size_t>(columns_)),
                  static_cast<std::size_t>(train_),
                  static_cast<std::size_t>(test_),
                  {}};
  outline.targets = {"y"};
  return outline;
}

std::unique_ptr<Dataset> Friedman::open(Context& context) const {
  const auto draw = [&](Random& random, std::span<float> x) {
    for (float& value : x) value = static_cast<float>(random.uniform());
    return friedman_function(x) + noise_ * random.normal();
  };
  return drawn_numbers(outline(context), draw, context);
}

Declaration<Friedman> Friedman::declare() {
  Declaration<Friedman> declaration("source/friedman",
                                    "Friedman's first regression problem, generated");
  declaration.parameter("train", &Friedman::train_, "training rows", at_least(0), at_most(1e8))
      .parameter("test", &Friedman::test_, "test rows", at_least(0), at_most(1e8))
      .parameter("columns", &Friedman::columns_, "values per row, of which the first five matter",
                 at_least(double(relevant_columns)), at_most(1e6))
      .parameter("noise", &Friedman::noise_,
                 "standard deviation of the normal noise on the number to predict", at_least(0),
                 at_most(1e6));
  return declaration.gives(LayoutKind::vector)
      .random()
      .documentation(
          "Values are uniform between 0 and 1. The number to predict is y = 10 sin(pi x1 x2) + 20 "
          "(x3 - 0.5)^2 + 10 x4 + 5 x5 plus noise, also in test rows: with the default, no "
          "prediction has a root mean squared error much below 1. The other values are "
          "irrelevant.")
      .reference(
          "Friedman, Multivariate adaptive regression splines, The Annals of Statistics, 1991")
      .complexity("memory: 4 bytes per value")
      .example(R"(
        table: {is: source/friedman, train: 200}
        x:     {is: normalizer/zscore, from: table}
        svr:   {is: solver/kernel_svr, kernel: {is: similarity/rbf, gamma: 0.1}, C: 100, from: x}
        test:  {is: evaluator/regression, from: svr})");
}

}  // namespace

ComponentEntry declare_friedman() { return Friedman::declare().entry(); }

}  // namespace semblance::sources

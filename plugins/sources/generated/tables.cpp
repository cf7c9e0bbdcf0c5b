// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>
#include <utility>

#include "generated/drawn_source.hpp"

namespace semblance::sources {
namespace {

/// Classes of several normally distributed clusters each, in any number of dimensions.
class Clusters final : public RowByRowSource {
 public:
  Clusters() : RowByRowSource(400, 1000) {}

  static Declaration<Clusters> declare() {
    Declaration<Clusters> declaration("source/clusters",
                                      "Generated points of classes with several clusters each");
    declaration
        .parameter("classes", &Clusters::classes_, "number of classes", at_least(2), at_most(1e5))
        .parameter("clusters", &Clusters::clusters_, "clusters of each class", at_least(1),
                   at_most(1e5))
        .parameter("columns", &Clusters::columns_, "number of coordinates", at_least(1),
                   at_most(1e5))
        .parameter("spread", &Clusters::spread_,
                   "standard deviation of the noise on every coordinate; that of the centres is 1",
                   at_least(0), at_most(1e6));
    declare_sizes(declaration, "rows", 1e8);
    return declaration.gives(LayoutKind::vector)
        .random()
        .documentation(
            "Each class has several clusters, whose centres are drawn from the standard normal "
            "distribution; a row is a random centre of its class plus normal noise on every "
            "coordinate. The centres depend only on the seed and the numbers of classes, clusters "
            "and columns. Classes alternate row by row. Rows are drawn as they are read, so even "
            "millions of them take no memory here.")
        .complexity("memory: 4 bytes per row, plus 4 bytes x classes x clusters x columns")
        .example(R"(
        points: {is: source/clusters, classes: 3, columns: 10}
        svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 0.5}, from: points}
        test:   {is: evaluator/classification, from: svm})");
  }

 protected:
  DrawnShape shape() const override {
    DrawnShape shape{Layout::vector(static_cast<std::size_t>(columns_)),
                     numbered_classes(classes_)};
    shape.stored = false;
    return shape;
  }

  DrawRow drawer(Random& random, RowSeeds& seeds) const override {
    const auto clusters = static_cast<std::size_t>(clusters_);
    // Those of the first class, then those of the second, ...
    FloatMatrix centres(static_cast<std::size_t>(classes_) * clusters,
                        static_cast<std::size_t>(columns_));
    for (float& value : centres.values) value = static_cast<float>(random.normal());
    seeds = RowSeeds(random);
    return [centres = std::move(centres), clusters, spread = spread_](
               std::size_t label, Random& stream, std::span<float> row) {
      const float* centre = centres.view().row(label * clusters + stream.below(clusters));
      for (std::size_t c = 0; c < row.size(); ++c)
        row[c] = static_cast<float>(double{centre[c]} + spread * stream.normal());
      return 0.0;
    };
  }

 private:
  std::int64_t classes_ = 2;
  std::int64_t clusters_ = 5;
  std::int64_t columns_ = 2;
  double spread_ = 0.3;
};

constexpr std::size_t relevant_columns = 5;

/// The mean of the number to predict.
double friedman_function(std::span<const float> x) {
  return 10 * std::sin(std::numbers::pi * x[0] * x[1]) + 20 * (x[2] - 0.5) * (x[2] - 0.5) +
         10 * x[3] + 5 * x[4];
}

/// Friedman's first regression problem.
class Friedman final : public RowByRowSource {
 public:
  Friedman() : RowByRowSource(400, 1000) {}

  static Declaration<Friedman> declare() {
    Declaration<Friedman> declaration("source/friedman",
                                      "Friedman's first regression problem, generated");
    declare_sizes(declaration, "rows", 1e8);
    declaration
        .parameter("columns", &Friedman::columns_, "values per row, of which the first five matter",
                   at_least(double(relevant_columns)), at_most(1e6))
        .parameter("noise", &Friedman::noise_,
                   "standard deviation of the normal noise on the number to predict", at_least(0),
                   at_most(1e6));
    return declaration.gives(LayoutKind::vector)
        .random()
        .documentation(
            "Values are uniform between 0 and 1. The number to predict is y = 10 sin(pi x1 x2) + "
            "20 (x3 - 0.5)^2 + 10 x4 + 5 x5 plus noise, also in test rows: with the default, no "
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

 protected:
  DrawnShape shape() const override {
    return {Layout::vector(static_cast<std::size_t>(columns_)), {}, {"y"}};
  }
  DrawRow drawer(Random& random, RowSeeds& seeds) const override {
    seeds = RowSeeds(random);
    return [noise = noise_](std::size_t, Random& stream, std::span<float> x) {
      for (float& value : x) value = static_cast<float>(stream.uniform());
      return friedman_function(x) + noise * stream.normal();
    };
  }

 private:
  std::int64_t columns_ = 10;
  double noise_ = 1;
};

}  // namespace

ComponentEntry declare_clusters() { return Clusters::declare().entry(); }
ComponentEntry declare_friedman() { return Friedman::declare().entry(); }

}  // namespace semblance::sources

// SPDX-License-Identifier: MIT
#include <utility>
#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/random.hpp"
#include "semblance/source.hpp"

namespace semblance::sources {
namespace {

/// Classes of several normally distributed clusters each, in any number of dimensions.
class Clusters final : public Source {
 public:
  static Declaration<Clusters> declare();

  void check_parameters() const override;
  Outline outline(Context& context) const override;
  std::unique_ptr<Dataset> open(Context& context) const override;

 private:
  std::int64_t classes_ = 2;
  std::int64_t clusters_ = 5;
  std::int64_t columns_ = 2;
  double spread_ = 0.3;
  std::int64_t train_ = 400;
  std::int64_t test_ = 1000;
};

/// The rows are drawn on reading, each from its own random stream, and never stored.
class ClusterRows final : public Dataset {
 public:
  ClusterRows(Outline outline, FloatMatrix centres, double spread, std::uint64_t train_seed,
              std::uint64_t test_seed)
      : outline_(std::move(outline)),
        centres_(std::move(centres)),
        spread_(spread),
        train_seed_(train_seed),
        test_seed_(test_seed),
        labels_(outline_.rows()) {
    for (std::size_t row = 0; row < labels_.size(); ++row)
      labels_[row] = static_cast<std::int32_t>(place_in_part(row) % outline_.classes.size());
  }

  const Outline& outline() const noexcept override { return outline_; }
  std::span<const std::int32_t> labels() const noexcept override { return labels_; }

  void read(std::size_t first, MutableMatrixView out) const override {
    const std::size_t clusters = centres_.rows / outline_.classes.size();
    for (std::size_t i = 0; i < out.rows; ++i) {
      const std::size_t row = first + i;
      Random random =
          Random::stream(row < outline_.train_rows ? train_seed_ : test_seed_, place_in_part(row));
      const auto label = static_cast<std::size_t>(labels_[row]);
      const float* centre = centres_.view().row(label * clusters + random.below(clusters));
      for (std::size_t c = 0; c < out.cols; ++c)
        out.row(i)[c] = static_cast<float>(double{centre[c]} + spread_ * random.normal());
    }
  }

  std::size_t bytes() const noexcept override {
    return labels_.size() * sizeof(std::int32_t) + centres_.values.size() * sizeof(float);
  }

 private:
  /// Counted from the first training sample, or from the first test sample.
  std::size_t place_in_part(std::size_t row) const {
    return row < outline_.train_rows ? row : row - outline_.train_rows;
  }

  Outline outline_;
  FloatMatrix centres_;  // of the first class's clusters, then the second's, ...
  double spread_;
  std::uint64_t train_seed_, test_seed_;
  std::vector<std::int32_t> labels_;
};

void Clusters::check_parameters() const {
  if (train_ + test_ == 0) throw Error("'train' and 'test' are both 0, so there are no rows");
}

Outline Clusters::outline(Context&) const {
  Outline outline{Layout::vector(static_cast<std::size_t>(columns_)),
                  static_cast<std::size_t>(train_),
                  static_cast<std::size_t>(test_),
                  {}};
  for (std::int64_t k = 0; k < classes_; ++k) outline.classes.push_back(std::to_string(k));
  return outline;
}

std::unique_ptr<Dataset> Clusters::open(Context& context) const {
  Random random = context.random();
  FloatMatrix centres(static_cast<std::size_t>(classes_ * clusters_),
                      static_cast<std::size_t>(columns_));
  for (float& value : centres.values) value = static_cast<float>(random.normal());
  // Two seeds, so that the test samples do not depend on the number of training samples.
  const std::uint64_t train_seed = random.bits(), test_seed = random.bits();
  return std::make_unique<ClusterRows>(outline(context), std::move(centres), spread_, train_seed,
                                       test_seed);
}

Declaration<Clusters> Clusters::declare() {
  return Declaration<Clusters>("source/clusters",
                               "Generated points of classes with several clusters each")
      .documentation(
          "Each class has several clusters, whose centres are drawn from the standard normal "
          "distribution; a row is a random centre of its class plus normal noise on every "
          "coordinate. The centres depend only on the seed and the numbers of classes, clusters "
          "and columns. Classes alternate row by row. Rows are drawn as they are read, so even "
          "millions of them take no memory here.")
      .parameter("classes", &Clusters::classes_, "number of classes", at_least(2), at_most(1e5))
      .parameter("clusters", &Clusters::clusters_, "clusters of each class", at_least(1),
                 at_most(1e5))
      .parameter("columns", &Clusters::columns_, "number of coordinates", at_least(1), at_most(1e5))
      .parameter("spread", &Clusters::spread_,
                 "standard deviation of the noise on every coordinate; that of the centres is 1",
                 at_least(0), at_most(1e6))
      .parameter("train", &Clusters::train_, "training rows", at_least(0), at_most(1e8))
      .parameter("test", &Clusters::test_, "test rows", at_least(0), at_most(1e8))
      .gives(LayoutKind::vector)
      .random()
      .complexity("memory: 4 bytes per row, plus 4 bytes x classes x clusters x columns")
      .example(R"(
        points: {is: source/clusters, classes: 3, columns: 10}
        svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 0.5}, from: points}
        test:   {is: evaluator/classification, from: svm})");
}

}  // namespace

ComponentEntry declare_clusters() { return Clusters::declare().entry(); }

}  // namespace semblance::sources

// SPDX-License-Identifier: MIT
#include <memory>
#include <vector>

#include "parts/part_transforms.hpp"
#include "semblance/declaration.hpp"
#include "semblance/feature.hpp"
#include "semblance/normalizer.hpp"

namespace semblance::pairs {
namespace {

/// A feature or normalizer made of one for each side.
template <class Kind>
class OfParts : public Kind {
 public:
  Layout bind(const Layout& input) override {
    return transforms_.bind(input, {first_.get(), second_.get()});
  }
  std::size_t values_of(std::size_t values) const override { return transforms_.values_of(values); }
  bool sized_by_content() const noexcept override { return true; }
  void count_values(MatrixView in, std::span<std::size_t> sizes, Context& context) const override {
    transforms_.count_values(in, sizes, context);
  }
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
    transforms_.apply(in, out, context);
  }
  void save(StateWriter& state) const override { transforms_.save(state); }
  void load(const StateReader& state, Context& context) override {
    transforms_.load(state, context);
  }

 protected:
  template <class T>
  static Declaration<T> declared(const char* id, const char* summary) {
    Declaration<T> declaration(id, summary);
    declaration
        .parameter("first", &OfParts::first_, "for first samples; omitted: they stay as they are",
                   optional())
        .parameter("second", &OfParts::second_,
                   "for second samples; omitted: they stay as they are", optional())
        .accepts({LayoutKind::pair})
        .gives(LayoutKind::pair);
    return declaration;
  }

  PartTransforms transforms_;
  std::unique_ptr<Kind> first_, second_;
};

class PartFeatures final : public OfParts<Feature> {
 public:
  static Declaration<PartFeatures> declare() {
    return declared<PartFeatures>("feature/parts", "A feature of each sample of a pair")
        .documentation(
            "Pairs come from source/pairs. The samples of a block of rows are transformed once "
            "each, however many of its pairs have them.")
        .complexity("that of the features, for the distinct samples of each block")
        .example(R"(
        pairs:
          is: source/pairs
          path: interactions.csv
          first:  {is: source/csv, path: drugs.csv, label: none, id: drug}
          second: {is: source/strings, path: proteins.fasta, label: none}
          label: binds
          test_fraction: 0.25
        x: {is: feature/parts, second: {is: feature/spectrum, longest: 3}, from: pairs}
        svm:
          is: solver/kernel_svm
          kernel: {is: similarity/kronecker, first: {is: similarity/rbf}, second: {is: similarity/cosine}}
          from: x
        test: {is: evaluator/classification, from: svm})");
  }
};

class PartNormalizers final : public OfParts<Normalizer> {
 public:
  void fit(const TrainingSet& training, Context& context) override;
  static Declaration<PartNormalizers> declare() {
    return declared<PartNormalizers>("normalizer/parts", "A normalizer of each sample of a pair")
        .documentation(
            "Pairs come from source/pairs. Each part learns from the distinct samples of the "
            "training pairs: a sample counts once, however many pairs have it. Normalizers that "
            "learn from classes are refused, since classes are those of pairs.")
        .complexity("that of the normalizers, for the distinct samples of each block")
        .example(R"(
        pairs:
          is: source/pairs
          path: affinities.csv
          first:  {is: source/csv, path: drugs.csv, label: none, id: drug}
          second: {is: source/csv, path: targets.csv, label: none, id: protein}
          target: affinity
          test_fraction: 0.25
        x:
          is: normalizer/parts
          first:  {is: normalizer/zscore}
          second: {is: normalizer/zscore}
          from: pairs
        ridge: {is: solver/kronecker_ridge, from: x}
        test:  {is: evaluator/regression, from: ridge})");
  }
};

void PartNormalizers::fit(const TrainingSet& training, Context& context) {
  for (const Side side : both_sides) {
    Normalizer* const part = side == Side::first ? first_.get() : second_.get();
    if (!part) continue;
    DistinctParts samples = distinct_parts(training.rows, transforms_.input(), side, {}, context);
    const std::vector<std::int32_t> labels(samples.rows.rows, -1);
    const MatrixRows rows(std::move(samples.rows));
    TrainingSet of_side{rows, part_of(transforms_.input(), side), labels, {}};
    of_side.row_numbers = samples.numbers;
    part->fit(of_side, context);
  }
}

}  // namespace

ComponentEntry declare_part_features() { return PartFeatures::declare().entry(); }
ComponentEntry declare_part_normalizers() { return PartNormalizers::declare().entry(); }

}  // namespace semblance::pairs

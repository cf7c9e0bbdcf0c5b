// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "inner_context.hpp"
#include "semblance/component.hpp"
#include "semblance/declaration.hpp"
#include "semblance/error.hpp"
#include "semblance/feature.hpp"
#include "semblance/nested_state.hpp"
#include "semblance/normalizer.hpp"
#include "semblance/two_parts.hpp"
#include "semblance/unknown_rows.hpp"

namespace semblance::pairs {
namespace {

/// Transformed samples, and the columns of sparse ones as values of rows.
struct Made {
  DistinctParts samples;
  FloatMatrix values;
  std::vector<float> columns;

  PairPart part(std::size_t pair) const {
    const std::size_t k = samples.of[pair];
    const MatrixView rows = values.view();
    PairPart made{static_cast<std::uint32_t>(samples.numbers[k]), rows.row_span(k), {}};
    if (rows.sparse()) made.columns = std::span(columns).subspan(rows.offsets[k], rows.size(k));
    return made;
  }
};

/// The context of one side's transform: an unknown sample is noted for each of its pairs.
class SideContext final : public common::InnerContext, public NotesUnknownRows {
 public:
  SideContext(Context& outer, std::span<const std::uint32_t> samples)
      : InnerContext(outer, outer.memory_budget()), outer_(outer), samples_(samples) {}

  void log(LogLevel level, std::string_view message) override { outer_.log(level, message); }
  void unknown_row(std::size_t row) override {
    for (std::size_t pair = 0; pair < samples_.size(); ++pair)
      if (samples_[pair] == row) note_unknown_row(outer_, pair);
  }

 private:
  Context& outer_;
  std::span<const std::uint32_t> samples_;  ///< of the pairs
};

/// A feature or normalizer made of one for each side; null: the sample stays as it is. The samples
/// of a block are transformed once each, however many pairs have them.
template <class Kind>
class OfParts : public Kind {
 public:
  Layout bind(const Layout& input) override;
  std::size_t values_of(std::size_t values) const override;
  bool sized_by_content() const noexcept override { return true; }
  void count_values(MatrixView in, std::span<std::size_t> sizes, Context& context) const override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override {
    for (const Side side : both_sides)
      if (const Kind* const transform = of(side)) {
        NestedWriter nested(state, std::string(name(side)) + "_");
        transform->save(nested);
      }
  }
  void load(const StateReader& state, Context& context) override {
    for (const Side side : both_sides)
      if (Kind* const transform = of(side))
        transform->load(NestedReader(state, std::string(name(side)) + "_"), context);
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

  Kind* of(Side side) const { return (side == Side::first ? first_ : second_).get(); }
  const Layout& input() const noexcept { return input_; }

 private:
  std::vector<std::size_t> sizes_of(Side side, const DistinctParts& samples,
                                    Context& context) const;

  std::unique_ptr<Kind> first_, second_;
  Layout input_, output_;
};

template <class Kind>
Layout OfParts<Kind>::bind(const Layout& input) {
  if (input.kind != LayoutKind::pair)
    throw Error("it transforms the samples of pairs, but each sample is a " + describe(input) +
                "; pairs come from source/pairs");
  input_ = input;
  std::array<Layout, 2> made;
  for (const Side side : both_sides) try {
      const Layout& part = part_of(input, side);
      made[index_of(side)] = of(side) ? of(side)->bind(part) : part;
    } catch (const Error& error) {
      throw Error("the " + std::string(name(side)) + " samples: " + error.what());
    }
  return output_ = Layout::pair(made[0], made[1]);
}

template <class Kind>
std::size_t OfParts<Kind>::values_of(std::size_t values) const {
  std::array<std::size_t, 2> most{};
  for (const Side side : both_sides) {
    const Layout &from = part_of(input_, side), &to = part_of(output_, side);
    const std::size_t has = from.ragged() ? std::min(from.size(), values) : from.size();
    const Kind* const transform = of(side);
    most[index_of(side)] = !to.ragged() ? to.size()
                           : transform  ? std::min(transform->values_of(has), to.size())
                                        : has;
  }
  return pair_size(output_, most[0], most[1]);
}

template <class Kind>
std::vector<std::size_t> OfParts<Kind>::sizes_of(Side side, const DistinctParts& samples,
                                                 Context& context) const {
  const MatrixView rows = samples.rows.view();
  const Kind* const transform = of(side);
  const Layout& to = part_of(output_, side);
  std::vector<std::size_t> sizes(rows.rows, to.size());
  if (!to.ragged()) return sizes;
  if (transform && transform->sized_by_content()) {
    transform->count_values(rows, sizes, context);
    return sizes;
  }
  for (std::size_t i = 0; i < rows.rows; ++i)
    sizes[i] = transform ? transform->values_of(rows.size(i)) : rows.size(i);
  return sizes;
}

template <class Kind>
void OfParts<Kind>::count_values(MatrixView in, std::span<std::size_t> sizes,
                                 Context& context) const {
  std::array<std::vector<std::size_t>, 2> of_samples;
  std::array<DistinctParts, 2> samples;
  for (const Side side : both_sides) {
    samples[index_of(side)] = distinct_parts(in, input_, side);
    of_samples[index_of(side)] = sizes_of(side, samples[index_of(side)], context);
  }
  for (std::size_t i = 0; i < in.rows; ++i)
    sizes[i] = pair_size(output_, of_samples[0][samples[0].of[i]], of_samples[1][samples[1].of[i]]);
}

template <class Kind>
void OfParts<Kind>::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  std::array<Made, 2> made;
  for (const Side side : both_sides) {
    Made& one = made[index_of(side)];
    one.samples = distinct_parts(in, input_, side);
    if (const Kind* const transform = this->of(side)) {
      one.values = room_for(part_of(output_, side), sizes_of(side, one.samples, context));
      SideContext inner(context, one.samples.of);
      transform->apply(std::as_const(one.samples.rows).view(), one.values.view(), inner);
    } else {
      one.values = std::move(one.samples.rows);
    }
    one.columns.assign(one.values.columns.begin(), one.values.columns.end());
  }
  for (std::size_t i = 0; i < in.rows; ++i)
    write_pair(made[0].part(i), made[1].part(i), output_, out.row_span(i));
}

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
  void fit(const TrainingSet& training, Context& context) override {
    for (const Side side : both_sides) {
      Normalizer* const part = of(side);
      if (!part) continue;
      DistinctParts samples = distinct_parts(training.rows, input(), side, {}, context);
      const std::vector<std::int32_t> labels(samples.rows.rows, -1);
      const MatrixRows rows(std::move(samples.rows));
      TrainingSet of_side{rows, part_of(input(), side), labels, {}};
      of_side.row_numbers = samples.numbers;
      part->fit(of_side, context);
    }
  }

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

}  // namespace

ComponentEntry declare_part_features() { return PartFeatures::declare().entry(); }
ComponentEntry declare_part_normalizers() { return PartNormalizers::declare().entry(); }

}  // namespace semblance::pairs

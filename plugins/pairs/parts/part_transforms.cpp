// SPDX-License-Identifier: MIT
#include "parts/part_transforms.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "inner_context.hpp"
#include "semblance/error.hpp"
#include "semblance/nested_state.hpp"
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

}  // namespace

Layout PartTransforms::bind(const Layout& input, Two transforms) {
  if (input.kind != LayoutKind::pair)
    throw Error("it transforms the samples of pairs, but each sample is a " + describe(input) +
                "; pairs come from source/pairs");
  input_ = input;
  transforms_ = transforms;
  std::array<Layout, 2> made;
  for (const Side side : both_sides) try {
      Transform* const transform = transforms[index_of(side)];
      const Layout& part = part_of(input, side);
      made[index_of(side)] = transform ? transform->bind(part) : part;
    } catch (const Error& error) {
      throw Error("the " + std::string(name(side)) + " samples: " + error.what());
    }
  return output_ = Layout::pair(made[0], made[1]);
}

std::size_t PartTransforms::values_of(std::size_t values) const {
  std::array<std::size_t, 2> most{};
  for (const Side side : both_sides) {
    const Layout &from = part_of(input_, side), &to = part_of(output_, side);
    const std::size_t has = from.ragged() ? std::min(from.size(), values) : from.size();
    const Transform* const transform = transforms_[index_of(side)];
    most[index_of(side)] = !to.ragged() ? to.size()
                           : transform  ? std::min(transform->values_of(has), to.size())
                                        : has;
  }
  return pair_size(output_, most[0], most[1]);
}

std::vector<std::size_t> PartTransforms::sizes_of(Side side, const DistinctParts& samples,
                                                  Context& context) const {
  const MatrixView rows = samples.rows.view();
  const Transform* const transform = transforms_[index_of(side)];
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

void PartTransforms::count_values(MatrixView in, std::span<std::size_t> sizes,
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

void PartTransforms::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  std::array<Made, 2> made;
  for (const Side side : both_sides) {
    Made& of = made[index_of(side)];
    of.samples = distinct_parts(in, input_, side);
    if (const Transform* const transform = transforms_[index_of(side)]) {
      of.values = room_for(part_of(output_, side), sizes_of(side, of.samples, context));
      SideContext inner(context, of.samples.of);
      transform->apply(std::as_const(of.samples.rows).view(), of.values.view(), inner);
    } else {
      of.values = std::move(of.samples.rows);
    }
    of.columns.assign(of.values.columns.begin(), of.values.columns.end());
  }
  for (std::size_t i = 0; i < in.rows; ++i)
    write_pair(made[0].part(i), made[1].part(i), output_, out.row_span(i));
}

void PartTransforms::save(StateWriter& state) const {
  for (const Side side : both_sides)
    if (const Transform* const transform = transforms_[index_of(side)]) {
      NestedWriter nested(state, std::string(name(side)) + "_");
      transform->save(nested);
    }
}

void PartTransforms::load(const StateReader& state, Context& context) const {
  for (const Side side : both_sides)
    if (Transform* const transform = transforms_[index_of(side)])
      transform->load(NestedReader(state, std::string(name(side)) + "_"), context);
}

}  // namespace semblance::pairs

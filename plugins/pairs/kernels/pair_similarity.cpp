// SPDX-License-Identifier: MIT
#include "kernels/pair_similarity.hpp"

#include <algorithm>
#include <string>

#include "semblance/collectives.hpp"
#include "semblance/error.hpp"
#include "semblance/nested_state.hpp"

namespace semblance::pairs {
namespace {

void bind_part(Similarity& part, const Layout& layout, const std::string& which) {
  try {
    part.bind(layout);
  } catch (const Error& error) {
    throw Error("the similarity of " + which + " samples: " + error.what());
  }
}

/// Of two samples of one domain the longer one decides.
Layout joint_layout(const Layout& pair) {
  Layout first = pair.parts.at(0);
  const Layout& second = pair.parts.at(1);
  const std::size_t widest = std::max(first.width, second.width);
  if (first.ragged() && first.kind != LayoutKind::sparse) first.width = widest;
  Layout other = second;
  if (other.ragged() && other.kind != LayoutKind::sparse) other.width = widest;
  if (first != other)
    throw Error("'sides' other than ordered is for two samples of one domain, but the first is a " +
                describe(pair.parts[0]) + " and the second a " + describe(second));
  return first;
}

}  // namespace

Similarity& PairSimilarity::part(std::size_t side) const {
  if (side == 1 && second_) return *second_;
  if (!made_[side]) made_[side] = first_();
  return *made_[side];
}

void PairSimilarity::prepare(const Layout& input) {
  if (input.kind != LayoutKind::pair)
    throw Error("it compares pairs, but each sample is a " + describe(input) +
                "; pairs come from source/pairs");
  layout_ = input;
  if (joint()) {
    if (has_second())
      throw Error("with both samples of one domain, 'first' compares all of them; omit 'second'");
    return bind_part(part(0), joint_layout(input), "all");
  }
  bind_part(part(0), input.parts.at(0), "first");
  bind_part(part(1), input.parts.at(1), "second");
}

void PairSimilarity::set_bases(MatrixView bases, std::span<const std::int64_t>, Context& context) {
  if (bases.rows == 0) throw Error("there are no bases to compare with; choose at least one");
  if (joint()) {
    DistinctParts all = distinct_samples(bases, layout_);
    for (auto& of : of_) of.resize(bases.rows);
    for (std::size_t i = 0; i < all.of.size(); ++i) of_[i % 2][i / 2] = all.of[i];
    keep_samples(Side::first, all.rows);
    part(0).set_bases(std::as_const(all.rows).view(), all.numbers, context);
    return;
  }
  for (const Side side : both_sides) {
    const auto s = index_of(side);
    DistinctParts found = distinct_parts(bases, layout_, side);
    of_[s] = std::move(found.of);
    keep_samples(side, found.rows);
    part(s).set_bases(std::as_const(found.rows).view(), found.numbers, context);
  }
}

/// The samples' similarities are shared by all pairs with them.
double PairSimilarity::operations() const noexcept {
  const double pairs = std::max<double>(1, static_cast<double>(bases()));
  double all = 3;
  for (std::size_t s = 0; s < (joint() ? 1 : 2); ++s)
    all += part(s).operations() * (bases() == 0 ? 1 : static_cast<double>(part(s).bases()) / pairs);
  return all;
}

PairSimilarity::Compared PairSimilarity::compare(MatrixView in, Side side, std::size_t first,
                                                 std::size_t count, Context& context) const {
  const auto s = index_of(side);
  DistinctParts samples = distinct_parts(in, layout_, side);
  const auto used = std::span(of_[s]).subspan(first, count);
  const auto [least, most] = std::ranges::minmax_element(used);
  Compared found{std::move(samples.of), {samples.rows.rows, *most - *least + 1}, *least};
  part(s).apply_range(std::as_const(samples.rows).view(), *least, found.values.view(), context);
  return found;
}

PairSimilarity::Compared PairSimilarity::compare_jointly(MatrixView in, Context& context) const {
  DistinctParts samples = distinct_samples(in, layout_);
  Compared found{std::move(samples.of), {samples.rows.rows, part(0).bases()}, 0};
  part(0).apply(std::as_const(samples.rows).view(), found.values.view(), context);
  return found;
}

void PairSimilarity::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  if (out.rows != in.rows || out.cols != bases())
    throw Error("cannot compare " + std::to_string(in.rows) + " pairs with " +
                std::to_string(bases()) + " bases into " + std::to_string(out.rows) + "x" +
                std::to_string(out.cols) + " values");
  apply_range(in, 0, out, context);
}

void PairSimilarity::apply_range(MatrixView in, std::size_t first, MutableMatrixView out,
                                 Context& context) const {
  if (out.rows != in.rows || first + out.cols > bases())
    throw Error("cannot compare " + std::to_string(in.rows) + " pairs with bases " +
                std::to_string(first) + " to " + std::to_string(first + out.cols) + " of " +
                std::to_string(bases()));
  if (in.rows == 0 || out.cols == 0) return;
  std::array<Compared, 2> sides;
  if (joint())
    sides[0] = compare_jointly(in, context);
  else
    for (const Side side : both_sides)
      sides[index_of(side)] = compare(in, side, first, out.cols, context);
  context.check_stop();
  combine(in, first, sides, out);
}

void PairSimilarity::learn_from_samples(const Rows& rows, std::span<const std::uint32_t> chosen,
                                        Context& context) {
  if (context.collectives().ranks() > 1)
    throw Error("a similarity of pairs learns on one process; omit --ranks");
  const auto learn = [&](Similarity& part, FloatMatrix samples) {
    semblance::learn_from_samples(part, MatrixRows(std::move(samples)), {}, context);
  };
  if (joint()) return learn(part(0), distinct_samples(rows, layout_, chosen, context).rows);
  for (const Side side : both_sides)
    learn(part(index_of(side)), distinct_parts(rows, layout_, side, chosen, context).rows);
}

void PairSimilarity::save(StateWriter& state) const {
  NestedWriter first(state, "first_"), second(state, "second_");
  part(0).save(first);
  if (!joint()) part(1).save(second);
  for (std::size_t s = 0; s < 2; ++s)
    state.integers(s == 0 ? "firsts" : "seconds",
                   std::vector<std::int64_t>(of_[s].begin(), of_[s].end()));
  save_samples(state);
}

void PairSimilarity::load(const StateReader& state, Context& context) {
  part(0).load(NestedReader(state, "first_"), context);
  if (!joint()) part(1).load(NestedReader(state, "second_"), context);
  for (std::size_t s = 0; s < 2; ++s) {
    const std::vector<std::int64_t> of = state.integers(s == 0 ? "firsts" : "seconds");
    const std::size_t samples = part(joint() ? 0 : s).bases();
    for (const std::int64_t sample : of)
      if (sample < 0 || static_cast<std::size_t>(sample) >= samples)
        throw Error("a saved basis has sample " + std::to_string(sample) + " of " +
                    std::to_string(samples) + "; the state is damaged");
    of_[s].assign(of.begin(), of.end());
  }
  if (of_[0].size() != of_[1].size() || of_[0].empty())
    throw Error("the saved bases have " + std::to_string(of_[0].size()) + " first and " +
                std::to_string(of_[1].size()) + " second samples; the state is damaged");
  load_samples(state);
}

}  // namespace semblance::pairs

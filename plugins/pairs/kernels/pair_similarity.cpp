// SPDX-License-Identifier: MIT
#include "kernels/pair_similarity.hpp"

#include <algorithm>
#include <string>

#include "semblance/collectives.hpp"
#include "semblance/error.hpp"

namespace semblance::pairs {
namespace {

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

void PairSimilarity::prepare(const Layout& input) {
  if (input.kind != LayoutKind::pair)
    throw Error("it compares pairs, but each sample is a " + describe(input) +
                "; pairs come from source/pairs");
  layout_ = input;
  if (joint()) {
    if (has_second())
      throw Error("with both samples of one domain, 'first' compares all of them; omit 'second'");
    return bind_part(Side::first, joint_layout(input), "the similarity of all");
  }
  for (const Side side : both_sides)
    bind_part(side, part_of(input, side), std::string("the similarity of ") + name(side));
}

void PairSimilarity::set_bases(MatrixView bases, std::span<const std::int64_t>, Context& context) {
  if (bases.rows == 0) throw Error("there are no bases to compare with; choose at least one");
  if (joint()) {
    DistinctParts all = distinct_samples(bases, layout_);
    for (auto& of : of_) of.resize(bases.rows);
    for (std::size_t i = 0; i < all.of.size(); ++i) of_[i % 2][i / 2] = all.of[i];
    keep_samples(Side::first, all.rows);
    part(Side::first).set_bases(std::as_const(all.rows).view(), all.numbers, context);
    return;
  }
  for (const Side side : both_sides) {
    const auto s = index_of(side);
    DistinctParts found = distinct_parts(bases, layout_, side);
    of_[s] = std::move(found.of);
    keep_samples(side, found.rows);
    part(side).set_bases(std::as_const(found.rows).view(), found.numbers, context);
  }
}

/// The samples' similarities are shared by all pairs with them.
double PairSimilarity::operations() const noexcept {
  const double pairs = std::max<double>(1, static_cast<double>(bases()));
  double all = 3;
  for (const Side side : compared_sides())
    all += part(side).operations() *
           (bases() == 0 ? 1 : static_cast<double>(part(side).bases()) / pairs);
  return all;
}

PairSimilarity::Compared PairSimilarity::compare(MatrixView in, Side side, std::size_t first,
                                                 std::size_t count, Context& context) const {
  DistinctParts samples = distinct_parts(in, layout_, side);
  const auto used = std::span(of_[index_of(side)]).subspan(first, count);
  const auto [least, most] = std::ranges::minmax_element(used);
  Compared found{std::move(samples.of), {samples.rows.rows, *most - *least + 1}, *least};
  part(side).apply_range(std::as_const(samples.rows).view(), *least, found.values.view(), context);
  return found;
}

PairSimilarity::Compared PairSimilarity::compare_jointly(MatrixView in, Context& context) const {
  DistinctParts samples = distinct_samples(in, layout_);
  Compared found{std::move(samples.of), {samples.rows.rows, part(Side::first).bases()}, 0};
  part(Side::first).apply(std::as_const(samples.rows).view(), found.values.view(), context);
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
  if (joint())
    return learn(part(Side::first), distinct_samples(rows, layout_, chosen, context).rows);
  for (const Side side : both_sides)
    learn(part(side), distinct_parts(rows, layout_, side, chosen, context).rows);
}

void PairSimilarity::save(StateWriter& state) const {
  for (const Side side : compared_sides()) save_part(side, state);
  for (const Side side : both_sides)
    state.integers(std::string(name(side)) + "s",
                   std::vector<std::int64_t>(of(side).begin(), of(side).end()));
  save_samples(state);
}

void PairSimilarity::load(const StateReader& state, Context& context) {
  for (const Side side : compared_sides()) load_part(side, state, context);
  for (const Side side : both_sides) {
    const std::vector<std::int64_t> of = state.integers(std::string(name(side)) + "s");
    const std::size_t samples = part(joint() ? Side::first : side).bases();
    for (const std::int64_t sample : of)
      if (sample < 0 || static_cast<std::size_t>(sample) >= samples)
        throw Error("a saved basis has sample " + std::to_string(sample) + " of " +
                    std::to_string(samples) + "; the state is damaged");
    of_[index_of(side)].assign(of.begin(), of.end());
  }
  if (of_[0].size() != of_[1].size() || of_[0].empty())
    throw Error("the saved bases have " + std::to_string(of_[0].size()) + " first and " +
                std::to_string(of_[1].size()) + " second samples; the state is damaged");
  load_samples(state);
}

}  // namespace semblance::pairs

// SPDX-License-Identifier: MIT
#include "base_distances.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "prefixed_state.hpp"
#include "semblance/distance.hpp"
#include "similar_bases.hpp"

namespace semblance::neighbours {

void BaseDistances::bind(Similarity& similarity, const Layout& input) {
  similarity_ = &similarity;
  auto* const distance = dynamic_cast<Distance*>(&similarity);
  if (distance) distance->give_distances();
  similarity.bind(input);
  roots_ = !distance && similarity.abilities().compares_with_itself;
}

void BaseDistances::set_bases(MatrixView bases, std::span<const std::int64_t> numbers,
                              Context& context) {
  similarity_->set_bases(bases, numbers, context);
  std::vector<float> own(roots_ ? bases.rows : 0);
  if (roots_) similarity_->compare_with_itself(bases, own.data());
  own_.assign(own.begin(), own.end());
}

void BaseDistances::compare(
    MatrixView in, Context& context,
    const std::function<void(std::size_t, std::span<const float>)>& take) const {
  constexpr std::size_t most_values = std::size_t{1} << 22, most_rows = 64;
  // Four units in the last place of float32.
  constexpr double rounding = 4 * double{std::numeric_limits<float>::epsilon()};
  const std::size_t step = std::clamp(most_values / bases(), std::size_t{1}, most_rows);
  FloatMatrix compared(std::min(step, in.rows), bases());
  std::vector<float> own(roots_ ? in.rows : 0);
  if (roots_) similarity_->compare_with_itself(in, own.data());
  for (std::size_t first = 0; first < in.rows; first += step) {
    context.check_stop();
    const std::size_t count = std::min(step, in.rows - first);
    const MutableMatrixView block = compared.view().rows_range(0, count);
    similarity_->apply(in.rows_range(first, count), block, context);
    for (std::size_t i = 0; i < count; ++i) {
      const std::span<float> row(block.row(i), block.cols);
      check_similarities(row, first + i);
      for (std::size_t j = 0; j < own_.size(); ++j) {
        const double both = double{own[first + i]} + own_[j], square = both - 2 * double{row[j]};
        row[j] = square > rounding * std::abs(both) ? -static_cast<float>(std::sqrt(square)) : 0;
      }
      take(first + i, row);
    }
  }
}

Formula::Value BaseDistances::write(Formula& formula, Formula::Value in) const {
  if (roots_)
    throw Error(
        "the distance in a similarity's space cannot be written as a formula; use a distance, such "
        "as similarity/euclidean");
  return formula.widen(write_part(*similarity_, "its similarity", formula, in));
}

void BaseDistances::save(StateWriter& state) const {
  state.doubles("own", own_);
  common::PrefixedWriter of_similarity(state, "similarity_");
  similarity_->save(of_similarity);
}

void BaseDistances::load(const StateReader& state, Context& context) {
  own_ = state.doubles("own");
  similarity_->load(common::PrefixedReader(state, "similarity_"), context);
  if (own_.size() == (roots_ ? bases() : 0) &&
      std::ranges::all_of(own_, [](double s) { return std::isfinite(s); }))
    return;
  throw Error("the similarities of bases to themselves do not fit the bases; train them again");
}

}  // namespace semblance::neighbours

// SPDX-License-Identifier: MIT
#include "sampled_rows.hpp"

#include <utility>

namespace semblance::ml3 {

SampledRows::SampledRows(const TrainingRows& rows, std::vector<std::uint32_t> numbers,
                         Context& context)
    : context_(context),
      parts_(rows.rows),
      numbers_(std::move(numbers)),
      places_(numbers_.size()),
      firsts_(parts_.count() + 1) {
  for (const std::uint32_t number : numbers_) ++firsts_[parts_.part_of(number) + 1];
  for (std::size_t p = 1; p < firsts_.size(); ++p) firsts_[p] += firsts_[p - 1];
  std::vector<std::size_t> next = firsts_;
  for (std::size_t i = 0; i < numbers_.size(); ++i)
    places_[next[parts_.part_of(numbers_[i])]++] = static_cast<std::uint32_t>(i);

  const OwnParts own = context.collectives().own(parts_);
  first_own_ = firsts_[own.first];
  own_ = FloatMatrix(firsts_[own.end()] - first_own_, rows.cols);
  for (std::size_t k = 0; k < own_.rows; ++k)
    std::copy_n(rows.row(numbers_[places_[first_own_ + k]]), rows.cols, own_.view().row(k));
}

std::vector<float> SampledRows::row(std::size_t place) const {
  const auto found = std::ranges::find(places_, static_cast<std::uint32_t>(place));
  const auto k = static_cast<std::size_t>(found - places_.begin());
  std::vector<float> own;
  if (k >= first_own_ && k - first_own_ < own_.rows) {
    const auto values = own_.view().row_span(k - first_own_);
    own.assign(values.begin(), values.end());
  }
  return context_.collectives().gather(own);
}

std::vector<float> SampledRows::in_order(const std::vector<float>& of_own) const {
  const std::vector<float> all = context_.collectives().gather(of_own);
  std::vector<float> ordered(all.size());
  for (std::size_t k = 0; k < all.size(); ++k) ordered[places_[k]] = all[k];
  return ordered;
}

}  // namespace semblance::ml3

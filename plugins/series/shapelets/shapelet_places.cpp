// SPDX-License-Identifier: MIT
#include "shapelets/shapelet_places.hpp"

#include <algorithm>

namespace semblance::series {

ShapeletPlaces::ShapeletPlaces(std::span<const std::size_t> steps, std::size_t length,
                               std::size_t dilation, std::size_t apart)
    : dilation_(dilation), apart_(apart), firsts_(1, 0) {
  const std::size_t reach = (length - 1) * dilation;
  firsts_.reserve(steps.size() + 1);
  for (const std::size_t n : steps) firsts_.push_back(firsts_.back() + (n > reach ? n - reach : 0));
}

ShapeletPlaces::Place ShapeletPlaces::draw(Random& random) {
  const std::size_t number = allowed(random);
  // The last series that begins there or earlier is the only one of these with places.
  const auto next = std::ranges::upper_bound(firsts_, number);
  const auto series = static_cast<std::size_t>(next - firsts_.begin()) - 1;
  for (std::size_t j = 0; j < apart_; ++j) {
    const std::size_t away = j * dilation_;
    if (number >= firsts_[series] + away) excluded_.insert(number - away);
    if (number + away < *next) excluded_.insert(number + away);
  }
  return {series, number - firsts_[series]};
}

std::size_t ShapeletPlaces::allowed(Random& random) {
  const std::size_t all = firsts_.back();
  // Few tries, unless nearly all places are excluded; then there are not many.
  for (int i = 0; i < 256; ++i)
    if (const std::size_t number = random.below(all); !excluded_.contains(number)) return number;
  std::vector<std::size_t> left;
  for (std::size_t number = 0; number < all; ++number)
    if (!excluded_.contains(number)) left.push_back(number);
  if (!left.empty()) return left[random.below(left.size())];
  excluded_.clear();
  return random.below(all);
}

}  // namespace semblance::series

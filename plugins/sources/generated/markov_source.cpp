// SPDX-License-Identifier: MIT
#include "generated/markov_source.hpp"

#include <algorithm>
#include <cmath>

namespace semblance::sources {

MarkovSource::MarkovSource(std::size_t symbols, double contrast, std::size_t motif, Random& random)
    : symbols_(symbols), sums_(symbols * symbols) {
  for (std::size_t from = 0; from < symbols; ++from) {
    double sum = 0;
    for (std::size_t to = 0; to < symbols; ++to)
      sums_[from * symbols + to] = sum += std::exp(contrast * random.normal());
  }
  for (std::size_t k = 0; k < motif; ++k)
    motif_.push_back(static_cast<std::uint8_t>(random.below(symbols)));
}

std::uint8_t MarkovSource::after(std::size_t symbol, Random& random) const {
  const auto begin = sums_.begin() + static_cast<std::ptrdiff_t>(symbol * symbols_);
  const auto end = begin + static_cast<std::ptrdiff_t>(symbols_);
  const auto drawn = std::upper_bound(begin, end, random.uniform() * end[-1]);
  return static_cast<std::uint8_t>(std::min(drawn, end - 1) - begin);
}

void MarkovSource::draw(double mutation, Random& random, std::span<std::uint8_t> out) const {
  std::size_t last = static_cast<std::size_t>(random.below(symbols_));
  for (std::uint8_t& symbol : out) last = symbol = after(last, random);
  const std::size_t size = std::min(motif_.size(), out.size());
  const std::size_t first = static_cast<std::size_t>(random.below(out.size() - size + 1));
  for (std::size_t k = 0; k < size; ++k) {
    const bool mutated = random.uniform() < mutation;
    const auto other = static_cast<std::uint8_t>(random.below(symbols_));
    out[first + k] = mutated ? other : motif_[k];
  }
}

}  // namespace semblance::sources

// SPDX-License-Identifier: MIT
#include "bit_programme.hpp"

#include <algorithm>
#include <bit>

namespace semblance::strings {
namespace {

constexpr std::size_t word_bits = 64;

/// The bits of a word that represent symbols of a string.
std::uint64_t symbols_in_word(std::size_t length, std::size_t word) {
  const std::size_t begin = word * word_bits;
  if (length <= begin) return 0;
  const std::size_t bits = std::min(length - begin, word_bits);
  return bits == word_bits ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

}  // namespace

void BitProgramme::prepare(const StringPanels& strings, const StringPanels::Panel& panel) {
  constexpr std::size_t width = StringPanels::width;
  strings_ = &strings;
  panel_ = &panel;
  words_ = (panel.longest + word_bits - 1) / word_bits;
  const Symbol* symbols = strings.symbols(panel);
  place_.assign(strings.alphabet(), 0);
  std::uint16_t places = 0;
  for (std::size_t k = 0; k < panel.longest * width; ++k)
    if (symbols[k] != no_symbol && place_[symbols[k]] == 0) place_[symbols[k]] = ++places;
  const std::size_t words = words_ * width;
  masks_ = numerics::AlignedArray<std::uint64_t>((places + std::size_t{1}) * words);
  std::fill_n(masks_.data(), masks_.size(), 0);
  for (std::size_t k = 0; k < panel.longest; ++k)
    for (std::size_t lane = 0; lane < width; ++lane) {
      const Symbol symbol = symbols[k * width + lane];
      if (symbol == no_symbol) continue;
      masks_.data()[place_[symbol] * words + k / word_bits * width + lane] |= std::uint64_t{1}
                                                                              << (k % word_bits);
    }
  up_ = numerics::AlignedArray<std::uint64_t>(words);
  down_ = numerics::AlignedArray<std::uint64_t>(words);
}

void BitProgramme::start(const StringPanels& strings, const StringPanels::Panel& panel,
                         std::size_t length) {
  if (strings_ != &strings || panel_ != &panel) prepare(strings, panel);
  length_ = length;
  std::fill_n(up_.data(), up_.size(), ~std::uint64_t{0});
  std::fill_n(down_.data(), down_.size(), 0);
}

void BitProgramme::advance(std::span<const Symbol> part) {
  run_bit_programme(
      count_, {place_.data(), masks_.data(), up_.data(), down_.data(), words_, panel_->strings},
      part);
}

void BitProgramme::finish(double* values) const {
  for (std::size_t lane = 0; lane < panel_->strings; ++lane) {
    const std::size_t length = strings_->length(*panel_, lane);
    std::int64_t value = count_ == BitCount::edits ? static_cast<std::int64_t>(length_) : 0;
    for (std::size_t word = 0; word < words_; ++word) {
      const std::uint64_t bits = symbols_in_word(length, word);
      const std::uint64_t up = up_.data()[word * StringPanels::width + lane];
      const std::uint64_t down = down_.data()[word * StringPanels::width + lane];
      value += count_ == BitCount::edits ? std::popcount(up & bits) - std::popcount(down & bits)
                                         : std::popcount(~up & bits);
    }
    values[lane] = static_cast<double>(value);
  }
}

}  // namespace semblance::strings

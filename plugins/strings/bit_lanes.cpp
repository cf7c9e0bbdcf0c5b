// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>

#include "bit_programme.hpp"
#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bit_lanes.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace semblance::strings {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Words = hn::ScalableTag<std::uint64_t>;
using Vec = hn::Vec<Words>;
constexpr std::size_t lanes = hn::MaxLanes(Words());
/// Vectors that advance together, as many as fit into registers: a step of one is a chain of ten
/// dependent operations.
constexpr std::size_t together = HWY_TARGET <= HWY_AVX3 ? 4 : 2;

/// Differences between horizontal neighbours that enter a word at its top.
struct Carry {
  Vec up, down;
};

/// One word of the Levenshtein programme. `up` and `down` are the column's vertical differences of
/// +1 and -1.
HWY_INLINE void edit_word(Vec equal, Vec& up, Vec& down, Carry& carry) {
  const Vec vertical = hn::Or(equal, down);
  equal = hn::Or(equal, carry.down);
  const Vec horizontal = hn::Or(hn::Xor(hn::Add(hn::And(equal, up), up), up), equal);
  const Vec grows = hn::Or(down, hn::Not(hn::Or(horizontal, up)));
  const Vec falls = hn::And(up, horizontal);
  const Vec grown = hn::Or(hn::ShiftLeft<1>(grows), carry.up);
  const Vec fallen = hn::Or(hn::ShiftLeft<1>(falls), carry.down);
  carry.up = hn::ShiftRight<63>(grows);
  carry.down = hn::ShiftRight<63>(falls);
  up = hn::Or(fallen, hn::Not(hn::Or(vertical, grown)));
  down = hn::And(grown, vertical);
}

/// One word of the longest common subsequence; zeros of `open` are the steps of the column.
HWY_INLINE void common_word(Vec equal, Vec& open, Vec& carry) {
  const Vec matched = hn::And(open, equal);
  const Vec sum = hn::Add(hn::Add(open, matched), carry);
  // The carry of an addition in which one summand's bits are a subset of the other's.
  carry = hn::ShiftRight<63>(hn::Or(matched, hn::AndNot(sum, open)));
  open = hn::Or(sum, hn::AndNot(equal, open));
}

template <std::size_t kVectors>
void edits(const BitColumns& c, std::size_t lane, std::span<const Symbol> part) {
  constexpr Words d;
  constexpr std::size_t width = StringPanels::width;
  for (const Symbol symbol : part) {
    const std::uint64_t* masks = c.masks + c.place[symbol] * c.words * width + lane;
    std::uint64_t* up = c.up + lane;
    std::uint64_t* down = c.down + lane;
    Carry carry[kVectors];
    for (Carry& in : carry) in = {hn::Set(d, 1), hn::Zero(d)};
    for (std::size_t word = 0; word < c.words; ++word, masks += width, up += width, down += width)
      for (std::size_t v = 0; v < kVectors; ++v) {
        Vec u = hn::Load(d, up + v * lanes), n = hn::Load(d, down + v * lanes);
        edit_word(hn::Load(d, masks + v * lanes), u, n, carry[v]);
        hn::Store(u, d, up + v * lanes);
        hn::Store(n, d, down + v * lanes);
      }
  }
}

/// The same for strings of a single word, which stays in registers.
template <std::size_t kVectors>
void short_edits(const BitColumns& c, std::size_t lane, std::span<const Symbol> part) {
  constexpr Words d;
  Vec up[kVectors], down[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) {
    up[v] = hn::Load(d, c.up + lane + v * lanes);
    down[v] = hn::Load(d, c.down + lane + v * lanes);
  }
  for (const Symbol symbol : part) {
    const std::uint64_t* masks = c.masks + c.place[symbol] * StringPanels::width + lane;
    for (std::size_t v = 0; v < kVectors; ++v) {
      Carry top{hn::Set(d, 1), hn::Zero(d)};
      edit_word(hn::Load(d, masks + v * lanes), up[v], down[v], top);
    }
  }
  for (std::size_t v = 0; v < kVectors; ++v) {
    hn::Store(up[v], d, c.up + lane + v * lanes);
    hn::Store(down[v], d, c.down + lane + v * lanes);
  }
}

template <std::size_t kVectors>
void common(const BitColumns& c, std::size_t lane, std::span<const Symbol> part) {
  constexpr Words d;
  constexpr std::size_t width = StringPanels::width;
  for (const Symbol symbol : part) {
    const std::uint64_t* masks = c.masks + c.place[symbol] * c.words * width + lane;
    std::uint64_t* open = c.up + lane;
    Vec carry[kVectors];
    for (Vec& in : carry) in = hn::Zero(d);
    for (std::size_t word = 0; word < c.words; ++word, masks += width, open += width)
      for (std::size_t v = 0; v < kVectors; ++v) {
        Vec o = hn::Load(d, open + v * lanes);
        common_word(hn::Load(d, masks + v * lanes), o, carry[v]);
        hn::Store(o, d, open + v * lanes);
      }
  }
}

template <std::size_t kVectors>
void short_common(const BitColumns& c, std::size_t lane, std::span<const Symbol> part) {
  constexpr Words d;
  Vec open[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) open[v] = hn::Load(d, c.up + lane + v * lanes);
  for (const Symbol symbol : part) {
    const std::uint64_t* masks = c.masks + c.place[symbol] * StringPanels::width + lane;
    for (std::size_t v = 0; v < kVectors; ++v) {
      Vec carry = hn::Zero(d);
      common_word(hn::Load(d, masks + v * lanes), open[v], carry);
    }
  }
  for (std::size_t v = 0; v < kVectors; ++v) hn::Store(open[v], d, c.up + lane + v * lanes);
}

}  // namespace

void bit_programme(BitCount count, const BitColumns& columns, std::span<const Symbol> part) {
  for (std::size_t lane = 0; lane < columns.lanes;) {
    // A single last vector costs half of two.
    const bool one = columns.lanes - lane <= lanes;
    const bool is_short = columns.words == 1;
    if (count == BitCount::edits) {
      if (one)
        (is_short ? short_edits<1> : edits<1>)(columns, lane, part);
      else
        (is_short ? short_edits<together> : edits<together>)(columns, lane, part);
    } else {
      if (one)
        (is_short ? short_common<1> : common<1>)(columns, lane, part);
      else
        (is_short ? short_common<together> : common<together>)(columns, lane, part);
    }
    lane += (one ? 1 : together) * lanes;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::strings
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::strings {

HWY_EXPORT(bit_programme);

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
  HWY_DYNAMIC_DISPATCH(bit_programme)
  (count_, {place_.data(), masks_.data(), up_.data(), down_.data(), words_, panel_->strings}, part);
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
#endif

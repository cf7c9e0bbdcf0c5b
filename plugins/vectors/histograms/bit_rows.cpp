// SPDX-License-Identifier: MIT
#include "histograms/bit_rows.hpp"

#include <algorithm>
#include <bit>

#include "semblance_numerics/simd_targets.hpp"

// With AVX3_DL, one instruction counts the bits of each byte of a vector.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#define HWY_WANT_AVX3_DL
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "histograms/bit_rows.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"

#ifndef SEMBLANCE_VECTORS_BIT_ROWS
#define SEMBLANCE_VECTORS_BIT_ROWS
namespace semblance::vectors {
constexpr std::size_t samples_a_panel = 8, bases_a_panel = 16;
}
#endif

HWY_BEFORE_NAMESPACE();
namespace semblance::vectors {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Words = hn::ScalableTag<std::uint32_t>;
using Floats = hn::RebindToFloat<Words>;
constexpr std::size_t lanes = HWY_LANES(std::uint32_t);

#if HWY_TARGET == HWY_SCALAR

constexpr std::size_t rows_at_once = 1, words_at_once = 31;

template <std::size_t Rows>
void count_common(const std::uint32_t* HWY_RESTRICT x, const std::uint32_t* HWY_RESTRICT b,
                  std::size_t words, std::uint32_t* HWY_RESTRICT counts) {
  for (std::size_t k = 0; k < words; ++k, x += samples_a_panel, b += bases_a_panel)
    for (std::size_t j = 0; j < bases_a_panel; ++j)
      counts[j] += static_cast<std::uint32_t>(std::popcount(*x & b[j]));
}

#else

using Bytes = hn::Repartition<std::uint8_t, Words>;

constexpr std::size_t parts = bases_a_panel / lanes;  // vectors per word of a panel
// As many sums as the 16 or 32 registers hold beside the operands.
constexpr std::size_t rows_at_once = parts == 1 ? samples_a_panel : parts == 2 ? 4 : 2;
// A byte holds the counts of so many bytes.
constexpr std::size_t words_at_once = 31;

/// counts += the bits that `Rows` samples and a panel's bases share in `words` words.
template <std::size_t Rows>
HWY_INLINE void count_common(const std::uint32_t* HWY_RESTRICT x,
                             const std::uint32_t* HWY_RESTRICT b, std::size_t words,
                             std::uint32_t* HWY_RESTRICT counts) {
  const Words d;
  const Bytes bytes;
  hn::Vec<Bytes> sums[Rows][parts];
  HWY_UNROLL(8)
  for (std::size_t r = 0; r < Rows; ++r) {
    HWY_UNROLL(4)
    for (std::size_t p = 0; p < parts; ++p) sums[r][p] = hn::Zero(bytes);
  }
  for (std::size_t k = 0; k < words; ++k, x += samples_a_panel, b += bases_a_panel) {
    HWY_UNROLL(8)
    for (std::size_t r = 0; r < Rows; ++r) {
      const auto sample = hn::Set(d, x[r]);
      HWY_UNROLL(4)
      for (std::size_t p = 0; p < parts; ++p) {
        const auto common = hn::BitCast(bytes, hn::And(sample, hn::Load(d, b + p * lanes)));
        sums[r][p] = hn::Add(sums[r][p], hn::PopulationCount(common));
      }
    }
  }
  const auto of_pairs = hn::Set(d, 0x00FF00FF), of_words = hn::Set(d, 0xFFFF);
  HWY_UNROLL(8)
  for (std::size_t r = 0; r < Rows; ++r) {
    HWY_UNROLL(4)
    for (std::size_t p = 0; p < parts; ++p) {
      const auto four = hn::BitCast(d, sums[r][p]);
      const auto two = hn::Add(hn::And(four, of_pairs), hn::And(hn::ShiftRight<8>(four), of_pairs));
      const auto sum = hn::Add(hn::And(two, of_words), hn::ShiftRight<16>(two));
      std::uint32_t* const to = counts + r * bases_a_panel + p * lanes;
      hn::Store(hn::Add(sum, hn::Load(d, to)), d, to);
    }
  }
}

#endif

/// All values of a panel of samples with a panel of bases. The quotients of exact counts are
/// correctly rounded.
HWY_INLINE void panel_values(const BitRows& samples, std::size_t s, const BitRows& bases,
                             std::size_t p, float* HWY_RESTRICT values) {
  HWY_ALIGN std::uint32_t counts[samples_a_panel * bases_a_panel] = {};
  for (std::size_t k = 0; k < bases.words(); k += words_at_once) {
    const std::size_t words = std::min(words_at_once, bases.words() - k);
    for (std::size_t r = 0; r < samples_a_panel; r += rows_at_once)
      count_common<rows_at_once>(samples.panel(s) + k * samples_a_panel + r,
                                 bases.panel(p) + k * bases_a_panel, words,
                                 counts + r * bases_a_panel);
  }
  const Words d;
  const Floats f;
  for (std::size_t r = 0; r < samples_a_panel; ++r)
    for (std::size_t j = 0; j < bases_a_panel; j += lanes) {
      const auto common = hn::Load(d, counts + r * bases_a_panel + j);
      const auto both = hn::ConvertTo(f, hn::BitCast(hn::RebindToSigned<Words>(), common));
      const auto bits =
          hn::Add(hn::Set(f, samples.counts(s)[r]), hn::LoadU(f, bases.counts(p) + j));
      const auto either = hn::Sub(bits, both);
      const auto value =
          hn::IfThenElse(hn::Eq(either, hn::Zero(f)), hn::Set(f, 1.0F), hn::Div(both, either));
      hn::Store(value, f, values + r * bases_a_panel + j);
    }
}

/// The values of all samples with the panels [panel, end) of the bases.
void panels_values(const BitRows& samples, const BitRows& bases, std::size_t panel, std::size_t end,
                   std::size_t first, MutableMatrixView out) {
  HWY_ALIGN float values[samples_a_panel * bases_a_panel];
  for (std::size_t s = 0; s < samples.panels(); ++s)
    for (std::size_t p = panel; p < end; ++p) {
      panel_values(samples, s, bases, p, values);
      const std::size_t begin = p * bases_a_panel, from = std::max(begin, first);
      const std::size_t cols = std::min(begin + bases_a_panel, first + out.cols) - from;
      const std::size_t row = s * samples_a_panel;
      for (std::size_t r = 0; r < std::min(samples_a_panel, out.rows - row); ++r)
        std::copy_n(values + r * bases_a_panel + (from - begin), cols,
                    out.row(row + r) + (from - first));
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::vectors
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::vectors {

HWY_EXPORT(panels_values);

BitRows::BitRows(std::size_t rows, std::size_t columns, std::size_t width)
    : rows_(rows),
      width_(width),
      words_((columns + 31) / 32),
      bits_(panels() * words_ * width),
      counts_(panels() * width) {
  std::fill_n(bits_.data(), bits_.size(), 0U);
}

bool BitRows::set(MatrixView rows) {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    std::uint32_t* const words = bits_.data() + i / width_ * words_ * width_ + i % width_;
    const auto values = rows.row_span(i);
    std::size_t count = 0;
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (values[k] == 0) continue;
      if (values[k] != 1) return false;
      const std::size_t column = rows.sparse() ? rows.columns_of(i)[k] : k;
      words[column / 32 * width_] |= std::uint32_t{1} << column % 32;
      ++count;
    }
    counts_[i] = static_cast<float>(count);
  }
  return true;
}

std::optional<BitRows> BitRows::of(MatrixView rows, Side side) {
  if (rows.cols > most_columns) return {};
  BitRows bits(rows.rows, rows.cols, side == Side::samples ? samples_a_panel : bases_a_panel);
  if (!bits.set(rows)) return {};
  return bits;
}

void bit_tanimoto(const BitRows& samples, const BitRows& bases, std::size_t first,
                  MutableMatrixView out, Context& context) {
  if (out.cols == 0) return;
  // Bases that stay in the second-level cache while all samples pass.
  constexpr std::size_t cached = std::size_t{1} << 17;
  const std::size_t bytes = bases.words() * bases_a_panel * sizeof(std::uint32_t);
  const std::size_t panels = std::max(cached / bytes, std::size_t{1});
  const std::size_t end = (first + out.cols - 1) / bases_a_panel + 1;
  for (std::size_t panel = first / bases_a_panel; panel < end; panel += panels) {
    context.check_stop();
    HWY_DYNAMIC_DISPATCH(panels_values)
    (samples, bases, panel, std::min(panel + panels, end), first, out);
  }
}

}  // namespace semblance::vectors
#endif

// SPDX-License-Identifier: MIT
// Included by column_terms.hpp, and once per SIMD target, whose functions must be compiled for it.

/// A term of a sum over columns, for any type of number; 0/0 counts as 0.
template <HistogramSum kSum, class T>
inline T column_term(T b, T x) {
  using std::abs, std::max, std::min;
  if constexpr (kSum == HistogramSum::intersection) {
    return min(b, x);
  } else if constexpr (kSum == HistogramSum::absolute) {
    return abs(b - x);
  } else {
    // If both are zero, so is the numerator, and any positive divisor will do.
    const T total = max(b + x, static_cast<T>(std::numeric_limits<float>::min()));
    if constexpr (kSum == HistogramSum::harmonic) return (x + x) / total * b;
    const T difference = b - x;
    return difference / total * difference;
  }
}

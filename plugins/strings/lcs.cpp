// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>

#include "bit_programme.hpp"
#include "panel_similarity.hpp"
#include "semblance/declaration.hpp"

namespace semblance::strings {
namespace {

/// The number of symbols that two strings have in common, in the same order.
class Lcs final : public PanelSimilarity {
 public:
  static Declaration<Lcs> declare() {
    return Declaration<Lcs>("similarity/lcs", "Length of the longest common subsequence of strings")
        .parameter(
            "normalize", &Lcs::normalize_,
            "what the number of common symbols is divided by: none; the length of the longer or "
            "the shorter string; the arithmetic (mean) or geometric mean of both lengths",
            choices({"none", "longer", "shorter", "mean", "geometric"}))
        .accepts({LayoutKind::string})
        .symmetric()
        .documentation(
            "The most symbols that are in both strings in the same order, with any others between "
            "them. Divided by a length it is in [0, 1] and 1 for equal strings. As a distance, "
            "similarity/edit with a substitution of 2 is |b| + |x| - 2 s.")
        .reference(
            "Hirschberg 1977, Algorithms for the longest common subsequence problem; computed "
            "after Hyyro 2004, Bit-parallel LCS-length computation revisited")
        .complexity(
            "|b| |x| cells per pair, 32 bases at once; about 6 operations for 512 cells with "
            "AVX-512")
        .example(R"(
        words: {is: source/random_strings}
        bases: {is: basis/random, count: 40, from: words}
        lcs:   {is: similarity/lcs, from: words, bases: bases}
        phi:   {is: normalizer/mean_norm, from: lcs}
        svm:   {is: solver/linear_svm, from: phi}
        test:  {is: evaluator/classification, from: svm})");
  }

  double operations() const noexcept override {
    const auto longest = static_cast<double>(layout().size());
    return longest * longest * 6 / 64 + 1;
  }

 private:
  void scores(const PackedStrings& strings, std::size_t first, std::size_t count, MatrixView in,
              Context& context, const Store& store) const override {
    strings.compare(first, count, in, BitProgramme(BitCount::common), context, store);
  }

  double normalized(double score, const StringSide& basis, const StringSide& row) const override {
    const auto b = static_cast<double>(basis.length), x = static_cast<double>(row.length);
    if (normalize_ == "longer") return score / std::max(b, x);
    if (normalize_ == "shorter") return score / std::min(b, x);
    if (normalize_ == "mean") return 2 * score / (b + x);
    if (normalize_ == "geometric") return score / std::sqrt(b * x);
    return score;
  }

  std::string normalize_ = "longer";
};

}  // namespace

ComponentEntry declare_lcs() { return Lcs::declare().entry(); }

}  // namespace semblance::strings

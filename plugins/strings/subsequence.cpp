// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>

#include "panel_similarity.hpp"
#include "semblance/declaration.hpp"
#include "subsequence_programme.hpp"

namespace semblance::strings {
namespace {

/// The kernel of subsequences weighted by their spans.
class Subsequence final : public PanelSimilarity {
 public:
  static Declaration<Subsequence> declare();
  double operations() const noexcept override;

  /// The inner product of vectors with one value per subsequence.
  bool positive_semidefinite() const noexcept override { return true; }

 private:
  void scores(const PackedStrings& strings, std::size_t first, std::size_t count, MatrixView in,
              Context& context, const Store& store) const override;
  bool needs_self() const noexcept override { return normalize_; }
  double normalized(double score, const StringSide& basis, const StringSide& row) const override;

  std::int64_t length_ = 3;
  double decay_ = 0.5;
  bool normalize_ = true;
};

Declaration<Subsequence> Subsequence::declare() {
  return Declaration<Subsequence>("similarity/subsequence",
                                  "Gap-weighted subsequence kernel of strings")
      .parameter("length", &Subsequence::length_, "symbols of a subsequence", at_least(1),
                 at_most(20), unit("symbols"))
      .parameter("decay", &Subsequence::decay_,
                 "weight of each symbol that a subsequence spans, including those that it skips",
                 above(0), at_most(1))
      .parameter("normalize", &Subsequence::normalize_, "k(b, x) / sqrt(k(b, b) k(x, x))")
      .accepts({LayoutKind::string})
      .symmetric()
      .documentation(
          "The sum over all pairs of equal subsequences of both strings of decay^(the symbols they "
          "span in both). Strings that are shorter than `length` have no subsequence, and "
          "similarity 0 with all strings, themselves included. Computed in float64; where it is "
          "not normalized, a value beyond float32 is an error.")
      .reference("Lodhi et al. 2002, Text classification using string kernels, section 4")
      .complexity("4 length |b| |x| operations per pair, 32 bases at once")
      .example(R"(
        words: {is: source/random_strings}
        bases: {is: basis/random, count: 40, from: words}
        spans: {is: similarity/subsequence, length: 3, decay: 0.5, from: words, bases: bases}
        phi:   {is: normalizer/mean_norm, from: spans}
        svm:   {is: solver/linear_svm, from: phi}
        test:  {is: evaluator/classification, from: svm})");
}

double Subsequence::operations() const noexcept {
  const auto longest = static_cast<double>(layout().size());
  return 4 * static_cast<double>(length_) * longest * longest;
}

void Subsequence::scores(const PackedStrings& strings, std::size_t first, std::size_t count,
                         MatrixView in, Context& context, const Store& store) const {
  strings.compare(first, count, in, SubsequenceProgramme(static_cast<std::size_t>(length_), decay_),
                  context, store);
}

double Subsequence::normalized(double score, const StringSide& basis, const StringSide& row) const {
  if (normalize_) return cosine(score, basis, row);
  return score * std::pow(decay_, 2 * static_cast<double>(length_));
}

}  // namespace

ComponentEntry declare_subsequence() { return Subsequence::declare().entry(); }

}  // namespace semblance::strings

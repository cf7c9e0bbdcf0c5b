// SPDX-License-Identifier: MIT
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "alignment_programme.hpp"
#include "blosum62.hpp"
#include "panel_similarity.hpp"
#include "semblance/declaration.hpp"

namespace semblance::strings {
namespace {

/// The score of the best alignment of a part of one string with a part of the other.
class LocalAlignment final : public PanelSimilarity {
 public:
  static Declaration<LocalAlignment> declare();
  double operations() const noexcept override;

 private:
  void prepare_alphabet(const Layout& layout) override;
  SymbolCodes codes() const override;
  void scores(const PackedStrings& strings, std::size_t first, std::size_t count, MatrixView in,
              Context& context, const Store& store) const override;
  bool needs_self() const noexcept override { return normalize_; }
  double normalized(double score, const StringSide& basis, const StringSide& row) const override;

  std::string matrix_ = "plain";
  std::int64_t match_ = 5;
  std::int64_t mismatch_ = -4;
  std::int64_t gap_open_ = 11;
  std::int64_t gap_extend_ = 1;
  bool normalize_ = true;
  AlignmentScores scores_;
};

Declaration<LocalAlignment> LocalAlignment::declare() {
  return Declaration<LocalAlignment>("similarity/local_alignment",
                                     "Smith-Waterman score of strings, with affine gaps")
      .parameter("matrix", &LocalAlignment::matrix_,
                 "scores of pairs of symbols: plain: match and mismatch; blosum62: for proteins",
                 choices({"plain", "blosum62"}))
      .parameter("match", &LocalAlignment::match_, "score of equal symbols; matrix: plain",
                 at_least(1), at_most(100))
      .parameter("mismatch", &LocalAlignment::mismatch_,
                 "score of different symbols; matrix: plain", at_least(-100), at_most(0))
      .parameter("gap_open", &LocalAlignment::gap_open_,
                 "a gap of k symbols costs gap_open + "
                 "k gap_extend",
                 at_least(0), at_most(1000))
      .parameter("gap_extend", &LocalAlignment::gap_extend_, "see gap_open", at_least(0),
                 at_most(1000))
      .parameter("normalize", &LocalAlignment::normalize_, "s(b, x) / sqrt(s(b, b) s(x, x))")
      .accepts({LayoutKind::string})
      .symmetric()
      .documentation(
          "The highest sum of scores of aligned pairs less gaps, over all parts of both strings; "
          "at "
          "least 0. Exact integers. With blosum62, whose customary gaps are the defaults, lower "
          "case counts as upper case, and J, O and U as X (any residue); an alphabet with other "
          "symbols is refused, and in new strings they count as X. With plain, a symbol that only "
          "new strings have equals none of the bases'. A string whose score with itself is 0, XX "
          "for instance, has "
          "similarity 0 with all strings where it is normalized. Not positive semi-definite: the "
          "best alignment is no sum.")
      .reference(
          "Smith & Waterman 1981, Identification of common molecular subsequences; Gotoh 1982; "
          "Henikoff & Henikoff 1992, Amino acid substitution matrices from protein blocks")
      .complexity(
          "|b| |x| cells per pair, about 10 operations for 32 bases, or 16 where scores may exceed "
          "32,000")
      .example(R"(
        words: {is: source/random_strings}
        bases: {is: basis/random, count: 40, from: words}
        local: {is: similarity/local_alignment, gap_open: 5, from: words, bases: bases}
        phi:   {is: normalizer/mean_norm, from: local}
        svm:   {is: solver/linear_svm, from: phi}
        test:  {is: evaluator/classification, from: svm})");
}

double LocalAlignment::operations() const noexcept {
  const auto longest = static_cast<double>(layout().size());
  return 10 * longest * longest;
}

void LocalAlignment::prepare_alphabet(const Layout& layout) {
  scores_ = {{},
             static_cast<std::int32_t>(match_),
             static_cast<std::int32_t>(mismatch_),
             static_cast<std::int32_t>(gap_open_),
             static_cast<std::int32_t>(gap_extend_)};
  if (matrix_ == "plain") return;
  check_amino_acids(symbols_of(layout));
  scores_.pairs = blosum62();
}

SymbolCodes LocalAlignment::codes() const {
  if (matrix_ == "plain") return PanelSimilarity::codes();
  std::vector<Symbol> known;
  for (const std::string& symbol : symbols_of(layout()))
    known.push_back(static_cast<Symbol>(blosum62_row(static_cast<unsigned char>(symbol.front()))));
  return {std::move(known),
          [](char32_t symbol) { return static_cast<Symbol>(blosum62_row(symbol)); }, blosum62_rows};
}

void LocalAlignment::scores(const PackedStrings& strings, std::size_t first, std::size_t count,
                            MatrixView in, Context& context, const Store& store) const {
  strings.compare(first, count, in, AlignmentProgramme(scores_), context, store);
}

double LocalAlignment::normalized(double score, const StringSide& basis,
                                  const StringSide& row) const {
  return normalize_ ? cosine(score, basis, row) : score;
}

}  // namespace

ComponentEntry declare_local_alignment() { return LocalAlignment::declare().entry(); }

}  // namespace semblance::strings

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "blosum62.hpp"
#include "panel_similarity.hpp"
#include "semblance/declaration.hpp"
#include "semblance_numerics/aligned_array.hpp"
#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "local_alignment.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"
#include "symbol_lanes-inl.hpp"

#ifndef SEMBLANCE_STRINGS_LOCAL_ALIGNMENT
#define SEMBLANCE_STRINGS_LOCAL_ALIGNMENT
namespace semblance::strings {

/// The scores of pairs of symbols and of gaps in an alignment.
struct AlignmentScores {
  /// The score of symbol a with symbol b at a * alphabet + b; empty: `match` or `mismatch`.
  std::vector<std::int8_t> pairs;
  std::int32_t match = 5;      ///< at least 0
  std::int32_t mismatch = -4;  ///< at most 0
  std::int32_t gap_open = 11;  ///< a gap of k symbols costs gap_open + k gap_extend
  std::int32_t gap_extend = 1;
};

/// The score of the best local alignment, Smith and Waterman 1981 with the affine gaps of Gotoh
/// 1982, one string per lane. In 16-bit integers if no score can overflow them, else in 32-bit
/// ones: exact either way.
///
/// Call start() once per panel and string, advance() with the string's symbols in one or several
/// parts, and finish() for the results.
class AlignmentProgramme {
 public:
  explicit AlignmentProgramme(const AlignmentScores& scores)
      : scores_(scores),
        highest_pair_(scores.pairs.empty() ? scores.match : std::ranges::max(scores.pairs)) {}

  void start(const StringPanels& strings, const StringPanels::Panel& panel, std::size_t length);
  void advance(std::span<const Symbol> part);
  /// One value a lane.
  void finish(double* values) const;

 private:
  template <class T>
  struct Rows {
    numerics::AlignedArray<T> best, gap, highest;
  };
  template <class T>
  void start_rows(Rows<T>& rows);
  void prepare_profile();

  const AlignmentScores& scores_;
  std::int32_t highest_pair_;
  const StringPanels* strings_ = nullptr;
  const StringPanels::Panel* panel_ = nullptr;
  bool narrow_ = true;  ///< the present pair is computed in 16 bits
  Rows<std::int16_t> narrow_rows_;
  Rows<std::int32_t> wide_rows_;
  numerics::AlignedArray<std::int8_t> profile_;
};

/// The data of the recurrence, which symbols advance; see AlignmentProgramme. Rows have one cell
/// per symbol of the panel, with StringPanels::width values each.
template <class T>
struct AlignmentRows {
  T* best;     ///< the best alignment that ends in a cell
  T* gap;      ///< the same, if it ends in a gap of the panel's string
  T* highest;  ///< of each lane's cells so far
  const Symbol* symbols;
  const std::int8_t* profile;  ///< symbol, position, lane: the pair's score; null: match or not
  std::size_t longest;
  std::size_t lanes;  ///< in use
  T match, mismatch, gap_first, gap_extend;
};

}  // namespace semblance::strings
#endif

HWY_BEFORE_NAMESPACE();
namespace semblance::strings {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Symbols of the string processed in one sweep over the panel's strings: the rows are read and
/// written once for all of them, and their latencies overlap.
constexpr std::size_t alignment_rows = 4;

/// Scores of pairs that are equal or not.
template <class T>
struct EqualPairs {
  static constexpr hn::ScalableTag<T> d{};
  using Vec = hn::Vec<hn::ScalableTag<T>>;
  const Symbol* symbols;
  Vec match, mismatch;

  EqualPairs(const AlignmentRows<T>& rows, std::size_t lane)
      : symbols(rows.symbols + lane),
        match(hn::Set(d, rows.match)),
        mismatch(hn::Set(d, rows.mismatch)) {}

  struct Wanted {
    Vec symbol;
    HWY_INLINE Wanted(const EqualPairs&, Symbol which) : symbol(HWY_NAMESPACE::symbol(d, which)) {}
    HWY_INLINE Vec score(const EqualPairs& pairs, Vec of_panel, std::size_t) const {
      return hn::IfThenElse(hn::Eq(of_panel, symbol), pairs.match, pairs.mismatch);
    }
  };
  HWY_INLINE Vec at(std::size_t cell) const { return load_symbols(d, symbols + cell); }
};

/// Scores of pairs as the panel's profile lists them.
template <class T>
struct ListedPairs {
  static constexpr hn::ScalableTag<T> d{};
  using Vec = hn::Vec<hn::ScalableTag<T>>;
  const std::int8_t* profile;
  std::size_t size;  // of a symbol's part

  ListedPairs(const AlignmentRows<T>& rows, std::size_t lane)
      : profile(rows.profile + lane), size(rows.longest * StringPanels::width) {}

  struct Wanted {
    const std::int8_t* scores;
    HWY_INLINE Wanted(const ListedPairs& pairs, Symbol which)
        : scores(pairs.profile + which * pairs.size) {}
    HWY_INLINE Vec score(const ListedPairs&, Vec, std::size_t cell) const {
      return hn::PromoteTo(d,
                           hn::Load(hn::Rebind<std::int8_t, hn::ScalableTag<T>>(), scores + cell));
    }
  };
  HWY_INLINE Vec at(std::size_t) const { return hn::Zero(d); }
};

template <class T, class Pairs, std::size_t... R>
HWY_INLINE void sweep_alignment(const AlignmentRows<T>& rows, std::size_t lane, const Symbol* part,
                                std::index_sequence<R...>) {
  constexpr hn::ScalableTag<T> d;
  using Vec = hn::Vec<hn::ScalableTag<T>>;
  const Pairs pairs(rows, lane);
  const Vec zero = hn::Zero(d);
  const Vec first = hn::Set(d, rows.gap_first), extend = hn::Set(d, rows.gap_extend);
  const typename Pairs::Wanted wanted[] = {typename Pairs::Wanted(pairs, part[R])...};
  // For each row of the sweep: the cell above the left one, and the gap continued from the left. A
  // gap that scores zero is dropped: the alignment can equally start after it.
  Vec corner[] = {(static_cast<void>(R), zero)...};
  Vec gap[] = {(static_cast<void>(R), zero)...};
  Vec highest = hn::Load(d, rows.highest + lane);
  for (std::size_t k = 0; k < rows.longest; ++k) {
    const std::size_t cell = k * StringPanels::width;
    const Vec of_panel = pairs.at(cell);
    Vec above = hn::Load(d, rows.best + lane + cell);
    Vec down = hn::Load(d, rows.gap + lane + cell);
    const auto step = [&](Vec& row_corner, Vec& row_gap, const auto& row_wanted) HWY_ATTR {
      Vec best = hn::Max(hn::Add(row_corner, row_wanted.score(pairs, of_panel, cell)), zero);
      best = hn::Max(best, hn::Max(row_gap, down));
      highest = hn::Max(highest, best);
      const Vec opened = hn::Sub(best, first);
      row_gap = hn::Max(hn::Sub(row_gap, extend), opened);
      down = hn::Max(hn::Sub(down, extend), opened);
      row_corner = above;
      above = best;
    };
    (step(corner[R], gap[R], wanted[R]), ...);
    hn::Store(above, d, rows.best + lane + cell);
    hn::Store(down, d, rows.gap + lane + cell);
  }
  hn::Store(highest, d, rows.highest + lane);
}

template <class T, class Pairs>
void align_lanes(const AlignmentRows<T>& rows, std::span<const Symbol> part) {
  for (std::size_t lane = 0; lane < rows.lanes; lane += hn::MaxLanes(hn::ScalableTag<T>())) {
    std::size_t done = 0;
    for (; done + alignment_rows <= part.size(); done += alignment_rows)
      sweep_alignment<T, Pairs>(rows, lane, part.data() + done,
                                std::make_index_sequence<alignment_rows>());
    for (; done < part.size(); ++done)
      sweep_alignment<T, Pairs>(rows, lane, part.data() + done, std::index_sequence<0>());
  }
}

template <class T>
void align_pairs(const AlignmentRows<T>& rows, std::span<const Symbol> part) {
  if (rows.profile != nullptr)
    align_lanes<T, ListedPairs<T>>(rows, part);
  else
    align_lanes<T, EqualPairs<T>>(rows, part);
}

}  // namespace

void align_narrow(const AlignmentRows<std::int16_t>& rows, std::span<const Symbol> part) {
  align_pairs(rows, part);
}
void align_wide(const AlignmentRows<std::int32_t>& rows, std::span<const Symbol> part) {
  align_pairs(rows, part);
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::strings
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::strings {

HWY_EXPORT(align_narrow);
HWY_EXPORT(align_wide);

void AlignmentProgramme::prepare_profile() {
  // The negative score of padding, which never improves an alignment.
  constexpr std::int8_t against_padding = std::numeric_limits<std::int8_t>::min();
  constexpr std::size_t width = StringPanels::width;
  const std::size_t alphabet = strings_->alphabet();
  const std::size_t size = panel_->longest * width;
  profile_ = numerics::AlignedArray<std::int8_t>(alphabet * size);
  const Symbol* symbols = strings_->symbols(*panel_);
  for (std::size_t a = 0; a < alphabet; ++a)
    for (std::size_t k = 0; k < size; ++k)
      profile_.data()[a * size + k] =
          symbols[k] == no_symbol ? against_padding : scores_.pairs[a * alphabet + symbols[k]];
}

template <class T>
void AlignmentProgramme::start_rows(Rows<T>& rows) {
  constexpr std::size_t width = StringPanels::width;
  const std::size_t size = panel_->longest * width;
  if (rows.best.size() != size) {
    rows.best = numerics::AlignedArray<T>(size);
    rows.gap = numerics::AlignedArray<T>(size);
    rows.highest = numerics::AlignedArray<T>(width);
  }
  std::fill_n(rows.best.data(), size, T{0});
  std::fill_n(rows.gap.data(), size, T{0});
  std::fill_n(rows.highest.data(), width, T{0});
}

void AlignmentProgramme::start(const StringPanels& strings, const StringPanels::Panel& panel,
                               std::size_t length) {
  const bool known = strings_ == &strings && panel_ == &panel;
  strings_ = &strings;
  panel_ = &panel;
  if (!known && !scores_.pairs.empty()) prepare_profile();
  // The longest gap and the worst pair must not underflow either.
  const std::int64_t reach =
      static_cast<std::int64_t>(std::min(length, panel.longest)) * highest_pair_ +
      scores_.gap_open + 2 * scores_.gap_extend - std::min(scores_.mismatch, -256);
  narrow_ = reach <= std::numeric_limits<std::int16_t>::max();
  if (narrow_)
    start_rows(narrow_rows_);
  else
    start_rows(wide_rows_);
}

void AlignmentProgramme::advance(std::span<const Symbol> part) {
  const auto data = [&]<class T>(Rows<T>& rows) {
    return AlignmentRows<T>{rows.best.data(),
                            rows.gap.data(),
                            rows.highest.data(),
                            strings_->symbols(*panel_),
                            scores_.pairs.empty() ? nullptr : profile_.data(),
                            panel_->longest,
                            panel_->strings,
                            static_cast<T>(scores_.match),
                            static_cast<T>(scores_.mismatch),
                            static_cast<T>(scores_.gap_open + scores_.gap_extend),
                            static_cast<T>(scores_.gap_extend)};
  };
  if (narrow_)
    HWY_DYNAMIC_DISPATCH(align_narrow)(data(narrow_rows_), part);
  else
    HWY_DYNAMIC_DISPATCH(align_wide)(data(wide_rows_), part);
}

void AlignmentProgramme::finish(double* values) const {
  for (std::size_t lane = 0; lane < panel_->strings; ++lane)
    values[lane] = narrow_ ? narrow_rows_.highest.data()[lane] : wide_rows_.highest.data()[lane];
}

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
#endif

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "bit_programme.hpp"
#include "edit_programme.hpp"
#include "semblance/declaration.hpp"
#include "semblance/distance.hpp"
#include "string_panels.hpp"

namespace semblance::strings {
namespace {

/// A substitution that costs at least a deletion plus an insertion is never needed: the unchanged
/// symbols are then the longest common subsequence.
bool keeps_subsequences(const EditCosts& costs) {
  return costs.substitution >= costs.insertion + costs.deletion;
}

bool all_cost_the_same(const EditCosts& costs) {
  return costs.insertion == costs.deletion && costs.deletion == costs.substitution;
}

/// The least cost of insertions, deletions and substitutions that turn one string into another.
class Edit final : public Distance {
 public:
  static Declaration<Edit> declare() {
    return distance_parameters(
               Declaration<Edit>("similarity/edit", "Edit distance of strings, weighted or not"))
        .parameter("insertion", &Edit::insertion_, "cost of a symbol that only the sample has",
                   above(0), at_most(1000))
        .parameter("deletion", &Edit::deletion_, "cost of a symbol that only the basis has",
                   above(0), at_most(1000))
        .parameter("substitution", &Edit::substitution_, "cost of a symbol in place of another one",
                   above(0), at_most(1000))
        .parameter("normalize", &Edit::normalize_,
                   "none; longer: divided by the length of the longer string; yujian_bo: 2d / "
                   "(a(|b| + |x|) + d), where a is the higher cost of insertion and deletion: in "
                   "[0, 1], and a metric where insertion and deletion cost the same",
                   choices({"none", "longer", "yujian_bo"}))
        .accepts({LayoutKind::string})
        .documentation(
            "d is the least cost of turning the basis into the sample. With costs of 1 it is the "
            "Levenshtein distance; with a substitution of 2 it counts the symbols outside of the "
            "longest common subsequence. Symmetric where insertion and deletion cost the same. A "
            "symbol that only new strings have equals none of the bases'. Equal costs, and "
            "substitutions that cost no less than a deletion and an insertion, are computed 64 "
            "cells to a word, all others cell by cell: six times as long with whole costs, "
            "seventeen times with others. Those are summed in float32, so that each symbol may add "
            "an error of half a unit in the last place.")
        .reference(
            "Wagner & Fischer 1974, The string-to-string correction problem; Yujian & Bo 2007, A "
            "normalized Levenshtein distance metric, theorem 1; computed after Myers 1999 and "
            "Hyyro 2003, 2004")
        .complexity(
            "|b| |x| cells per pair, 32 bases at once; about 17 operations for 512 cells with "
            "AVX-512 and equal costs, 7 for 32 cells with whole ones, 7 for 16 with others")
        .example(R"(
        words: {is: source/random_strings}
        bases: {is: basis/random, count: 40, from: words}
        edit:  {is: similarity/edit, normalize: longer, from: words, bases: bases}
        phi:   {is: normalizer/mean_norm, from: edit}
        svm:   {is: solver/linear_svm, from: phi}
        test:  {is: evaluator/classification, from: svm})");
  }

  double operations() const noexcept override {
    const double cells = Distance::operations();
    if (keeps_subsequences(costs())) return cells * 6 / 64 + 1;
    return all_cost_the_same(costs()) ? cells * 17 / 64 + 1 : cells * 7;
  }

 private:
  void check_layout(const Layout& layout) const override { check_alphabet(layout); }

  void prepare_bases(MatrixView bases, Context&) override {
    bases_ = PackedStrings(bases, SymbolCodes(symbols_of(layout()).size()));
  }

  void distances(MatrixView in, std::size_t first, MutableMatrixView out,
                 Context& context) const override {
    const auto compare = [&](auto&& programme, const auto& distance) {
      bases_.compare(
          first, out.cols, in, programme, context, [&](std::size_t i, std::size_t j, double value) {
            const std::size_t basis = bases_.length(first + j), row = in.size(i);
            out.row(i)[j] = static_cast<float>(normalized(distance(value, basis, row), basis, row));
          });
    };
    if (keeps_subsequences(costs()))
      compare(BitProgramme(BitCount::common), [&](double common, std::size_t b, std::size_t x) {
        return deletion_ * (static_cast<double>(b) - common) +
               insertion_ * (static_cast<double>(x) - common);
      });
    else if (all_cost_the_same(costs()))
      compare(BitProgramme(BitCount::edits),
              [&](double edits, std::size_t, std::size_t) { return insertion_ * edits; });
    else
      compare(EditProgramme(costs()), [](double cost, std::size_t, std::size_t) { return cost; });
  }

  EditCosts costs() const noexcept { return {insertion_, deletion_, substitution_}; }

  double normalized(double distance, std::size_t basis, std::size_t row) const noexcept {
    if (normalize_ == "longer") return distance / static_cast<double>(std::max(basis, row));
    if (normalize_ == "yujian_bo")
      return 2 * distance /
             (std::max(insertion_, deletion_) * static_cast<double>(basis + row) + distance);
    return distance;
  }

  double insertion_ = 1;
  double deletion_ = 1;
  double substitution_ = 1;
  std::string normalize_ = "none";
  PackedStrings bases_;
};

}  // namespace

ComponentEntry declare_edit() { return Edit::declare().entry(); }

}  // namespace semblance::strings

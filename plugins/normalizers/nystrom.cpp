// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "affine.hpp"
#include "basis_spectrum.hpp"
#include "row_kernels.hpp"
#include "semblance/collectives.hpp"
#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/normalizer.hpp"
#include "semblance/row_error.hpp"
#include "semblance_numerics/packed_rows.hpp"
#include "semblance_numerics/product.hpp"

namespace semblance::normalizers {
namespace {

std::string short_text(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

std::string summary(const BasisSpectrum& spectrum, std::size_t dropped, const std::string& repair,
                    double threshold) {
  const std::size_t n = spectrum.values().size();
  return "similarities of " + std::to_string(n) + " bases: " + std::to_string(spectrum.negative()) +
         " negative eigenvalues (" + short_text(100 * spectrum.negative_share()) +
         " % of the sum of absolute values), repair: " + repair + "; " + std::to_string(dropped) +
         " dropped for not exceeding " + short_text(threshold) + " of the largest";
}

/// A small threshold drops rounding errors. If the similarities are large relative to their
/// differences, it also drops these.
void check_dropped(const BasisSpectrum& spectrum, numerics::SpectrumRepair repair,
                   double threshold) {
  constexpr double small = 1e-4, much = 0.1;
  if (threshold > small) return;
  const double lost = spectrum.dropped_differences(repair, threshold);
  if (lost <= much) return;
  throw Error("the eigenvalues that 'threshold: " + short_text(threshold) + "' drops hold " +
              short_text(100 * lost) +
              " % of what the bases differ by, since their similarities are large beside that, as "
              "they are where columns lie far from 0 compared with their spread; center the "
              "samples (normalizer/zscore)");
}

/// `normalizer/nystrom`: the Nyström features K_mm^(-1/2) k_m(x) of a similarity map.
class Nystrom final : public Normalizer, public Exportable {
 public:
  static Declaration<Nystrom> declare() {
    return Declaration<Nystrom>("normalizer/nystrom",
                                "Nyström features: decorrelated similarities to the bases")
        .documentation(
            "psi(x) = K_mm^(-1/2) k_m(x), where k_m(x) is the similarity map's row of x and K_mm "
            "the similarities among the bases, so that inner products of features approximate the "
            "kernel: K ~ K_nm K_mm^-1 K_mn. Connect it directly to a similarity node whose bases "
            "are training rows. The root is the symmetric one, so there is one feature per "
            "basis.\n\nIf the similarity is not symmetric, the symmetric part of K_mm is used, and "
            "a warning says so. Negative eigenvalues are repaired; then those not above "
            "`threshold` times the largest are dropped, because K_mm is often nearly singular: "
            "similarities are float32, so eigenvalues below 1e-7 of the largest are rounding "
            "errors. The log says how many were negative and how many were dropped. The feature "
            "space is neither centred nor scaled: follow it with normalizer/mean_norm for that. "
            "Stop requests are honoured only before and after the eigenvalues are computed.")
        .reference("BE-SVM, section 2.2, eq. (1) and (2); Williams and Seeger 2001")
        .complexity(
            "fit: about 10 B^3 operations on one thread and 32 B^2 bytes for B bases; apply: one "
            "packed matrix product, 2 B^2 operations per row")
        .accepts({LayoutKind::vector})
        .gives(LayoutKind::vector)
        .distributed()
        .parameter("repair", &Nystrom::repair_,
                   "repair of negative eigenvalues; clip: set them to 0, flip: take absolute "
                   "values, shift: raise all until the smallest is 0, square: square all",
                   choices({"clip", "flip", "shift", "square"}))
        .parameter("threshold", &Nystrom::threshold_,
                   "drop repaired eigenvalues not above this share of the largest", at_least(0),
                   below(1))
        .example(R"(
        points: {is: source/xor}
        bases:  {is: basis/random, count: 40, from: points}
        rbf:    {is: similarity/rbf, gamma: 10, from: points, bases: bases}
        phi:    {is: normalizer/nystrom, from: rbf}
        svm:    {is: solver/linear_svm, from: phi}
        test:   {is: evaluator/classification, from: svm})");
  }

  Layout bind(const Layout& input) override {
    if (input.size() == 0) throw Error("there are no similarities to normalize");
    cols_ = input.size();
    return Layout::vector(cols_);
  }

  void fit(const TrainingSet& training, Context& context) override {
    check_width(cols_, training.rows.cols());
    context.check_stop();
    if (cols_ > numerics::most_eigen_order)
      throw Error("the eigenvectors of " + std::to_string(cols_) +
                  " bases are more than LAPACK's integers can count; use at most " +
                  std::to_string(numerics::most_eigen_order) + " bases");
    check_budget(BasisSpectrum::bytes(cols_), context,
                 "the eigenvalues of " + std::to_string(cols_) + " bases", "use fewer bases");
    std::vector<double> similarities = base_similarities(training, context);
    double largest = 0;
    for (const double value : similarities) largest = std::max(largest, std::abs(value));
    const BasisSpectrum spectrum(std::move(similarities), cols_);
    check_dropped(spectrum, numerics::spectrum_repair(repair_), threshold_);
    std::size_t dropped = 0;
    const std::vector<double> root =
        spectrum.inverse_root(numerics::spectrum_repair(repair_), threshold_, dropped);
    context.log(LogLevel::info, summary(spectrum, dropped, repair_, threshold_));
    constexpr double rounding = 1e-4;
    if (spectrum.asymmetry() > rounding * largest)
      context.log(LogLevel::warning, "s(a, b) and s(b, a) differ by up to " +
                                         short_text(spectrum.asymmetry()) +
                                         " among the bases: the features approximate the symmetric "
                                         "part of the similarity, (s(a, b) + s(b, a)) / 2; with "
                                         "another normalizer they are the similarities themselves");
    const std::vector<float> values(root.begin(), root.end());
    root_ = numerics::PackedRows({values.data(), cols_, cols_, cols_});
  }

  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
    check_width(root_.rows(), in.cols);
    constexpr std::size_t step = 240;  // whole groups of rows, see numerics::multiply
    for (std::size_t first = 0; first < in.rows; first += step) {
      context.check_stop();
      const std::size_t count = std::min(step, in.rows - first);
      for (std::size_t i = first; i < first + count; ++i)
        check_finite(in.row(i), in.cols, i, RowError::Of::block);
      numerics::multiply(in.rows_range(first, count), root_, out.rows_range(first, count));
    }
  }

  void save(StateWriter& state) const override { state.floats("root", root_.unpack().view()); }

  void load(const StateReader& state, Context&) override {
    const FloatMatrix root = state.floats("root");
    check_width(cols_, root.rows);
    check_width(cols_, root.cols);
    root_ = numerics::PackedRows(root.view());
  }

  /// The root's entries can be large and cancel each other: in float64.
  Formula::Value write(Formula& formula, Formula::Value in) const override {
    const FloatMatrix root = root_.unpack();
    const std::vector<double> wide(root.values.begin(), root.values.end());
    return formula.narrow(formula.products(formula.widen(in), wide));
  }

 private:
  /// K_mm: row i holds s(b_j, b_i) for all j.
  std::vector<double> base_similarities(const TrainingSet& training, Context& context) const {
    if (training.bases.empty())
      throw Error(
          "it needs the rows of a similarity map; connect it to a similarity node directly");
    if (training.bases.size() != cols_)
      throw Error(std::to_string(training.bases.size()) + " bases for " + std::to_string(cols_) +
                  " columns; connect it to a similarity node directly");
    for (const std::int64_t base : training.bases)
      if (base < 0 || static_cast<std::size_t>(base) >= training.rows.rows())
        throw Error("the basis " + std::to_string(base) + " is not one of the " +
                    std::to_string(training.rows.rows()) +
                    " training rows; choose bases from the training rows");
    const FloatMatrix rows = gather_rows(training.rows, training.bases, context);
    for (std::size_t i = 0; i < rows.rows; ++i)
      check_finite(rows.view().row(i), rows.cols, static_cast<std::size_t>(training.bases[i]),
                   RowError::Of::training);
    return {rows.values.begin(), rows.values.end()};
  }

  std::string repair_ = "clip";
  double threshold_ = 1e-6;

  std::size_t cols_ = 0;
  numerics::PackedRows root_;  // symmetric, columns x columns
};

}  // namespace

ComponentEntry declare_nystrom() { return Nystrom::declare().entry(); }

}  // namespace semblance::normalizers

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "figures/basis_similarities.hpp"
#include "figures/eigenvalues.hpp"
#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"

namespace semblance::evaluators {
namespace {

void check_budget(const TrainingSet& training, double matrices, const Context& context) {
  const std::size_t bases = training.bases.size();
  const double mebibyte = 1 << 20, count = static_cast<double>(bases);
  const double need = sizeof(double) * count * (matrices * count + 64);
  if (need <= static_cast<double>(context.memory_budget())) return;
  const auto whole = [&](double bytes) { return std::to_string(std::int64_t(bytes / mebibyte)); };
  throw MemoryError("the similarities among " + std::to_string(bases) + " bases take " +
                    whole(need + mebibyte) + " MiB, but " +
                    whole(static_cast<double>(context.memory_budget())) +
                    " MiB are free; choose fewer bases or raise --memory");
}

void report_signs(const std::vector<double>& eigenvalues, double zero, Report& report) {
  std::int64_t negative = 0, positive = 0;
  double below = 0, above = 0;
  for (const double value : eigenvalues) {
    if (std::abs(value) <= zero) continue;
    ++(value < 0 ? negative : positive);
    (value < 0 ? below : above) += std::abs(value);
  }
  report.number("negative_ratio",
                static_cast<double>(negative) / static_cast<double>(eigenvalues.size()));
  report.number("negative_energy", above > 0   ? below / above
                                   : below > 0 ? std::numeric_limits<double>::infinity()
                                               : 0);
  report.integer("bases", static_cast<std::int64_t>(eigenvalues.size()));
  report.integer("negative_eigenvalues", negative);
  report.integer("positive_eigenvalues", positive);
}

/// `evaluator/spectrum`: the deviation of a similarity from positive semi-definiteness on its
/// bases.
class Spectrum final : public EvaluatorOf<PortType::samples> {
 public:
  static Declaration<Spectrum> declare() {
    return Declaration<Spectrum>("evaluator/spectrum",
                                 "Negative eigenvalues of a similarity among its bases")
        .accepts({LayoutKind::vector})
        .documentation(
            "Takes a similarity node and analyses K_mm, the similarities of the bases to each "
            "other. A similarity need not be symmetric: the eigenvalues are those of the symmetric "
            "part (K + K^T) / 2, and asymmetry measures what that ignores, |K - K^T| / |K| in the "
            "Frobenius norm (0: symmetric). With `of: matrix` they are the real parts of those of "
            "K itself, of at most 2,048 bases.\n\n"
            "Reports negative_ratio, the share of negative eigenvalues (NgRat); negative_energy, "
            "the sum of the negative eigenvalues' magnitudes divided by that of the positive ones "
            "(NgEng; null if no eigenvalue is positive); smallest_eigenvalue and "
            "largest_eigenvalue; bases, negative_eigenvalues, positive_eigenvalues; and the curve "
            "of all eigenvalues, the largest first.\n\n"
            "Similarities are float32, so a zero eigenvalue comes out as small noise of either "
            "sign. Those within `threshold` times the largest magnitude count as zero, neither "
            "negative nor positive.")
        .reference("BE-SVM, section 3.3: Table 2")
        .complexity("4/3 bases^3 operations, 10 bases^3 with `of: matrix`; 8 bases^2 bytes")
        .reports({"negative_ratio", "share of negative eigenvalues (NgRat)", FigureUnit::share,
                  Better::lower, true})
        .reports(
            {"negative_energy",
             "sum of the negative eigenvalues' magnitudes over that of the positive ones (NgEng)",
             FigureUnit::plain, Better::lower, true})
        .reports({"bases", "number of bases, and so of eigenvalues", FigureUnit::count})
        .reports({"negative_eigenvalues", "number of eigenvalues below zero by more than noise",
                  FigureUnit::count})
        .reports({"positive_eigenvalues", "number of eigenvalues above zero by more than noise",
                  FigureUnit::count})
        .reports({"smallest_eigenvalue", "of the symmetric part, or the smallest real part"})
        .reports({"largest_eigenvalue", "of the symmetric part, or the largest real part"})
        .reports({"asymmetry", "what the symmetric part ignores, |K - K^T| / |K|"})
        .parameter("of", &Spectrum::of_,
                   "whose eigenvalues, where K is not symmetric: those of (K + K^T) / 2, or the "
                   "real parts of those of K",
                   choices({"symmetric_part", "matrix"}))
        .parameter("threshold", &Spectrum::threshold_,
                   "eigenvalues up to this share of the largest magnitude count as zero",
                   at_least(0), below(1))
        .example(R"(
        glyphs:   {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        hog:      {is: feature/hog, cell: 4, from: glyphs}
        bases:    {is: basis/index, per_class: 10, from: glyphs}
        s:        {is: similarity/deformable, shift: 1, local: 1, from: hog, bases: bases}
        spectrum: {is: evaluator/spectrum, from: s})");
  }

  void evaluate(const Results& test, Report& report, Context& context) const override {
    const TrainingSet& training = *test.training;
    check_has_bases(training);
    check_budget(training, of_ == "matrix" ? 2 : 1, context);
    const std::size_t n = training.bases.size();
    std::vector<std::size_t> all(n);
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::vector<double> matrix = similarities_of_bases(training, all);
    std::vector<double> whole;
    if (of_ == "matrix") whole = matrix;
    const double asymmetry = symmetrise(matrix, n);
    // A symmetric matrix has real eigenvalues, which the other way finds faster and to more digits.
    std::vector<double> eigenvalues = whole.empty() || asymmetry == 0
                                          ? symmetric_eigenvalues(matrix, n, context)
                                          : real_parts_of_eigenvalues(whole, n);
    std::ranges::reverse(eigenvalues);

    const double largest = std::max(std::abs(eigenvalues.front()), std::abs(eigenvalues.back()));
    report_signs(eigenvalues, threshold_ * largest, report);
    report.number("smallest_eigenvalue", eigenvalues.back());
    report.number("largest_eigenvalue", eigenvalues.front());
    report.number("asymmetry", asymmetry);
    Curve curve{"eigenvalues", "rank", "eigenvalue", {}, std::move(eigenvalues)};
    for (std::size_t i = 0; i < n; ++i) curve.x.push_back(static_cast<double>(i + 1));
    report.curve(curve);
  }

 private:
  std::string of_ = "symmetric_part";
  double threshold_ = 1e-6;
};

}  // namespace

ComponentEntry declare_spectrum() { return Spectrum::declare().entry(); }

}  // namespace semblance::evaluators

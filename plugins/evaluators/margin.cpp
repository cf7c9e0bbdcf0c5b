// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"

namespace semblance::evaluators {
namespace {

constexpr const char* column_name = "squared norm";

/// The squared norms of the problems, from their table.
Table squared_norms(const Lineage& lineage) {
  for (const Table& table : lineage.tables) {
    const auto column = std::ranges::find(table.columns, column_name);
    if (column == table.columns.end() || table.rows.empty()) continue;
    Table norms{"margins", table.row_label, "", table.rows, {column_name, "margin"}, {}};
    const auto place = static_cast<std::size_t>(column - table.columns.begin());
    for (std::size_t row = 0; row < table.rows.size(); ++row)
      norms.values.push_back(table.values[row * table.columns.size() + place]);
    return norms;
  }
  throw Error("the solver " + lineage.solver +
              " does not report the size of its weights: none of its tables has a column '" +
              column_name + "'; use one that does, such as solver/linear_svm");
}

/// 1 / |w|^2; NaN if w^T w is unknown or negative, which is possible for an indefinite kernel.
double margin_of(double squared_norm) {
  if (squared_norm >= 0) return 1 / squared_norm;
  return std::numeric_limits<double>::quiet_NaN();
}

/// The largest number of classes with a curve of their own.
constexpr std::size_t most_histograms = 12;

/// The margins of the labelled test samples, by class: the score of the own class minus the largest
/// other one. Margins that are not finite are omitted.
std::vector<std::vector<double>> test_margins(const Results& test) {
  std::vector<std::vector<double>> margins(test.classes.size());
  for (std::size_t i = 0; i < test.outputs.rows; ++i) {
    if (test.labels[i] < 0 || test.classes.size() < 2) continue;
    const auto own = static_cast<std::size_t>(test.labels[i]);
    double other = -std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < test.classes.size(); ++c)
      if (c != own) other = std::max(other, double{test.outputs.row_span(i)[c]});
    const double margin = double{test.outputs.row_span(i)[own]} - other;
    if (std::isfinite(margin)) margins[own].push_back(margin);
  }
  return margins;
}

/// Bins of one width over all margins, with an empty one on both sides.
struct Bins {
  double low = 0, width = 1;
  std::size_t count = 0;

  explicit Bins(const std::vector<std::vector<double>>& margins) {
    constexpr std::size_t inner = 30;
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const auto& of_class : margins)
      for (const double margin : of_class) {
        least = std::min(least, margin);
        most = std::max(most, margin);
      }
    if (!(most >= least)) return;
    width = most > least ? (most - least) / inner : 1;
    low = most > least ? least - width : least - 1.5;
    count = most > least ? inner + 2 : 3;
  }
  double centre(std::size_t bin) const { return low + (static_cast<double>(bin) + 0.5) * width; }
  std::size_t bin_of(double margin) const {
    const auto bin = static_cast<std::size_t>((margin - low) / width);
    return std::clamp<std::size_t>(bin, 1, count - 2);
  }
};

Curve histogram(const std::string& name, const std::vector<double>& margins, const Bins& bins) {
  Curve curve{name, "margin", "share of the rows", {}, std::vector<double>(bins.count)};
  for (std::size_t bin = 0; bin < bins.count; ++bin) curve.x.push_back(bins.centre(bin));
  for (const double margin : margins) curve.y[bins.bin_of(margin)] += 1;
  for (double& share : curve.y) share /= static_cast<double>(margins.size());
  return curve;
}

/// One curve per class that has test samples; one for all if there are too many.
void report_test_margins(const Results& test, Report& report) {
  std::vector<std::vector<double>> margins = test_margins(test);
  const Bins bins(margins);
  if (bins.count == 0) return;
  const auto filled =
      std::ranges::count_if(margins, [](const auto& some) { return !some.empty(); });
  if (static_cast<std::size_t>(filled) > most_histograms) {
    std::vector<double> all;
    for (const auto& of_class : margins) all.insert(all.end(), of_class.begin(), of_class.end());
    report.curve(histogram("test_margins", all, bins));
    return;
  }
  for (std::size_t c = 0; c < margins.size(); ++c)
    if (!margins[c].empty())
      report.curve(histogram("test_margins_" + test.classes[c], margins[c], bins));
}

/// `evaluator/margin`: the margin of every binary problem that a solver solved.
class Margin final : public Evaluator {
 public:
  static Declaration<Margin> declare() {
    using enum FigureUnit;
    using enum Better;
    return Declaration<Margin>("evaluator/margin", "The margins 1 / |w|^2 of a solver's problems")
        .documentation(
            "Takes |w|^2 of each binary problem from the solver, from the table with a column "
            "'squared norm'. What the margin means depends on the solver's input: with the hinge "
            "loss on the similarities themselves, without a normalizer, it is eq. (8), 1 / (b^T Y "
            "S^T S Y b); for a kernel machine it is eq. (9), 1 / (a^T Y K Y a); on Nyström "
            "features eq. (10). With the squared hinge or on a normalized map it is the margin of "
            "that problem, none of the three. Whether |w|^2 includes a bias is the solver's "
            "choice.\n\n"
            "Reports smallest_margin, mean_margin, problems, and the table `margins`. A problem "
            "whose w is zero has an infinite margin. If w^T w is negative, as it can be with an "
            "indefinite kernel, there is no margin: the problem counts as without_margin and is "
            "excluded from the figures.\n\n"
            "The curves `test_margins_CLASS` are histograms of the test rows' own margins: the "
            "score of the row's class minus the largest other score, so that a row with a negative "
            "margin is misclassified. They are shares of the class's rows; with more than 12 "
            "classes there is one histogram of all rows.")
        .reference("BE-SVM, section 2.6, eq. (8), (9), (10)")
        .complexity("rows x classes")
        .reports({"smallest_margin", "smallest margin of all problems", plain, higher, true})
        .reports({"mean_margin", "mean margin of the problems that have one", plain, higher, true})
        .reports({"problems", "number of binary problems of the solver", count})
        .reports({"without_margin", "problems whose w^T w is negative or unknown", count, lower})
        .reports({"test_margins.share of the rows", "share of the test rows in the bin", share})
        .reports({"test_margins_*.share of the rows", "share of the class's test rows in the bin",
                  share})
        .example(R"(
        points: {is: source/xor, squares: 4, noise: 0.05}
        svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 10}, C: 10, from: points}
        margin: {is: evaluator/margin, from: svm})");
  }

  void evaluate(const Results& test, Report& report, Context& context) const override {
    Table table = squared_norms(test.lineage);
    const std::vector<double> norms = std::move(table.values);
    table.values.clear();
    double smallest = std::numeric_limits<double>::infinity(), sum = 0;
    std::int64_t counted = 0;
    for (const double norm : norms) {
      const double margin = margin_of(norm);
      table.values.insert(table.values.end(), {norm, margin});
      if (std::isnan(margin)) continue;
      ++counted;
      sum += margin;
      smallest = std::min(smallest, margin);
    }
    const auto problems = static_cast<std::int64_t>(norms.size());
    if (counted == 0)
      throw Error("no problem has a margin: w^T w is negative or unknown in all " +
                  std::to_string(problems) + "; make the kernel positive semi-definite");
    if (counted < problems)
      context.log(LogLevel::warning, std::to_string(problems - counted) + " of " +
                                         std::to_string(problems) +
                                         " problems have no margin: w^T w is negative or unknown");
    report.number("smallest_margin", smallest);
    report.number("mean_margin", sum / static_cast<double>(counted));
    report.integer("problems", problems);
    report.integer("without_margin", problems - counted);
    report.table(table);
    report_test_margins(test, report);
  }
};

}  // namespace

ComponentEntry declare_margin() { return Margin::declare().entry(); }

}  // namespace semblance::evaluators

// SPDX-License-Identifier: MIT
#include <array>
#include <optional>
#include <set>
#include <string>

#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"

namespace semblance::evaluators {
namespace {

std::optional<double> figure(const Lineage& lineage, const char* name) {
  const auto found = lineage.figures.find(name);
  return found == lineage.figures.end() ? std::nullopt : std::optional(found->second);
}

/// The letters of Table 1.
struct Sizes {
  double rows = 0;        ///< n
  double classes = 0;     ///< C
  double measures = 0;    ///< M
  double bases = 0;       ///< |B|
  double values = 0;      ///< M d_phi: per sample, in all compared representations
  double operations = 0;  ///< M d_K: of all measures for one pair
};

/// A representation or a choice of bases shared by several maps counts once.
Sizes sizes_of_maps(const Lineage& lineage) {
  Sizes sizes;
  std::set<std::string> samples, bases;
  for (const MapFacts& map : lineage.maps) {
    sizes.measures += 1;
    sizes.operations += map.operations;
    if (samples.insert(map.samples).second) sizes.values += static_cast<double>(map.width);
    if (bases.insert(map.basis).second) sizes.bases += static_cast<double>(map.bases);
  }
  return sizes;
}

/// A kernel machine without a map compares its rows with its support vectors.
Sizes sizes_of_kernel(const Lineage& lineage, double vectors) {
  const auto width = static_cast<double>(lineage.width);
  return {0, 0, 1, vectors, width, figure(lineage, "kernel_operations").value_or(2 * width)};
}

enum class Machine { linear, kernel, basis_expanding };

struct Judged {
  Machine machine = Machine::linear;
  Sizes sizes;
  double exemplars = 0;
  double parameters = 0;
};

Judged judge(const Results& test) {
  const Lineage& lineage = test.lineage;
  const auto width = static_cast<double>(lineage.width);
  const auto vectors = figure(lineage, "support_vectors");
  Judged judged;
  if (vectors) {
    judged.exemplars = *vectors;
    judged.parameters = figure(lineage, "parameters").value_or(*vectors * (width + 1));
  }
  if (!lineage.maps.empty()) {
    judged.machine = Machine::basis_expanding;
    judged.sizes = sizes_of_maps(lineage);
    judged.exemplars += judged.sizes.bases;
    judged.parameters += judged.sizes.bases * (judged.sizes.values + judged.sizes.measures);
  } else if (vectors) {
    judged.machine = Machine::kernel;
    judged.sizes = sizes_of_kernel(lineage, *vectors);
  } else {
    judged.sizes.values = width;
    judged.parameters = width;
  }
  judged.sizes.rows = static_cast<double>(lineage.train_rows);
  judged.sizes.classes = static_cast<double>(test.classes.size());
  return judged;
}

/// Memory and computation of training, then of testing.
using Costs = std::array<double, 4>;

constexpr std::array cost_names = {"training_memory", "training_computation", "testing_memory",
                                   "testing_computation"};

Costs linear_costs(const Sizes& s) {
  return {s.rows * s.values, s.classes * s.rows * s.values, s.values, s.classes * s.values};
}

Costs kernel_costs(const Sizes& s) {
  return {s.rows * s.values + s.rows * s.rows / s.classes,
          s.rows * s.rows * s.operations + s.rows * s.rows * s.rows / s.classes, s.rows * s.values,
          s.rows * s.classes * s.operations};
}

Costs basis_expanding_costs(const Sizes& s) {
  return {s.rows * s.values + s.rows * s.measures * s.bases,
          s.rows * s.classes * s.bases * s.operations, s.bases * s.values,
          s.bases * s.classes * s.operations};
}

void report_costs(const Judged& judged, Report& report) {
  Table table{"costs",
              "",
              "",
              {},
              {"training memory", "training computation", "testing memory", "testing computation"},
              {}};
  const auto add_row = [&](const char* name, const Costs& costs, Machine machine) {
    table.rows.emplace_back(name);
    table.values.insert(table.values.end(), costs.begin(), costs.end());
    if (machine != judged.machine) return;
    for (std::size_t i = 0; i < costs.size(); ++i) report.number(cost_names[i], costs[i]);
  };
  if (judged.machine == Machine::linear) {
    add_row("linear SVM", linear_costs(judged.sizes), Machine::linear);
  } else {
    add_row("K SVM", kernel_costs(judged.sizes), Machine::kernel);
    add_row("BE-SVM", basis_expanding_costs(judged.sizes), Machine::basis_expanding);
  }
  report.table(table);
}

/// `evaluator/complexity`: the size and cost of a classifier, counted as in BE-SVM.
class Complexity final : public Evaluator {
 public:
  static Declaration<Complexity> declare() {
    return Declaration<Complexity>("evaluator/complexity",
                                   "Parameters, supporting exemplars and costs of a classifier")
        .documentation(
            "Counts as the BE-SVM paper does, by what computing the scores needs; neither classes "
            "nor a bias count.\n\n"
            "supporting_exemplars (Fig. 4b): the bases |B| of the similarity maps before the "
            "solver, where bases shared by several maps count once; for a kernel machine, a solver "
            "that reports support_vectors, its support vectors (a kernel machine on maps needs "
            "both).\n\n"
            "parameters (Fig. 4a): for a linear classifier on the samples themselves the dimension "
            "d_x; for a kernel machine what it reports as parameters, else n_sv (d_phi + 1), a "
            "vector and a coefficient each; for BE-SVM likewise |B| (D + M): the values D of a "
            "basis in all representations compared, where one shared by several measures counts "
            "once, and a coefficient for each of the M measures. learned_parameters is the "
            "solver's own count over all classes, if it reports one.\n\n"
            "The table `costs` holds Table 1's upper bounds, with orders of magnitude taken as "
            "numbers: memory in values, computation in operations. With n training rows, C "
            "classes, D for M d_phi and the operations K of all measures for one pair for M d_K: K "
            "SVM, one class against one, n D + n^2 / C, n^2 K + n^3 / C, n D, n C K; BE-SVM n D + "
            "n M |B|, n C |B| K, |B| D, |B| C K. If the solver is a kernel machine, M is 1, |B| "
            "its support vectors, and K what it reports as kernel_operations, else 2 d_phi. A "
            "linear classifier has one row, section 2.1's costs for C classes: n d_x, C n d_x, "
            "d_x, C d_x. training_memory, training_computation, testing_memory and "
            "testing_computation are those of the classifier's own row.")
        .reference("BE-SVM, Table 1, section 3.2 and Fig. 4")
        .complexity("nothing is computed")
        .reports({"supporting_exemplars", "number of samples that the classifier keeps",
                  FigureUnit::count, Better::lower, true})
        .reports({"parameters", "number of parameters, counted as in the paper", FigureUnit::count,
                  Better::lower, true})
        .reports({"learned_parameters", "the solver's own count, over all classes",
                  FigureUnit::count, Better::lower})
        .reports({"similarity_measures",
                  "number of similarity measures that the classifier computes", FigureUnit::count})
        .reports({"training_memory", "bound, in values", FigureUnit::plain, Better::lower})
        .reports({"training_computation", "bound, in operations", FigureUnit::plain, Better::lower})
        .reports({"testing_memory", "bound, in values", FigureUnit::plain, Better::lower})
        .reports({"testing_computation", "bound, in operations", FigureUnit::plain, Better::lower})
        .example(R"(
        points: {is: source/xor}
        bases:  {is: basis/random, count: 40, from: points}
        rbf:    {is: similarity/rbf, gamma: 10, from: points, bases: bases}
        svm:    {is: solver/linear_svm, from: rbf}
        size:   {is: evaluator/complexity, from: svm})");
  }

  void evaluate(const Results& test, Report& report, Context&) const override {
    const Judged judged = judge(test);
    report.integer("supporting_exemplars", static_cast<std::int64_t>(judged.exemplars));
    report.integer("parameters", static_cast<std::int64_t>(judged.parameters));
    if (const auto learned = figure(test.lineage, "parameters"))
      report.integer("learned_parameters", static_cast<std::int64_t>(*learned));
    report.integer("similarity_measures", static_cast<std::int64_t>(judged.sizes.measures));
    report_costs(judged, report);
  }
};

}  // namespace

ComponentEntry declare_complexity() { return Complexity::declare().entry(); }

}  // namespace semblance::evaluators

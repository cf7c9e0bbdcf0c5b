// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "figures/plane.hpp"
#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"
#include "semblance/predicted_class.hpp"

namespace semblance::evaluators {
namespace {

/// The local model with the largest share, the first of equal ones; -1 where all are 0.
std::int32_t dominating(std::span<const float> shares) {
  const auto most = std::ranges::max_element(shares);
  return *most > 0 ? static_cast<std::int32_t>(most - shares.begin()) : -1;
}

/// - sum p ln p.
template <class Values>
double entropy(const Values& shares) {
  double sum = 0;
  for (const double p : shares)
    if (p > 0) sum -= p * std::log(p);
  return sum;
}

std::vector<std::string> model_names(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < count; ++j) names.push_back("model " + std::to_string(j));
  return names;
}

/// The sums of the test samples' shares.
struct Sums {
  std::vector<double> mean;    // share of each local model, over the rows that one serves
  std::vector<double> counts;  // local models x classes
  double entropies = 0;        // of the rows' shares
  std::size_t served = 0;
};

Sums sums_of(const Results& test) {
  const std::size_t models = test.shares.cols, classes = test.classes.size();
  Sums sums{std::vector<double>(models), std::vector<double>(models * classes)};
  for (std::size_t i = 0; i < test.shares.rows; ++i) {
    const auto shares = test.shares.row_span(i);
    const std::int32_t model = dominating(shares);
    if (model < 0) continue;
    ++sums.served;
    sums.entropies += entropy(shares);
    for (std::size_t j = 0; j < models; ++j) sums.mean[j] += double{shares[j]};
    const auto predicted = static_cast<std::size_t>(predicted_class(test.outputs.row_span(i)));
    ++sums.counts[static_cast<std::size_t>(model) * classes + predicted];
  }
  if (sums.served == 0) return sums;
  sums.entropies /= static_cast<double>(sums.served);
  for (double& m : sums.mean) m /= static_cast<double>(sums.served);
  return sums;
}

void check_assigned(const Results& test) {
  if (test.shares.cols == 0)
    throw Error("the solver " + test.lineage.solver +
                " has no local models; remove this evaluator, or use a solver that has them, such "
                "as solver/ml3 or solver/llsvm");
}

/// `evaluator/assignments`: which of a solver's local models serves which sample.
class Assignments final : public DrawsPlane {
 public:
  static Declaration<Assignments> declare() {
    Declaration<Assignments> declaration("evaluator/assignments",
                                         "Which local models of a solver serve which samples");
    declaration
        .documentation(
            "For solvers whose scores combine local models (ML3, LL-SVM, coordinate codings, "
            "localized kernels). Each test sample is assigned to the class with the largest score "
            "and has shares of this class's local models, which sum to 1; the model with the "
            "largest share serves it. The table `assignments` counts the samples that each local "
            "model serves in each class. Reports `effective_models`, exp of the entropy of the "
            "mean shares: the number of equally used models that would have this entropy; "
            "`mean_entropy`, the mean entropy of a sample's shares, in nats: 0 if a single model "
            "decides; `used_models`, the number of models that serve any sample; and `unserved`, "
            "the number of samples that no model serves because no model of their class is "
            "positive: they are excluded from the other figures.\n\n"
            "For sources of vectors of 2 values the report draws which local model serves each "
            "point of a grid over the data, with test samples in the colour of their model; "
            "misclassified samples are marked.")
        .reference("ML3, section 4 and Fig. 1")
        .complexity("the test rows are recomputed, and points^2 rows of the plane computed")
        .reports({"local_models", "number of local models of the solver", FigureUnit::count})
        .reports({"used_models", "local models that serve any sample", FigureUnit::count})
        .reports({.name = "effective_models",
                  .documentation = "number of equally used models with the same entropy",
                  .headline = true})
        .reports({"mean_entropy", "mean entropy of a sample's shares, in nats"})
        .reports({"unserved", "samples that no model serves", FigureUnit::count, Better::lower})
        .example(R"(
        points: {is: source/xor}
        ml3:    {is: solver/ml3, models: 4, from: points}
        models: {is: evaluator/assignments, from: ml3})");
    declare_plane(declaration);
    return declaration;
  }

  Needs needs() const override { return {.probes = true, .shares = true}; }

  /// A grid over the data if they are points of the plane, else no rows.
  FloatMatrix probes(const Dataset& data, Context& context) const override {
    const Outline& outline = data.outline();
    if (!is_plane(outline.layout)) return FloatMatrix(0, outline.layout.size());
    return grid(data, context);
  }

  void evaluate(const Results& test, Report& report, Context& context) const override {
    check_assigned(test);
    const Sums sums = sums_of(test);
    const std::size_t classes = test.classes.size();
    std::int64_t used = 0;
    for (std::size_t j = 0; j < test.shares.cols; ++j) {
      const double* counts = sums.counts.data() + j * classes;
      used += std::any_of(counts, counts + classes, [](double count) { return count > 0; });
    }
    report.integer("local_models", static_cast<std::int64_t>(test.shares.cols));
    report.integer("used_models", used);
    report.number("effective_models", sums.served > 0 ? std::exp(entropy(sums.mean)) : 0);
    report.number("mean_entropy", sums.entropies);
    report.integer("unserved", static_cast<std::int64_t>(test.shares.rows - sums.served));
    report.table({"assignments", "local model", "class", model_names(test.shares.cols),
                  std::vector<std::string>(test.classes.begin(), test.classes.end()), sums.counts});
    if (test.probes.rows > 0) draw(test, report, context);
  }

 private:
  void draw(const Results& test, Report& report, Context& context) const {
    PlaneMap map = map_of_grid(test);
    map.name = "serving_models";
    map.groups = model_names(test.shares.cols);
    map.marked_label = "misclassified";
    const auto nobody = static_cast<std::int32_t>(map.groups.size());
    bool unserved = false;
    for (std::size_t i = 0; i < test.probe_shares.rows; ++i) {
      const std::int32_t model = dominating(test.probe_shares.row_span(i));
      unserved |= model < 0;
      map.regions.push_back(model < 0 ? nobody : model);
    }
    if (unserved) map.groups.emplace_back("none");

    const std::size_t first = first_scored_row(*test.data), end = first + test.shares.rows;
    const auto chosen = chosen_rows(first, end, most_samples());
    for_each_point(*test.data, context, [&](std::size_t row, std::span<const float> sample) {
      if (row >= end || !chosen[row]) return;
      const std::size_t i = row - first;
      const bool wrong =
          test.labels[i] >= 0 && test.labels[i] != predicted_class(test.outputs.row_span(i));
      map.points.push_back({sample[0], sample[1], dominating(test.shares.row_span(i)), wrong});
    });
    report.plane_map(map);
  }
};

}  // namespace

ComponentEntry declare_assignments() { return Assignments::declare().entry(); }

}  // namespace semblance::evaluators

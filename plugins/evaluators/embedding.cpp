// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "figures/basis_similarities.hpp"
#include "figures/classical_scaling.hpp"
#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"

namespace semblance::evaluators {
namespace {

/// At most `most` of the places 0 … n - 1, in even steps.
std::vector<std::size_t> in_even_steps(std::size_t n, std::size_t most) {
  std::vector<std::size_t> chosen(std::min(n, most));
  for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = i * n / chosen.size();
  return chosen;
}

/// The label of a basis.
std::int32_t label_of(const TrainingSet& training, std::size_t column) {
  return training.labels[static_cast<std::size_t>(training.bases[column])];
}

/// The columns of the bases by class, in their order within it; at most `most`.
std::vector<std::size_t> drawn_bases(const TrainingSet& training, std::size_t most) {
  std::vector<std::size_t> columns(training.bases.size());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  std::ranges::stable_sort(columns, {},
                           [&](std::size_t column) { return label_of(training, column); });
  std::vector<std::size_t> drawn = in_even_steps(columns.size(), most);
  for (std::size_t& place : drawn) place = columns[place];
  return drawn;
}

/// The classes of the bases; a basis without one has no name.
std::vector<std::string> class_names(const TrainingSet& training,
                                     const std::vector<std::size_t>& columns) {
  std::vector<std::string> names;
  for (const std::size_t column : columns) {
    const std::int32_t label = label_of(training, column);
    names.push_back(label < 0 ? "" : training.classes[static_cast<std::size_t>(label)]);
  }
  return names;
}

HeatMap heat_map(const std::vector<double>& matrix, const std::vector<std::string>& names,
                 std::size_t most) {
  const std::size_t n = names.size();
  const std::vector<std::size_t> chosen = in_even_steps(n, most);
  HeatMap map{
      "similarities",
      "basis",
      "basis",
      {},
      {},
      {},
      "One row and one column per basis, ordered by class. Bright squares along the diagonal are "
      "classes whose samples are similar to each other."};
  for (const std::size_t i : chosen) map.rows.push_back(names[i]);
  map.columns = map.rows;
  for (const std::size_t i : chosen)
    for (const std::size_t j : chosen) map.values.push_back(static_cast<float>(matrix[i * n + j]));
  return map;
}

/// The places of the bases, in the colours of their classes.
Scatter scatter(const std::vector<double>& places, const std::vector<std::string>& names) {
  Scatter drawn{"classical_scaling", "first axis", "second axis", {}, {}};
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto group = std::ranges::find(drawn.groups, names[i]);
    if (group == drawn.groups.end() && !names[i].empty())
      group = drawn.groups.insert(group, names[i]);
    const auto place = group == drawn.groups.end() ? -1 : group - drawn.groups.begin();
    drawn.points.push_back(
        {places[2 * i], places[2 * i + 1], static_cast<std::int32_t>(place), false});
  }
  return drawn;
}

void check_budget(std::size_t bases, const Context& context) {
  const double need = 3 * sizeof(double) * static_cast<double>(bases) * static_cast<double>(bases);
  if (need > static_cast<double>(context.memory_budget()))
    throw MemoryError("the similarities among " + std::to_string(bases) +
                      " bases do not fit the memory budget; lower most_bases, or raise --memory");
}

/// `evaluator/embedding`: a similarity among its bases, as pictures.
class Embedding final : public EvaluatorOf<PortType::samples> {
 public:
  static Declaration<Embedding> declare() {
    return Declaration<Embedding>("evaluator/embedding",
                                  "A similarity among its bases: heat map and map of the plane")
        .accepts({LayoutKind::vector})
        .documentation(
            "Takes a similarity node and draws K_mm, the similarities of the bases to each other, "
            "more exactly the symmetric part (K + K^T) / 2. The report has two pictures. The heat "
            "map has one row and column per basis, ordered by class: a similarity that suits the "
            "classes has bright squares along the diagonal. The other one is classical scaling: "
            "each basis is a point of the plane, placed so that distances come closest to those "
            "that the similarities stand for, whose squares are K_ii + K_jj - 2 K_ij.\n\n"
            "`shown` says how much of the similarities, with their means subtracted, the plane "
            "shows: the sum of its two squared eigenvalues as a share of all. Where it is small, "
            "points that are near each other in the plane need not be similar. An indefinite "
            "similarity has negative eigenvalues, which no plane shows.\n\n"
            "If there are more than `most_bases` bases, that many are drawn, evenly spaced; the "
            "heat map draws at most `most_cells` of these.")
        .reference("Torgerson, Multidimensional scaling: I. Theory and method, 1952")
        .complexity("4/3 bases^3 operations, 24 bases^2 bytes, at most for most_bases")
        .reports({"shown", "share of the centred similarities' squared norm that the plane shows",
                  FigureUnit::share, Better::none, true})
        .reports({"bases", "number of bases that are drawn", FigureUnit::count})
        .reports({"asymmetry", "what the symmetric part ignores, |K - K^T| / |K|"})
        .parameter("most_bases", &Embedding::most_bases_, "largest number of bases to draw",
                   at_least(2), at_most(2000))
        .parameter("most_cells", &Embedding::most_cells_,
                   "largest number of rows and columns of the heat map", at_least(2), at_most(300))
        .example(R"(
        glyphs:  {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        hog:     {is: feature/hog, cell: 4, from: glyphs}
        bases:   {is: basis/index, per_class: 10, from: glyphs}
        s:       {is: similarity/rbf, from: hog, bases: bases}
        picture: {is: evaluator/embedding, from: s})");
  }

  void evaluate(const Results& test, Report& report, Context& context) const override {
    const TrainingSet& training = *test.training;
    check_has_bases(training);
    const auto columns = drawn_bases(training, static_cast<std::size_t>(most_bases_));
    const std::size_t n = columns.size();
    check_budget(n, context);
    std::vector<double> matrix = similarities_of_bases(training, columns);
    context.check_stop();
    report.number("asymmetry", symmetrise(matrix, n));
    report.integer("bases", static_cast<std::int64_t>(n));
    const std::vector<std::string> names = class_names(training, columns);
    report.draw(heat_map(matrix, names, static_cast<std::size_t>(most_cells_)));
    const PlanePlaces scaled = classical_scaling(std::move(matrix), n);
    report.number("shown", scaled.shown);
    report.draw(scatter(scaled.places, names));
  }

 private:
  std::int64_t most_bases_ = 500;
  std::int64_t most_cells_ = 80;
};

}  // namespace

ComponentEntry declare_embedding() { return Embedding::declare().entry(); }

}  // namespace semblance::evaluators

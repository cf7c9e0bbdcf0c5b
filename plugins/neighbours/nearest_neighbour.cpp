// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "neighbour_vote.hpp"
#include "semblance/class_weights.hpp"
#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/predicted_class.hpp"
#include "semblance/row_error.hpp"
#include "semblance/solver.hpp"
#include "solver_figures.hpp"
#include "training_checks.hpp"

namespace semblance::neighbours {
namespace {

/// `solver/nearest_neighbour`: the k most similar training samples vote.
class NearestNeighbour final : public Solver, public ClassWeights, public Exportable {
 public:
  static Declaration<NearestNeighbour> declare();

  void check_parameters() const override;
  Layout bind(const Layout& input) override;
  bool uses_rows() const override { return false; }
  bool gives_probabilities() const override { return scores_ == "shares"; }
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  bool leaves_one_out() const override { return true; }
  void apply_left_out(MatrixView in, std::span<const std::int64_t> rows, MutableMatrixView out,
                      Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;

 private:
  void check_bases(const TrainingSet& training, std::span<const double> weights) const;
  void check_room_for_votes(std::size_t classes) const;
  void score(MatrixView in, const std::function<std::size_t(std::size_t)>& left_out,
             MutableMatrixView out, Context& context) const;

  std::int64_t neighbours_ = 1;
  std::string scores_ = "votes";
  std::string weighting_ = "equal";
  std::size_t columns_ = 0;
  NeighbourVote vote_;
  /// Whether it has warned about similarities that are all equal.
  std::unique_ptr<std::atomic<bool>> told_ = std::make_unique<std::atomic<bool>>(false);
};

/// Converts scores of NeighbourVote to each class's share of the votes. The winner stays the same.
void share_votes(std::size_t neighbours, bool weighted, std::span<float> scores) {
  const auto winner = static_cast<std::size_t>(predicted_class(scores));
  if (weighted && neighbours > 1) {
    double sum = 0;
    for (const float score : scores) sum += double{score};
    for (float& score : scores) score = static_cast<float>(double{score} / sum);
    for (std::size_t c = 0; c < scores.size(); ++c)
      if (c != winner && scores[c] == scores[winner]) scores[c] = std::nextafter(scores[c], 0.0F);
    return;
  }
  for (std::size_t c = 0; c < scores.size(); ++c) {
    const float votes = neighbours > 1 ? std::floor(scores[c]) : c == winner ? 1.0F : 0.0F;
    scores[c] = votes / static_cast<float>(neighbours);
  }
  for (std::size_t c = 0; c < scores.size(); ++c)
    if (c != winner && scores[c] == scores[winner]) scores[c] = std::nextafter(scores[c], 0.0F);
}

Declaration<NearestNeighbour> NearestNeighbour::declare() {
  Declaration<NearestNeighbour> declaration("solver/nearest_neighbour",
                                            "The k most similar training rows vote");
  declaration
      .documentation(
          "Its one input is a similarity, any, symmetric or not, whose bases are training rows: "
          "`basis/all` for all of them. The k bases with the largest similarities to a sample vote "
          "for their classes. Nearer is the larger similarity; ties go to the training row with "
          "the lower number. The class with the most votes wins; ties go to the class with the "
          "nearest row.\n\n"
          "Scores, k = 1: for each class the largest similarity to a row of the class, so that "
          "they rank samples too. If classes tie for the first place, the losers get the next "
          "smaller float32. k > 1: the number of votes, plus 1 - r / (classes + 1) for the class "
          "whose nearest row is the r-th among those of the classes. With `scores: shares` a class "
          "gets the share of the k votes that it has, as a probability; classes that tie with the "
          "winner get the next smaller float32.\n\n"
          "A distance should come `as: negative`: -d loses nothing. A gaussian or exponential of a "
          "large distance underflows to 0, and one of a small distance rounds to 1 (float32 "
          "distinguishes two values of exp(-d^2 / (2 w^2)) near 1 only where the squared distances "
          "differ by 1e-7 w^2): different distances become ties, which the row number breaks, "
          "wrongly. Ties of part of the bases may be the measure's own (an edit distance counts), "
          "so only a sample whose similarities to all bases are equal gives a warning, once.\n\n"
          "Nothing is trained, so no similarity among training rows is computed; the model holds "
          "the class of each basis. `objective` is 0. `select` with `folds: leave_one_out` finds "
          "k, or parameters of the measure, for one similarity per pair of training rows and "
          "candidate.\n\n"
          "With weights of rows or classes, k > 1, the score of a class is the sum of the weights "
          "of its votes, or its share of all of them; classes that tie with the winner get the "
          "next smaller float32. A row of weight 0 is no neighbour. With k = 1 the nearest row "
          "decides, whatever its weight. `folds: leave_one_out` takes no weights.\n\n"
          "`weighting: inverse_distance` multiplies the votes by 1 / d, for similarities -d (`as: "
          "negative`), relative to that of the nearest row; rows at distance 0 alone vote if there "
          "are any, as in scikit-learn.")
      .reference("Cover and Hart 1967")
      .complexity("training: none; per sample one similarity and a few operations per basis")
      .distributed()
      .takes_weights()
      .accepts({LayoutKind::vector})
      .parameter("k", &NearestNeighbour::neighbours_,
                 "number of training rows that vote: the larger, the smoother the boundaries",
                 at_least(1))
      .parameter("scores", &NearestNeighbour::scores_,
                 "what a class's score is: votes, or its share of them, a probability",
                 choices({"votes", "shares"}))
      .parameter("weighting", &NearestNeighbour::weighting_,
                 "what a vote counts: the same each, or the inverse of distances that come as "
                 "negative similarities",
                 choices({"equal", "inverse_distance"}));
  return with_class_weights(declaration)
      .reports(common::solver_figures({"parameters", "train_seconds"}))
      .reports({"objective", "0, as nothing is minimized", FigureUnit::plain, Better::none})
      .reports({"bases", "number of training rows that samples are compared with",
                FigureUnit::count, Better::none})
      .example(R"(
        points: {is: source/rings, classes: 3}
        bases:  {is: basis/all, from: points}
        rbf:    {is: similarity/rbf, gamma: 1, from: points, bases: bases}
        nn:     {is: solver/nearest_neighbour, k: 3, from: rbf}
        test:   {is: evaluator/classification, from: nn})");
}

void NearestNeighbour::check_parameters() const {
  check_class_weights();
  if (neighbours_ == 1 && weights_classes())
    throw Error(
        "with k: 1 the nearest row alone decides, whatever its class's weight; raise k, or "
        "remove 'class_weights' and 'balanced'");
}

Layout NearestNeighbour::bind(const Layout& input) {
  if (input.size() == 0) throw Error("rows without similarities cannot be classified");
  columns_ = input.size();
  return Layout::vector(vote_.classes());
}

void NearestNeighbour::check_bases(const TrainingSet& training,
                                   std::span<const double> weights) const {
  check_training_bases(training, columns_, weights, static_cast<std::size_t>(neighbours_));
  std::vector<char> has(training.classes.size());
  for (const std::int64_t base : training.bases) {
    const auto row = static_cast<std::size_t>(base);
    if (weights.empty() || weights[row] != 0)
      has[static_cast<std::size_t>(training.labels[row])] = 1;
  }
  for (std::size_t c = 0; c < has.size(); ++c)
    if (!has[c])
      throw Error("class '" + training.classes[c] +
                  "' has no row among the bases and could never be found; use basis/all");
}

/// The scores of several neighbours are float32 and must distinguish the ranks at k votes.
void NearestNeighbour::check_room_for_votes(std::size_t classes) const {
  constexpr double most = 1 << 22;
  if (neighbours_ > 1 && static_cast<double>(neighbours_) * static_cast<double>(classes + 1) > most)
    throw Error("k times the number of classes may be at most 4 million, but k is " +
                std::to_string(neighbours_) + " and there are " + std::to_string(classes) +
                " classes; lower k");
}

void NearestNeighbour::train(const TrainingSet& training, Report& report, Context&) {
  const auto begin = std::chrono::steady_clock::now();
  common::check_labels(training);
  const std::vector<double> weights = row_weights(training);
  check_bases(training, weights);
  check_room_for_votes(training.classes.size());
  std::vector<std::int64_t> rows(training.bases.begin(), training.bases.end()), labels;
  labels.reserve(rows.size());
  for (const std::int64_t row : rows)
    labels.push_back(training.labels[static_cast<std::size_t>(row)]);
  std::vector<double> of_bases;
  if (!weights.empty())
    for (const std::int64_t row : rows) of_bases.push_back(weights[static_cast<std::size_t>(row)]);
  vote_ =
      NeighbourVote(static_cast<std::size_t>(neighbours_), training.classes.size(), std::move(rows),
                    std::move(labels), std::move(of_bases), weighting_ == "inverse_distance");
  report.text("certificate", name(Certificate::converged));
  report.number("objective", 0);
  report.integer("bases", static_cast<std::int64_t>(columns_));
  report.integer("parameters", static_cast<std::int64_t>(columns_));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  report.number("train_seconds", seconds.count());
}

void NearestNeighbour::score(MatrixView in, const std::function<std::size_t(std::size_t)>& left_out,
                             MutableMatrixView out, Context& context) const {
  if (vote_.classes() == 0) throw Error("the solver has not been trained");
  if (in.cols != vote_.bases())
    throw Error("rows of " + std::to_string(in.cols) + " similarities do not match " +
                std::to_string(vote_.bases()) + " bases");
  common::check_scores(out, vote_.classes());
  for (std::size_t i = 0; i < in.rows; ++i) {
    context.check_stop();
    check_similarities(in.row_span(i), i);
    if (weighting_ == "inverse_distance" &&
        std::ranges::any_of(in.row_span(i), [](float similarity) { return similarity > 0; }))
      throw RowError(RowError::Of::block, i, "a similarity of ",
                     " is above 0 and cannot be the negative of a distance; set weighting to "
                     "equal, or the measure to 'as: negative'");
    const std::size_t without = left_out(i);
    const bool differ = vote_.score(in.row_span(i), without, out.row_span(i));
    if (gives_probabilities())
      share_votes(static_cast<std::size_t>(neighbours_), vote_.weighted(), out.row_span(i));
    if (differ || vote_.bases() - (without == NeighbourVote::none ? 0 : 1) < 2 ||
        told_->exchange(true))
      continue;
    context.log(LogLevel::warning,
                "the similarities of a sample to all bases are equal, so the training row with the "
                "lowest number counts as its nearest; if they come from a distance, set as: "
                "negative, which does not round large or small distances to the same similarity");
  }
}

void NearestNeighbour::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  score(
      in, [](std::size_t) { return NeighbourVote::none; }, out, context);
}

void NearestNeighbour::apply_left_out(MatrixView in, std::span<const std::int64_t> rows,
                                      MutableMatrixView out, Context& context) const {
  if (!vote_.weights().empty())
    throw Error(
        "weights of rows or classes do not go with 'folds: leave_one_out'; remove them, or "
        "choose with a number of folds");
  if (static_cast<std::size_t>(neighbours_) + 1 > vote_.bases())
    throw Error(std::to_string(neighbours_) + " neighbours (k) cannot be found among the " +
                std::to_string(vote_.bases() - 1) +
                " bases that are left without the row itself; lower k");
  const auto base = [&](std::size_t i) {
    return basis_to_leave_out(vote_.similar_bases(), rows[i]);
  };
  score(in, base, out, context);
}

void NearestNeighbour::save(StateWriter& state) const {
  if (vote_.classes() == 0) throw Error("the solver has not been trained");
  state.integer("classes", static_cast<std::int64_t>(vote_.classes()));
  state.integers("rows", vote_.rows());
  state.integers("labels", vote_.labels());
  state.doubles("weights", vote_.weights());
}

void NearestNeighbour::load(const StateReader& state, Context&) {
  const std::int64_t classes = state.integer("classes");
  std::vector<std::int64_t> rows = state.integers("rows"), labels = state.integers("labels");
  std::vector<double> weights = state.doubles("weights");
  constexpr std::int64_t most_classes = 1 << 20;
  const bool sound =
      classes >= 2 && classes <= most_classes && rows.size() == labels.size() &&
      rows.size() == columns_ && (weights.empty() || weights.size() == rows.size()) &&
      std::ranges::all_of(weights, [](double w) { return w >= 0 && std::isfinite(w); }) &&
      (weights.empty()
           ? static_cast<std::int64_t>(rows.size())
           : std::ranges::count_if(weights, [](double w) { return w > 0; })) >= neighbours_ &&
      static_cast<std::size_t>(neighbours_) <= rows.size() &&
      std::ranges::all_of(rows, [](std::int64_t row) { return row >= 0; }) &&
      std::ranges::all_of(labels, [&](std::int64_t c) { return c >= 0 && c < classes; });
  if (!sound) throw Error("the nearest neighbours have arrays of the wrong size; train them again");
  check_room_for_votes(static_cast<std::size_t>(classes));
  vote_ = NeighbourVote(static_cast<std::size_t>(neighbours_), static_cast<std::size_t>(classes),
                        std::move(rows), std::move(labels), std::move(weights),
                        weighting_ == "inverse_distance");
}

/// For one neighbour: the largest similarity to a sample of each class.
Formula::Value NearestNeighbour::write(Formula& formula, Formula::Value in) const {
  if (vote_.classes() == 0) throw Error("the solver has not been trained");
  if (scores_ != "votes" || (neighbours_ > 1 && vote_.weighted()))
    throw Error("only 'scores: votes' that count the same each can be written as a formula");
  if (neighbours_ > 1) return vote_.write(formula, in);
  std::vector<std::vector<std::size_t>> columns(vote_.classes());
  for (std::size_t j = 0; j < vote_.bases(); ++j)
    columns[static_cast<std::size_t>(vote_.labels()[j])].push_back(j);
  std::vector<Formula::Value> scores;
  for (auto& own : columns)
    scores.push_back(own.empty() ? formula.number(std::numeric_limits<float>::lowest(), in)
                                 : formula.largest(formula.gather(in, std::move(own))));
  return formula.concatenate(scores);
}

}  // namespace

ComponentEntry declare_nearest_neighbour() { return NearestNeighbour::declare().entry(); }

}  // namespace semblance::neighbours

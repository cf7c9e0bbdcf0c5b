// SPDX-License-Identifier: MIT
#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>

#include "coding/centres.hpp"
#include "coding/local_tangents.hpp"
#include "descent/sparse_pegasos.hpp"
#include "row_products.hpp"
#include "semblance/class_weights.hpp"
#include "semblance/declaration.hpp"
#include "semblance/solver.hpp"
#include "training_checks.hpp"
#include "training_report.hpp"

namespace semblance::ml3 {
namespace {

/// `solver/lcc`: a linear SVM on local coordinates.
class Lcc final : public Solver, public ClassWeights {
 public:
  static Declaration<Lcc> declare();

  void check_parameters() const override { check_class_weights(); }
  Layout bind(const Layout& input) override;
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;

  std::size_t local_models() const noexcept override { return used_; }
  /// An anchor's share is the size of its coordinate.
  void assign(MatrixView in, std::span<const std::int32_t> classes, MutableMatrixView shares,
              Context& context) const override;

 private:
  void choose_anchors(std::size_t rows, Context& context);
  void check_sizes(const TrainingSet& training, Context& context) const;
  void learn_features(const TrainingRows& rows, Random& random, Context& context);
  SparseRows features(MatrixView rows, Context& context) const;
  CodingOptions options() const;
  void check_trained(MatrixView in) const;
  std::size_t width() const { return local_models() * static_cast<std::size_t>(1 + tangents_); }

  std::int64_t anchors_ = 512;
  std::string coding_ = "lasso";
  double locality_ = 0.1;
  std::int64_t neighbours_ = 20;
  double beta_ = 1e-4;
  std::int64_t tangents_ = 0;
  std::int64_t tangent_rows_ = 100;
  double scale_ = 1;
  double lambda_ = 1e-5;
  std::int64_t epochs_ = 30;
  double bias_ = 1;
  bool center_ = true;

  Centre centre_;
  std::size_t used_ = 0;  // anchors
  std::size_t inputs_ = 0;
  std::size_t classes_ = 0;
  CoordinateCoding codes_;
  TangentFeatures features_;
  FloatMatrix weights_;  // one row per input, the bias last; one column per class
};

Surroundings surroundings_of(Context& context) {
  return {context, [&](double share) { context.progress(share, 1); }};
}

Declaration<Lcc> Lcc::declare() {
  Declaration<Lcc> declaration("solver/lcc",
                               "Local coordinate coding: a linear SVM on a row's coordinates in "
                               "terms of anchors");
  declaration
      .documentation(
          "The anchors are k-means centres (k-means++ and Lloyd's iterations on at most 100 random "
          "rows per centre). With `coding: lasso` the coordinates gamma of a row x minimize 1/2 |x "
          "- sum gamma_v v|^2 + locality sum |gamma_v| |v - x|^2, to a relative 1e-5 of their "
          "optimality conditions; they are not constrained to sum to 1, so rows are centred. "
          "`coding: neighbours` is locality-constrained linear coding: the coordinates with sum 1 "
          "on the nearest `neighbours` anchors that minimize |x - sum gamma_v v|^2 + beta T "
          "|gamma|^2, T the sum of these anchors' squared distances from x (the trace of the "
          "matrix of the linear system; Wang et al. use 1e-4). The published method also moves the "
          "anchors to lower the objective; here they stay fixed.\n\n"
          "With `tangents` (improved local coordinate coding) the features of an anchor v are "
          "scale gamma_v and gamma_v u . (x - v) for the first `tangents` principal directions u "
          "of the `tangent_rows` training rows nearest to v. A linear SVM on the features, trained "
          "like solver/linear_svm_sgd with the multiclass hinge loss, separates the classes; the "
          "cost of a step is proportional to the number of non-zero features. The result does not "
          "depend on the number of threads.")
      .reference(
          "Yu, Zhang, Gong: Nonlinear Learning using Local Coordinate Coding, NIPS 2009; Wang et "
          "al., CVPR 2010; Yu and Zhang: Improved Local Coordinate Coding using Local Tangents, "
          "ICML 2010; ML3, section 5")
      .complexity(
          "codes: 2 rows columns anchors operations and a few lasso sweeps per row; tangents: the "
          "same again; memory: 4 bytes x anchors x (anchors + 2 columns (1 + tangents)), 20 bytes "
          "x anchors x (1 + tangents) x classes, and 8 bytes per non-zero feature of a row")
      .random()
      .takes_weights()
      .parameter("anchors", &Lcc::anchors_,
                 "number of k-means centres; of fewer training rows each is a centre, and a "
                 "warning says so",
                 at_least(1), at_most(1e6))
      .parameter("coding", &Lcc::coding_, "how to compute coordinates",
                 choices({"lasso", "neighbours"}))
      .parameter("locality", &Lcc::locality_,
                 "for lasso: weight that penalizes coordinates of far anchors", above(0))
      .parameter("neighbours", &Lcc::neighbours_,
                 "for neighbours: the number of nearest anchors with a coordinate", at_least(1),
                 at_most(1000))
      .parameter("beta", &Lcc::beta_,
                 "for neighbours: weight of the squared coordinates, as a share of the trace",
                 at_least(1e-10), at_most(1))
      .parameter("tangents", &Lcc::tangents_,
                 "number of directions of each anchor to add as features; 0: none", at_least(0),
                 at_most(1e4))
      .parameter("tangent_rows", &Lcc::tangent_rows_,
                 "number of nearest training rows that an anchor's directions are computed from",
                 at_least(2), at_most(2000))
      .parameter("scale", &Lcc::scale_,
                 "scale of the coordinates relative to the tangents' features", above(0))
      .parameter("lambda", &Lcc::lambda_,
                 "weight of the regularizer against the mean loss: the smaller, the closer the fit "
                 "to the training rows",
                 above(0))
      .parameter("epochs", &Lcc::epochs_, "number of passes over the training rows", at_least(1))
      .parameter("bias", &Lcc::bias_, "constant appended to every row's features; 0: none",
                 at_least(0))
      .parameter("center", &Lcc::center_,
                 "subtract the columns' means first; false: as the paper prints it");
  return with_class_weights(declaration)
      .reports(pegasos_figures())
      .reports({"mean_coordinates", "mean number of non-zero coordinates per row"})
      .reports(
          {"coding_seconds", "time to compute all coordinates", FigureUnit::seconds, Better::lower})
      .example(R"(
        points: {is: source/xor}
        lcc:    {is: solver/lcc, anchors: 40, from: points}
        test:   {is: evaluator/classification, from: lcc})");
}

Layout Lcc::bind(const Layout& input) {
  inputs_ = input.size();
  if (inputs_ == 0) throw Error("samples without values cannot be classified");
  return Layout::vector(classes_);
}

CodingOptions Lcc::options() const {
  return {coding_ == "lasso" ? 0 : static_cast<std::size_t>(neighbours_), locality_, beta_};
}

void Lcc::choose_anchors(std::size_t rows, Context& context) {
  const auto wanted = static_cast<std::size_t>(anchors_);
  used_ = std::min(wanted, rows);
  if (used_ < wanted)
    context.log(LogLevel::warning, std::to_string(rows) + " training rows have no " +
                                       std::to_string(wanted) +
                                       " k-means centres; each row is an anchor");
}

void Lcc::check_sizes(const TrainingSet& training, Context& context) const {
  const std::size_t rows = training.rows.rows();
  const auto tangents = static_cast<std::size_t>(tangents_);
  const auto nearest = static_cast<std::size_t>(tangent_rows_);
  if (tangents > 0 && (tangents >= nearest || tangents > inputs_))
    throw Error(std::to_string(tangents) + " tangents need even more tangent_rows (" +
                std::to_string(nearest) + ") and at least as many columns (" +
                std::to_string(inputs_) + ")");
  if (tangents > 0 && nearest > rows)
    throw Error("tangent_rows is " + std::to_string(nearest) + ", but there are " +
                std::to_string(rows) + " training rows; lower it");
  const std::size_t needed = CoordinateCoding::bytes(local_models(), inputs_, coding_ == "lasso") +
                             local_models() * tangents * inputs_ * sizeof(float) +
                             sparse_pegasos_bytes(width(), classes_) +
                             (tangents > 0 ? context.threads() * rows * 16 * sizeof(float) : 0);
  if (needed > context.memory_budget())
    throw MemoryError("training needs at least " + std::to_string(needed >> 20) + " MiB for " +
                      std::to_string(used_) + " anchors, but may use only " +
                      std::to_string(context.memory_budget() >> 20) +
                      " MiB; use fewer anchors or tangents, or more --memory");
}

void Lcc::learn_features(const TrainingRows& rows, Random& random, Context& context) {
  const Surroundings surroundings = surroundings_of(context);
  FloatMatrix anchors = k_means(rows, local_models(), Random(random.bits()), context);
  FloatMatrix tangents(0, rows.cols);
  if (tangents_ > 0)
    tangents = local_tangents(rows, anchors, static_cast<std::size_t>(tangents_),
                              static_cast<std::size_t>(tangent_rows_), surroundings);
  features_ = {anchors, std::move(tangents), scale_};
  codes_ = {std::move(anchors), options()};
}

SparseRows Lcc::features(MatrixView rows, Context& context) const {
  std::vector<SparseRows> blocks(block_count(rows.rows));
  context.parallel_for(blocks.size(), [&](std::size_t b) {
    if (context.stop_requested() != StopReason::none) return;
    const std::size_t first = b * block_rows, count = std::min(block_rows, rows.rows - first);
    SparseRows codes;
    const FloatMatrix block = about(centre_, rows.rows_range(first, count));
    codes_.encode(block.view(), codes.entries, codes.ends);
    for (std::size_t i = 0; i < count; ++i) {
      features_.extend(block.view().row_span(i), codes.row(i), blocks[b].entries);
      blocks[b].ends.push_back(blocks[b].entries.size());
    }
  });
  SparseRows all;
  all.cols = width();
  for (SparseRows& block : blocks) {
    for (const std::size_t end : block.ends) all.ends.push_back(all.entries.size() + end);
    all.entries.insert(all.entries.end(), block.entries.begin(), block.entries.end());
    block = {};
  }
  return all;
}

void Lcc::train(const TrainingSet& training, Report& report, Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  common::check_labels(training);
  common::check_finite(training.rows, context);
  const std::size_t rows = training.rows.rows();
  inputs_ = training.rows.cols();
  classes_ = training.classes.size();
  choose_anchors(rows, context);
  check_sizes(training, context);
  Random random = context.random();
  const MatrixView values = training.rows.view(0, rows);
  const std::vector<double> weights = mean_one(row_weights(training));
  centre_ = center_ ? column_means(training.rows, weights, context) : Centre();
  learn_features({values, centre_}, random, context);
  const SparseRows sparse = features(values, context);
  PegasosOutcome outcome;
  if (sparse.rows() == rows) {
    report.number("mean_coordinates", double(sparse.entries.size()) /
                                          double(rows * static_cast<std::size_t>(1 + tangents_)));
    report.number("coding_seconds", seconds());
    outcome = sparse_pegasos({sparse, training.labels, classes_, bias_, weights},
                             {lambda_, static_cast<std::size_t>(epochs_), 1}, random,
                             surroundings_of(context), weights_);
  } else {
    // Stopped before all codes were computed: all scores are 0.
    weights_ = FloatMatrix(width() + (bias_ != 0 ? 1 : 0), classes_);
    outcome.stopped = true;
  }
  double norm = 0;
  for (const float w : weights_.values) norm += double{w} * double{w};
  report_pegasos(outcome, {lambda_, norm, rows, weights_.values.size()}, report, context);
  report.number("train_seconds", seconds());
}

void Lcc::check_trained(MatrixView in) const {
  if (weights_.rows == 0) throw Error("the solver has not been trained");
  if (in.cols != inputs_)
    throw Error("rows of " + std::to_string(in.cols) + " values do not match a model for " +
                std::to_string(inputs_));
}

void Lcc::apply(MatrixView in, MutableMatrixView out, Context&) const {
  check_trained(in);
  common::check_scores(out, classes_);
  const FloatMatrix rows = about(centre_, in);
  SparseRows codes;
  codes_.encode(rows.view(), codes.entries, codes.ends);
  std::vector<Entry> row;
  std::vector<double> scores(classes_);
  for (std::size_t i = 0; i < in.rows; ++i) {
    row.clear();
    features_.extend(rows.view().row_span(i), codes.row(i), row);
    sparse_scores(row, bias_, weights_.view(), scores);
    for (std::size_t y = 0; y < classes_; ++y) out.row(i)[y] = static_cast<float>(scores[y]);
  }
}

void Lcc::assign(MatrixView in, std::span<const std::int32_t>, MutableMatrixView shares,
                 Context&) const {
  check_trained(in);
  SparseRows codes;
  codes_.encode(about(centre_, in).view(), codes.entries, codes.ends);
  for (std::size_t i = 0; i < in.rows; ++i) {
    const auto share = shares.row_span(i);
    std::fill(share.begin(), share.end(), 0.0f);
    for (const auto& [anchor, gamma] : codes.row(i)) share[anchor] = std::abs(gamma);
    scale_to_shares(share);
  }
}

void Lcc::save(StateWriter& state) const {
  common::save_inputs(state, inputs_, centre_);
  state.text("coding", coding_);
  state.number("locality", locality_);
  state.integer("neighbours", neighbours_);
  state.number("beta", beta_);
  state.number("scale", scale_);
  state.number("bias", bias_);
  state.floats("anchors", codes_.anchors().view());
  state.floats("tangents", features_.tangents().view());
  state.floats("weights", weights_.view());
}

void Lcc::load(const StateReader& state, Context&) {
  FloatMatrix anchors = state.floats("anchors"), tangents = state.floats("tangents");
  FloatMatrix weights = state.floats("weights");
  auto [inputs, centre] = common::load_inputs(state);
  coding_ = state.text("coding");
  locality_ = state.number("locality");
  neighbours_ = state.integer("neighbours");
  beta_ = state.number("beta");
  scale_ = state.number("scale");
  bias_ = state.number("bias");
  const std::size_t count = anchors.rows == 0 ? 0 : tangents.rows / anchors.rows;
  if (inputs < 1 || anchors.rows == 0 || anchors.cols != static_cast<std::size_t>(inputs) ||
      tangents.cols != anchors.cols || tangents.rows != count * anchors.rows ||
      weights.rows != anchors.rows * (1 + count) + (bias_ != 0 ? 1 : 0) || weights.cols < 2 ||
      (coding_ != "lasso" && coding_ != "neighbours") || neighbours_ < 1 ||
      !(beta_ >= 1e-10 && beta_ <= 1))
    throw Error("the saved model has an array of the wrong size; train it again");
  inputs_ = static_cast<std::size_t>(inputs);
  centre_ = std::move(centre);
  classes_ = weights.cols;
  used_ = anchors.rows;
  tangents_ = static_cast<std::int64_t>(count);
  weights_ = std::move(weights);
  features_ = {anchors, std::move(tangents), scale_};
  codes_ = {std::move(anchors), options()};
}

}  // namespace

ComponentEntry declare_lcc() { return Lcc::declare().entry(); }

}  // namespace semblance::ml3

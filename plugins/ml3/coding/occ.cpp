// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "coding/anchor_planes.hpp"
#include "descent/sgd_svm.hpp"
#include "semblance_numerics/product.hpp"
#include "semblance_numerics/symmetric_eigen.hpp"

namespace semblance::ml3 {
namespace {

/// `solver/occ`: linear models weighted by orthogonal coordinate coding.
class Occ final : public LocalSvm {
 public:
  Occ() : LocalSvm("1e-05", "1") {}
  static Declaration<Occ> declare();
  void load(const StateReader& state, Context& context) override;

 private:
  /// At most the dimension of the rows' space.
  std::size_t models() const override {
    const auto wanted = static_cast<std::size_t>(models_);
    return inputs_ > 0 ? std::min(wanted, inputs_) : wanted;
  }
  bool weights_by_class() const override { return bases_ == "per_class"; }
  void learn_weights(const Problem& problem, Random& random, Context& context) override;
  void save_weights(StateWriter& state) const override;
  void weights(MatrixView rows, MutableMatrixView weights) const override;

  void check_planes_memory(std::size_t at_once, Context& context) const;

  std::int64_t models_ = 10;
  std::string bases_ = "general";
  std::string coding_ = "signed";
  numerics::PackedRows planes_;  // common to all classes, or of each class in turn
};

Declaration<Occ> Occ::declare() {
  Declaration<Occ> declaration("solver/occ",
                               "Orthogonal coordinate coding: linear models weighted by the "
                               "projections onto orthogonal directions");
  declaration
      .parameter("models", &Occ::models_,
                 "linear models per class, one per direction; rows of fewer columns have one per "
                 "column, and a warning says so",
                 at_least(1), at_most(1e6))
      .parameter("bases", &Occ::bases_,
                 "general: one set of directions for all classes; per_class: each class's own",
                 choices({"general", "per_class"}))
      .parameter("coding", &Occ::coding_,
                 "how a row's projections become weights: as they are, or their magnitudes or "
                 "squares scaled to sum 1",
                 choices({"signed", "absolute", "squared"}));
  declare_descent(declaration);
  return declaration
      .documentation(
          "The normals v of the anchor planes are the first `models` right singular vectors of the "
          "matrix of training rows minus the columns' means (`bases: general`, G-OCC), or of the "
          "rows of each class "
          "(`per_class`, C-OCC). The score of a class is the sum of its models' products with a "
          "sample, sum over v of gamma_v(x) (w_v . x + b_v). With `coding: signed` gamma_v(x) = v "
          ". x, the coordinates of x in the orthonormal basis: scores are quadratic, and with as "
          "many models as columns both kinds of bases give the same functions. `absolute` and "
          "`squared` use |v . x| / sum |v . x|, or the same for the squares, as weights that say "
          "which direction a sample is close to. Where the rank of the rows, or of a class's own, "
          "is below the number of models, the others have no direction and no weight, and a "
          "warning says so. The models are trained like solver/llsvm, with the multiclass hinge "
          "loss. A model's share of a prediction is the magnitude of its weight.")
      .reference(
          "Zhang, Ladicky, Torr, Saffari: Learning Anchor Planes for Classification, NIPS "
          "2011; ML3, section 5")
      .complexity(
          "rows columns^2 + 6 columns^3 operations for the directions, 2 rows columns classes "
          "models per epoch")
      .random()
      .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        hog:    {is: feature/hog, cell: 7, from: glyphs}
        occ:    {is: solver/occ, models: 4, lambda: 1e-4, from: hog}
        test:   {is: evaluator/classification, from: occ})");
}

void Occ::check_planes_memory(std::size_t at_once, Context& context) const {
  if (inputs_ > numerics::most_eigen_order)
    throw Error("the anchor planes of rows of " + std::to_string(inputs_) +
                " values are more than LAPACK's integers can count; reduce the rows to at most " +
                std::to_string(numerics::most_eigen_order) + " values first");
  const std::size_t needed = anchor_planes_bytes(inputs_, at_once, context.threads());
  if (needed > context.memory_budget())
    throw MemoryError("finding the anchor planes of rows of " + std::to_string(inputs_) +
                      " values needs " + std::to_string(needed >> 20) + " MiB, but may use only " +
                      std::to_string(context.memory_budget() >> 20) +
                      " MiB; reduce the rows first or use more --memory");
}

void Occ::learn_weights(const Problem& problem, Random&, Context& context) {
  if (const auto wanted = static_cast<std::size_t>(models_); models() < wanted)
    context.log(LogLevel::warning, "rows of " + std::to_string(inputs_) + " columns have no " +
                                       std::to_string(wanted) +
                                       " orthogonal directions; each class has " +
                                       std::to_string(models()) + " models, one per column");
  const std::size_t groups = weights_by_class() ? classes_ : 1;
  const std::size_t at_once = std::min(groups, context.threads());
  check_planes_memory(at_once, context);
  std::vector<std::vector<std::uint32_t>> members(groups);
  for (std::size_t i = 0; i < problem.rows.rows; ++i)
    members[groups == 1 ? 0 : static_cast<std::size_t>(problem.labels[i])].push_back(
        static_cast<std::uint32_t>(i));
  FloatMatrix planes(groups * models(), inputs_);
  std::vector<std::string> failures(groups);
  std::vector<std::size_t> counts(groups);
  for (std::size_t first = 0; first < groups; first += at_once) {
    // Sums with all threads, then one eigenproblem per thread.
    std::vector<std::vector<double>> moments;
    for (std::size_t g = first; g < std::min(first + at_once, groups); ++g)
      moments.push_back(second_moments(problem.rows, members[g], context));
    context.parallel_for(moments.size(), [&](std::size_t i) {
      const std::size_t g = first + i;
      try {
        const FloatMatrix found =
            anchor_planes(std::move(moments[i]), members[g].size(), inputs_, models());
        std::ranges::copy(found.values, planes.view().row(g * models()));
        counts[g] = found.rows;
      } catch (const Error& error) {
        failures[g] = error.what();
      }
    });
  }
  // The error of the first class, in any order of failures.
  for (std::size_t g = 0; g < groups; ++g)
    if (!failures[g].empty())
      throw Error(groups == 1 ? failures[g]
                              : "class " + std::to_string(g) + " (counted from 0): " + failures[g]);
  if (const auto least = std::ranges::min_element(counts); *least < models())
    context.log(LogLevel::warning,
                std::string("the rows of ") +
                    (groups == 1 ? "training"
                                 : "class " + std::to_string(least - counts.begin()) +
                                       " (counted from 0)") +
                    " have " + std::to_string(*least) +
                    " orthogonal directions; the other models have no weight");
  planes_ = numerics::PackedRows(std::as_const(planes).view());
}

void Occ::weights(MatrixView rows, MutableMatrixView weights) const {
  const PlaneCoding coding = coding_ == "signed"     ? PlaneCoding::signed_values
                             : coding_ == "absolute" ? PlaneCoding::absolute
                                                     : PlaneCoding::squared;
  numerics::multiply(rows, planes_, weights);
  for (std::size_t i = 0; i < rows.rows; ++i)
    for (std::size_t first = 0; first < weights.cols; first += models())
      code_planes(coding, weights.row_span(i).subspan(first, models()));
}

void Occ::save_weights(StateWriter& state) const {
  state.text("bases", bases_);
  state.text("coding", coding_);
  state.floats("planes", planes_.unpack().view());
}

void Occ::load(const StateReader& state, Context& context) {
  const FloatMatrix planes = state.floats("planes");
  const std::int64_t classes = state.integer("classes");
  bases_ = state.text("bases");
  coding_ = state.text("coding");
  const auto groups =
      weights_by_class() ? static_cast<std::size_t>(std::max<std::int64_t>(1, classes)) : 1;
  models_ = static_cast<std::int64_t>(planes.rows / groups);
  if ((bases_ != "general" && bases_ != "per_class") ||
      (coding_ != "signed" && coding_ != "absolute" && coding_ != "squared") || planes.rows == 0 ||
      planes.rows % groups != 0)
    throw Error("the saved model has an array of the wrong size; train it again");
  SgdSvm::load(state, context);
  if (planes.cols != inputs_)
    throw Error("the saved model has an array of the wrong size; train it again");
  planes_ = numerics::PackedRows(planes.view());
}

}  // namespace

ComponentEntry declare_occ() { return Occ::declare().entry(); }

}  // namespace semblance::ml3

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "column_centre.hpp"
#include "semblance/declaration.hpp"
#include "semblance/pair_solver.hpp"
#include "semblance/samples.hpp"
#include "semblance/solver.hpp"
#include "training/training_pairs.hpp"
#include "training_checks.hpp"

namespace semblance::pairs {
namespace {

constexpr std::size_t centred_rows_at_once = 64;

constexpr std::size_t cosines_at_once = 4096;

/// Eight sums in a fixed order, which the compiler may vectorise.
float product(const float* a, const float* b, std::size_t count) {
  constexpr std::size_t lanes = 8;
  std::array<double, lanes> sums{};
  std::size_t k = 0;
  for (; k + lanes <= count; k += lanes)
    for (std::size_t l = 0; l < lanes; ++l)
      sums[l] += static_cast<double>(a[k + l]) * static_cast<double>(b[k + l]);
  for (std::size_t l = 0; k < count; ++k, ++l)
    sums[l] += static_cast<double>(a[k]) * static_cast<double>(b[k]);
  double sum = 0;
  for (const double s : sums) sum += s;
  return static_cast<float>(sum);
}

float product(MatrixView rows, std::int32_t i, std::int32_t j) {
  return product(rows.row(static_cast<std::size_t>(i)), rows.row(static_cast<std::size_t>(j)),
                 rows.cols);
}

void of_list(MatrixView rows, std::span<const Pair> pairs, std::span<float> out, Context& context) {
  context.parallel_for((pairs.size() + cosines_at_once - 1) / cosines_at_once, [&](std::size_t b) {
    context.check_stop();
    const std::size_t end = std::min(pairs.size(), (b + 1) * cosines_at_once);
    for (std::size_t p = b * cosines_at_once; p < end; ++p)
      out[p] = product(rows, pairs[p].first, pairs[p].second);
  });
}

/// All pairs of some rows, by the first of them.
void of_all(MatrixView rows, const PairSet& pairs, std::span<float> out, Context& context) {
  const std::span<const std::int32_t> chosen = pairs.rows();
  const std::size_t n = chosen.size(), skipped = pairs.reflexive() ? 0 : 1;
  context.parallel_for(n, [&](std::size_t i) {
    context.check_stop();
    // Row k before it has n - skipped - k pairs.
    std::size_t p = i * (n - skipped) - (i * (i + 1) / 2 - i);
    for (std::size_t j = i + skipped; j < n; ++j) out[p++] = product(rows, chosen[i], chosen[j]);
  });
}

/// Subtracts the mean from each row and divides it by its length; a row equal to the mean becomes
/// zero.
void centre_to_unit_length(FloatMatrix& rows, std::span<const double> mean, Context& context) {
  context.parallel_for(
      (rows.rows + centred_rows_at_once - 1) / centred_rows_at_once, [&](std::size_t b) {
        context.check_stop();
        std::vector<double> centred(rows.cols);
        const std::size_t end = std::min(rows.rows, (b + 1) * centred_rows_at_once);
        for (std::size_t i = b * centred_rows_at_once; i < end; ++i) {
          float* const row = rows.view().row(i);
          double square = 0;
          for (std::size_t k = 0; k < rows.cols; ++k) {
            centred[k] = static_cast<double>(row[k]) - mean[k];
            square += centred[k] * centred[k];
          }
          const double factor = square > 0 ? 1 / std::sqrt(square) : 0;
          for (std::size_t k = 0; k < rows.cols; ++k)
            row[k] = static_cast<float>(factor * centred[k]);
        }
      });
}

/// out[p] = the inner product of the pair's rows, which is the cosine for centred rows of unit
/// length. The same bits for both orders of a pair.
void inner_products(MatrixView rows, const PairSet& pairs, std::span<float> out, Context& context) {
  if (pairs.is_list()) return of_list(rows, pairs.list(), out, context);
  of_all(rows, pairs, out, context);
}

struct EqualErrors {
  double threshold = 0;
  double error = 0;
};

/// The threshold at which the share of negative pairs above it equals the share of positive pairs
/// not above it, as nearly as possible, and the mean of both shares. Neither list may be empty.
EqualErrors equal_errors(std::vector<float> positive, std::vector<float> negative) {
  std::sort(positive.begin(), positive.end());
  std::sort(negative.begin(), negative.end());
  const auto share = [](auto count, const std::vector<float>& all) {
    return static_cast<double>(count) / static_cast<double>(all.size());
  };
  constexpr float none = std::numeric_limits<float>::infinity();
  auto p = positive.begin(), n = negative.begin();  // the first that are accepted
  const auto next = [&] {
    return std::min(p == positive.end() ? none : *p, n == negative.end() ? none : *n);
  };
  for (;;) {
    const float value = next();
    p = std::upper_bound(p, positive.end(), value);
    n = std::upper_bound(n, negative.end(), value);
    const double rejected = share(p - positive.begin(), positive);
    const double accepted = share(negative.end() - n, negative);
    if (rejected < accepted) continue;
    const float above = next() == none ? value : next();
    return {(static_cast<double>(value) + static_cast<double>(above)) / 2,
            (rejected + accepted) / 2};
  }
}

/// Throws Error with the arithmetic unless the examples fit, and the cosines of all pairs twice.
void check_memory(std::size_t examples, std::size_t values, std::size_t pairs,
                  const Context& context) {
  const std::size_t needed = (examples * values + 2 * pairs) * sizeof(float);
  if (needed <= context.memory_budget()) return;
  throw MemoryError("training takes " + mebibytes(needed) + " for " + std::to_string(examples) +
                    " examples and the cosines of " + std::to_string(pairs) + " pairs; " +
                    mebibytes(context.memory_budget()) +
                    " are allowed. Use fewer pairs or examples, or raise --memory");
}

/// Learns the threshold from the training pairs. A pair of an example with itself always has the
/// cosine 1 and is ignored.
EqualErrors learned_threshold(const PairSet& pairs, std::span<const float> cosines) {
  std::vector<float> positive, negative;
  std::size_t p = 0;
  pairs.visit([&](const Pair& pair) {
    const float cosine = cosines[p++];
    if (pair.first != pair.second) (pair.label > 0 ? positive : negative).push_back(cosine);
  });
  if (positive.empty())
    throw Error(
        "every positive training pair pairs an example with itself; the threshold is learned from "
        "pairs of different examples of a class");
  return equal_errors(std::move(positive), std::move(negative));
}

/// `solver/pair_cosine`: the cosine of two centred examples, minus a threshold. A baseline for
/// machines that learn from pairs.
class PairCosine final : public PairSolver {
 public:
  static Declaration<PairCosine> declare() {
    return Declaration<PairCosine>("solver/pair_cosine",
                                   "The cosine of centred examples, a baseline for pair machines")
        .documentation(
            "f(u, v) = cos(u - m, v - m) - t. All that is learned is the mean m of the examples "
            "that training pairs name, each counted once, and the threshold t, at which the share "
            "of negative training pairs above it equals the share of positive ones below it; pairs "
            "of an example with itself do not count. `objective` is this share, the equal error "
            "rate of the training pairs. An example equal to the mean has cosine 0 to all "
            "others.\n\nThere is nothing to tune, so a pairwise SVM on the same examples has to "
            "beat this.")
        .complexity(
            "one inner product per pair; memory: 4 bytes per value of an example and 8 per "
            "training pair")
        .reports({"objective", "equal error rate of the training pairs", FigureUnit::share,
                  Better::lower})
        .reports({"threshold", "threshold of the cosine, which is subtracted from the scores",
                  FigureUnit::plain})
        .reports({"training_pairs", "number of training pairs", FigureUnit::count})
        .reports({"parameters", "count of numbers in the model", FigureUnit::count, Better::lower})
        .reports({"train_seconds", "time that training took", FigureUnit::seconds, Better::lower})
        .example(R"(
        points: {is: source/double_interval, dimension: 100, classes: 20, examples_per_class: 5, task: interclass}
        pairs:  {is: pairs/all, from: points}
        cosine: {is: solver/pair_cosine, from: points, pairs: pairs}
        test:   {is: evaluator/verification, from: cosine})");
  }

  void bind(const Layout& input) override {
    if (input.size() == 0) throw Error("samples without values give no pairs to compare");
    layout_ = input;
  }

  void train(const PairTrainingSet& training, Report& report, Context& context) override {
    const auto begin = std::chrono::steady_clock::now();
    bind(training.layout);
    check_training_pairs(training.pairs, training.rows.rows());
    common::check_finite(training.rows, context);
    const std::vector<std::int32_t> used = used_rows(training.pairs);
    check_memory(used.size(), layout_.size(), training.pairs.size(), context);
    FloatMatrix examples = gather(training.rows, used);
    const PairSet pairs = moved(training.pairs, places(used, training.rows.rows()));
    std::vector<double> mean = common::column_means(MatrixRows(examples.view()), {}, context);
    centre_to_unit_length(examples, mean, context);
    std::vector<float> cosines(pairs.size());
    inner_products(std::as_const(examples).view(), pairs, cosines, context);
    const EqualErrors learned = learned_threshold(pairs, cosines);
    mean_ = std::move(mean);
    threshold_ = learned.threshold;
    report.text("certificate", name(Certificate::converged));
    report.number("objective", learned.error);
    report.number("threshold", threshold_);
    report.integer("training_pairs", static_cast<std::int64_t>(pairs.size()));
    report.integer("parameters", static_cast<std::int64_t>(mean_.size() + 1));
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    report.number("train_seconds", seconds.count());
  }

  void score(const Rows& rows, const PairSet& pairs, std::span<float> out,
             Context& context) const override {
    if (mean_.empty()) throw Error("the solver has not been trained");
    check_scored(rows, pairs, out, mean_.size());
    const std::vector<std::int32_t> used = used_rows(pairs);
    FloatMatrix examples = gather(rows, used);
    centre_to_unit_length(examples, mean_, context);
    inner_products(std::as_const(examples).view(), moved(pairs, places(used, rows.rows())), out,
                   context);
    for (float& score : out) score = static_cast<float>(static_cast<double>(score) - threshold_);
  }

  void save(StateWriter& state) const override {
    if (mean_.empty()) throw Error("the solver has not been trained");
    state.doubles("mean", mean_);
    state.number("threshold", threshold_);
  }

  void load(const StateReader& state, Context&) override {
    std::vector<double> mean = state.doubles("mean");
    if (mean.size() != layout_.size())
      throw Error("the saved model is for rows of " + std::to_string(mean.size()) +
                  " values, not of " + std::to_string(layout_.size()) + "; train it again");
    mean_ = std::move(mean);
    threshold_ = state.number("threshold");
  }

 private:
  Layout layout_;
  std::vector<double> mean_;  // of the examples that training pairs name; empty: not trained
  double threshold_ = 0;
};

}  // namespace

ComponentEntry declare_pair_cosine() { return PairCosine::declare().entry(); }

}  // namespace semblance::pairs

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "affine.hpp"
#include "block_statistics.hpp"
#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/normalizer.hpp"
#include "semblance/row_error.hpp"

namespace semblance::normalizers {
namespace {

/// Weighs counts of terms by how rare the terms are in the training samples.
class TfIdf final : public Normalizer, public Exportable {
 public:
  Layout bind(const Layout& input) override {
    cols_ = input.size();
    return input;
  }

  void fit(const TrainingSet& training, Context& context) override {
    check_width(cols_, training.rows.cols());
    if (training.rows.rows() == 0) throw Error("there are no training rows to learn from");
    if (!idf_) return;
    columns_ = OccurringColumns::of(training, context);
    const std::vector<double> found = column_counts(training.rows, columns_, context);
    const auto rows = static_cast<double>(training.rows.rows());
    const double more = smooth_ ? 1 : 0;
    const auto weight = [&](double count) {
      return count + more > 0 ? std::log((rows + more) / (count + more)) + 1 : 0;
    };
    weights_.resize(found.size());
    std::ranges::transform(found, weights_.begin(), weight);
    other_weight_ = weight(0);
  }

  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    check_width(cols_, in.cols);
    for (std::size_t i = 0; i < in.rows; ++i) {
      if (in.sparse()) std::ranges::copy(in.columns_of(i), out.columns_of(i).begin());
      for (std::size_t k = 0; k < in.size(i); ++k) {
        const std::size_t column = in.sparse() ? in.columns_of(i)[k] : k;
        check_count(in.row(i)[k], i, column);
        out.row(i)[k] = weighted(in.row(i)[k], column);
      }
    }
  }

  void save(StateWriter& state) const override {
    if (!idf_) return state.doubles("weights", {});
    columns_.save(state);
    state.doubles("weights", weights_);
    if (!columns_.are_all()) state.number("other_weight", other_weight_);
  }

  void load(const StateReader& state, Context&) override {
    if (!idf_) return;
    auto columns = OccurringColumns::load(state, cols_);
    std::vector<double> weights = state.doubles("weights");
    check_width(columns.size(), weights.size());
    if (!columns.are_all()) other_weight_ = state.number("other_weight");
    columns_ = std::move(columns);
    weights_ = std::move(weights);
  }

  Formula::Value write(Formula& formula, Formula::Value in) const override {
    const auto count = formula.widen(in);
    const auto zero = formula.number(0, count), one = formula.number(1, count);
    const auto refused = formula.number(std::numeric_limits<double>::quiet_NaN(), count);
    Formula::Value counted = formula.where_greater(zero, count, refused, count);
    if (sublinear_) {
      const auto below = formula.where_greater(count, zero, refused, counted);
      const auto damped = formula.add(one, formula.logarithm(count));
      counted = formula.where_greater(one, count, below, damped);
    }
    if (!idf_) return formula.narrow(counted);
    const auto of_columns =
        columns_.values_at(formula.columns(in), std::span<const double>(weights_), other_weight_);
    const auto weights = formula.constant(std::span<const double>(of_columns));
    return formula.narrow(formula.multiply(counted, weights));
  }

  static Declaration<TfIdf> declare() {
    return Declaration<TfIdf>("normalizer/tfidf",
                              "Weighs counts of terms by how few training rows have them")
        .parameter("sublinear", &TfIdf::sublinear_, "1 + ln(count) in place of a count")
        .parameter("idf", &TfIdf::idf_, "weigh terms by how rare they are; false: all alike")
        .parameter(
            "smooth", &TfIdf::smooth_,
            "count one more row, which has every term: rare terms then weigh a little less, and "
            "those that no training row has weigh ln(1 + rows) + 1; false: these weigh 0")
        .documentation(
            "A count becomes count x (ln((1 + n) / (1 + n_t)) + 1), or ln(n / n_t) + 1 without "
            "`smooth`: n training rows, of which n_t have the term. Weights are learned from "
            "training rows alone. Follow it with normalizer/unit_length, so that long texts do not "
            "count for more; these are then the values that scikit-learn's TfidfTransformer gives.")
        .reference(
            "Salton and Buckley: Term-weighting approaches in automatic text retrieval, 1988")
        .complexity("fit and apply: one pass each over the non-zeros")
        .inexpensive()
        .distributed()
        .accepts_sparse()
        .example(R"(
        words: {is: source/libsvm, path: counts.svm, rows: sparse, test_fraction: 0.3}
        tfidf: {is: normalizer/tfidf, sublinear: true, from: words}
        x:     {is: normalizer/unit_length, from: tfidf}
        svm:   {is: solver/linear_svm, from: x}
        test:  {is: evaluator/classification, from: svm})");
  }

 private:
  /// Throws Error if it is not a count.
  void check_count(float value, std::size_t row, std::size_t column) const {
    if (value >= 1 && std::isfinite(value)) return;
    if (value >= 0 && std::isfinite(value) && (value == 0 || !sublinear_)) return;
    throw RowError(
        RowError::Of::block, row, "the value " + std::to_string(value) + " in ",
        ", column " + std::to_string(column) + " (both from 0) is no count" +
            (value > 0 && value < 1 ? ", as 'sublinear' needs it: at least 1, or 0" : "") +
            "; give it counts of terms, before anything else has scaled them");
  }

  float weighted(float count, std::size_t column) const {
    if (count == 0) return 0;
    const double term = sublinear_ ? 1 + std::log(double{count}) : double{count};
    if (!idf_) return static_cast<float>(term);
    const std::size_t place = columns_.place(column);
    return static_cast<float>(term *
                              (place == OccurringColumns::none ? other_weight_ : weights_[place]));
  }

  bool sublinear_ = false;
  bool idf_ = true;
  bool smooth_ = true;
  std::size_t cols_ = 0;
  OccurringColumns columns_;     ///< the terms of training rows; none without idf
  std::vector<double> weights_;  ///< of each of them
  double other_weight_ = 1;      ///< of all other terms
};

}  // namespace

ComponentEntry declare_tfidf() { return TfIdf::declare().entry(); }

}  // namespace semblance::normalizers

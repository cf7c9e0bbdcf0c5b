// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <vector>

#include "products/stored_bases.hpp"
#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/learns_from_samples.hpp"
#include "semblance/nested_state.hpp"
#include "semblance/similarity.hpp"

namespace semblance::vectors {
namespace {

/// Some columns of rows of equal size.
class ColumnRows final : public Rows {
 public:
  ColumnRows(const Rows& rows, std::size_t first, std::size_t count)
      : rows_(rows), first_(first), count_(count) {}
  std::size_t rows() const noexcept override { return rows_.rows(); }
  std::size_t cols() const noexcept override { return count_; }
  MatrixView view(std::size_t first, std::size_t count) const override {
    const MatrixView all = rows_.view(first, count);
    return {all.data + first_, all.rows, count_, all.stride};
  }
  void release(std::size_t first, std::size_t count) const override { rows_.release(first, count); }

 private:
  const Rows& rows_;
  std::size_t first_;
  std::size_t count_;
};

/// s = weight s1 + (1 - weight) s2, of two measures on the same sample or on two parts of it.
class Sum final : public Similarity, public LearnsFromSamples, public Exportable {
 public:
  static Declaration<Sum> declare();
  void set_bases(MatrixView bases, std::span<const std::int64_t> indices,
                 Context& context) override;
  std::size_t bases() const noexcept override { return first_->bases(); }
  double operations() const noexcept override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void apply_range(MatrixView in, std::size_t from_base, MutableMatrixView out,
                   Context& context) const override;
  Abilities abilities() const noexcept override;
  void compare_with_itself(MatrixView rows, float* values) const override;
  void compare_plainly(MatrixView bases, MatrixView x, double* values) const override;
  void compare_with_gradient(MatrixView bases, MatrixView x, double* values,
                             double* gradients) const override;
  bool positive_semidefinite() const noexcept override {
    return std::ranges::all_of(
        weighted(), [](const Part& part) { return part.measure.positive_semidefinite(); });
  }
  bool learns_from_bases() const noexcept override {
    return first_->learns_from_bases() || second_->learns_from_bases();
  }
  bool samples_suffice() const noexcept override {
    return !needs_all_bases(*first_) && !needs_all_bases(*second_);
  }
  void learn_from_samples(const Rows& rows, std::span<const std::uint32_t> chosen,
                          Context& context) override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;

 private:
  /// A similarity, and the columns that it compares.
  struct Part {
    Similarity& measure;
    const char* name;
    double weight;
    std::size_t first, count;

    MatrixView of(MatrixView rows) const {
      if (count == rows.cols) return rows;
      return {rows.data + first, rows.rows, count, rows.stride};
    }
  };

  void prepare(const Layout& input) override;
  std::array<Part, 2> parts() const {
    const auto cut = static_cast<std::size_t>(columns_);
    return {Part{*first_, "the first similarity", weight_, 0, cut > 0 ? cut : values_},
            Part{*second_, "the second similarity", 1 - weight_, cut, values_ - cut}};
  }
  /// Those of weight above 0: the others are not computed.
  std::vector<Part> weighted() const;

  std::unique_ptr<Similarity> first_;
  std::unique_ptr<Similarity> second_;
  double weight_ = 0.5;
  std::int64_t columns_ = 0;
  std::size_t values_ = 0;  // of a sample
};

Declaration<Sum> Sum::declare() {
  return Declaration<Sum>("similarity/sum", "Weighted sum of two similarities")
      .parameter("first", &Sum::first_, "the first similarity", default_component("similarity/rbf"))
      .parameter("second", &Sum::second_, "the second similarity",
                 default_component("similarity/linear"))
      .parameter("weight", &Sum::weight_, "weight alpha of the first, 1 - alpha of the second",
                 at_least(0), at_most(1))
      .parameter("columns", &Sum::columns_,
                 "how many leading values of a sample the first compares, the second comparing the "
                 "rest; 0: both compare the whole sample",
                 at_least(0))
      .accepts_sparse()
      .documentation(
          "K = alpha K1 + (1 - alpha) K2. For a similarity on each of two features, put them side "
          "by side with normalizer/none, from: [x4, x8], and set columns to the size of the first; "
          "each part is then a vector, so measures on grids need columns: 0. A similarity of "
          "weight zero is not computed. Symmetric if both are, positive semi-definite if both are.")
      .reference("BE-SVM, section 3.5.1: multiple kernel learning by line search")
      .complexity("both similarities, plus 2 operations per pair")
      .example(R"(
        points: {is: source/xor, squares: 4}
        svm:
          is: solver/kernel_svm
          kernel:
            is: similarity/sum
            weight: 0.5
            first:  {is: similarity/rbf, gamma: 10}
            second: {is: similarity/rbf, gamma: 100}
          from: points
        test:   {is: evaluator/classification, from: svm})");
}

void Sum::prepare(const Layout& input) {
  values_ = input.size();
  const auto columns = static_cast<std::size_t>(columns_);
  if (columns_ > 0 && input.kind == LayoutKind::sparse)
    throw Error("'columns: " + std::to_string(columns_) +
                "' cuts dense samples in two, and these are sparse; set 0 to let both similarities "
                "compare the whole sample, or put feature/dense before it");
  if (columns_ > 0 && columns >= values_)
    throw Error("columns: " + std::to_string(columns_) + " leaves nothing for the second " +
                "similarity of samples that are each a " + describe(input) +
                "; lower it, or set 0 to let both compare the whole sample");
  for (const Part& part : parts())
    part.measure.bind(columns_ == 0 ? input : Layout::vector(part.count));
}

void Sum::set_bases(MatrixView bases, std::span<const std::int64_t> indices, Context& context) {
  if (bases.cols != values_)
    throw Error("the bases have " + std::to_string(bases.cols) + " values, the samples " +
                std::to_string(values_) + "; both must come from the same features");
  for (const Part& part : parts()) part.measure.set_bases(part.of(bases), indices, context);
}

void Sum::learn_from_samples(const Rows& rows, std::span<const std::uint32_t> chosen,
                             Context& context) {
  for (const Part& part : parts())
    if (columns_ == 0)
      semblance::learn_from_samples(part.measure, rows, chosen, context);
    else
      semblance::learn_from_samples(part.measure, ColumnRows(rows, part.first, part.count), chosen,
                                    context);
}

std::vector<Sum::Part> Sum::weighted() const {
  std::vector<Part> used;
  for (const Part& part : parts())
    if (part.weight > 0) used.push_back(part);
  return used;
}

Similarity::Abilities Sum::abilities() const noexcept {
  Abilities all = {.compares_with_itself = true, .compares_plainly = true, .has_gradient = true};
  for (const Part& part : weighted()) {
    const Abilities own = part.measure.abilities();
    all.compares_with_itself = all.compares_with_itself && own.compares_with_itself;
    all.compares_plainly = all.compares_plainly && own.compares_plainly;
    all.has_gradient = all.has_gradient && own.has_gradient;
  }
  return all;
}

void Sum::compare_with_itself(MatrixView rows, float* values) const {
  std::vector<float> own(rows.rows);
  std::fill_n(values, rows.rows, 0.0F);
  for (const Part& part : weighted()) {
    part.measure.compare_with_itself(part.of(rows), own.data());
    for (std::size_t i = 0; i < own.size(); ++i)
      values[i] += static_cast<float>(part.weight) * own[i];
  }
}

void Sum::compare_plainly(MatrixView bases, MatrixView x, double* values) const {
  std::vector<double> own(bases.rows);
  std::fill_n(values, bases.rows, 0.0);
  for (const Part& part : weighted()) {
    part.measure.compare_plainly(part.of(bases), part.of(x), own.data());
    for (std::size_t j = 0; j < own.size(); ++j) values[j] += part.weight * own[j];
  }
}

void Sum::compare_with_gradient(MatrixView bases, MatrixView x, double* values,
                                double* gradients) const {
  std::fill_n(values, bases.rows, 0.0);
  std::fill_n(gradients, bases.rows * x.cols, 0.0);
  for (const Part& part : weighted()) {
    const MatrixView own_x = part.of(x);
    std::vector<double> own(bases.rows), slopes(bases.rows * own_x.cols);
    part.measure.compare_with_gradient(part.of(bases), own_x, own.data(), slopes.data());
    for (std::size_t j = 0; j < own.size(); ++j) {
      values[j] += part.weight * own[j];
      for (std::size_t k = 0; k < own_x.cols; ++k)
        gradients[j * x.cols + part.first + k] += part.weight * slopes[j * own_x.cols + k];
    }
  }
}

double Sum::operations() const noexcept {
  double all = 0;
  for (const Part& part : weighted()) all += part.measure.operations() + (all > 0 ? 3 : 0);
  return all;
}

void Sum::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  check_shapes(in, out, values_, bases());
  apply_range(in, 0, out, context);
}

void Sum::apply_range(MatrixView in, std::size_t from_base, MutableMatrixView out,
                      Context& context) const {
  if (in.rows == 0 || out.cols == 0) return;
  const std::vector<Part> used = weighted();
  used[0].measure.apply_range(used[0].of(in), from_base, out, context);
  if (used.size() == 1) return;
  FloatMatrix other(in.rows, out.cols);
  used[1].measure.apply_range(used[1].of(in), from_base, other.view(), context);
  const auto weight = static_cast<float>(weight_), rest = static_cast<float>(1 - weight_);
  for (std::size_t i = 0; i < in.rows; ++i) {
    const float* from = other.view().row(i);
    float* to = out.row(i);
    for (std::size_t j = 0; j < out.cols; ++j) to[j] = weight * to[j] + rest * from[j];
  }
}

void Sum::save(StateWriter& state) const {
  NestedWriter first(state, "first_"), second(state, "second_");
  first_->save(first);
  second_->save(second);
}

void Sum::load(const StateReader& state, Context& context) {
  first_->load(NestedReader(state, "first_"), context);
  second_->load(NestedReader(state, "second_"), context);
  if (first_->bases() != second_->bases())
    throw Error("the saved similarities have " + std::to_string(first_->bases()) + " and " +
                std::to_string(second_->bases()) + " bases; the state is damaged");
}

Formula::Value Sum::write(Formula& formula, Formula::Value in) const {
  std::vector<Formula::Value> values;
  for (const Part& part : weighted()) {
    std::vector<std::size_t> own(part.count);
    std::iota(own.begin(), own.end(), part.first);
    values.push_back(write_part(part.measure, part.name, formula,
                                columns_ == 0 ? in : formula.gather(in, std::move(own))));
  }
  if (values.size() == 1) return values[0];
  return formula.add(formula.multiply(values[0], formula.number(weight_, values[0])),
                     formula.multiply(values[1], formula.number(1 - weight_, values[1])));
}

}  // namespace

ComponentEntry declare_sum() { return Sum::declare().entry(); }

}  // namespace semblance::vectors

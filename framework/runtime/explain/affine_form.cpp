// SPDX-License-Identifier: MIT
#include "runtime/explain/affine_form.hpp"

#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "semblance/error.hpp"

namespace semblance {
namespace {

using Operation = Formula::Operation;

using Step = Formula::Step;

AffineForm with_matrix_of(AffineForm form) {
  form.matrix = matrix_of(form);
  form.by_column = false;
  return form;
}

/// Element i of a constant, or its only one.
double at(const std::vector<double>& values, std::size_t i) {
  return values[values.size() == 1 ? 0 : i];
}

class Affine {
 public:
  explicit Affine(const Formula& formula) : formula_(formula) {
    for (const Step& step : formula.steps()) known_.push_back(of(step));
  }

  /// The form of a step; nothing where it is not affine.
  const std::optional<AffineForm>& form(std::size_t step) const { return known_[step].form; }

 private:
  /// A constant where `form` is nothing and there are values.
  struct Known {
    std::optional<AffineForm> form;
    std::vector<double> values;
  };

  Known of(const Step& step) const {
    const auto argument = [&](std::size_t k) -> const Known& { return known_[step.of[k]]; };
    switch (step.operation) {
      case Operation::input:
        return {identity(step.width), {}};
      case Operation::constant:
        if (step.wide) return {{}, step.doubles};
        return {{}, {step.floats.begin(), step.floats.end()}};
      case Operation::widen:
      case Operation::narrow:
        return argument(0);
      case Operation::add:
      case Operation::subtract:
        return sum(argument(0), argument(1), step.operation == Operation::add ? 1 : -1);
      case Operation::multiply:
        if (argument(0).form) return scaled(argument(0), argument(1));
        return scaled(argument(1), argument(0));
      case Operation::products:
        return product(step, argument(0));
      case Operation::gather:
        return gathered(step);
      case Operation::concatenate:
        return together(step);
      default:
        return {};
    }
  }

  static AffineForm identity(std::size_t width) {
    AffineForm form;
    form.inputs = width;
    form.offsets.assign(width, 0);
    form.scales.assign(width, 1);
    form.columns.resize(width);
    std::iota(form.columns.begin(), form.columns.end(), std::size_t{0});
    return form;
  }

  static Known sum(const Known& a, const Known& b, double sign) {
    if (a.form && b.form) return sum_of_forms(*a.form, *b.form, sign);
    const Known& varying = a.form ? a : b;
    const Known& fixed = a.form ? b : a;
    if (!varying.form || fixed.values.empty()) return {};
    AffineForm form = *varying.form;
    if (fixed.values.size() > form.results()) return {};
    for (std::size_t i = 0; i < form.results(); ++i)
      form.offsets[i] = a.form ? form.offsets[i] + sign * at(fixed.values, i)
                               : at(fixed.values, i) + sign * form.offsets[i];
    if (!a.form && sign < 0)
      for (auto* factors : {&form.scales, &form.matrix})
        for (double& factor : *factors) factor = -factor;
    return {form, {}};
  }

  static Known sum_of_forms(const AffineForm& a, const AffineForm& b, double sign) {
    if (a.results() != b.results()) return {};
    AffineForm form = with_matrix_of(a);
    const std::vector<double> other = matrix_of(b);
    for (std::size_t i = 0; i < other.size(); ++i) form.matrix[i] += sign * other[i];
    for (std::size_t i = 0; i < form.results(); ++i) form.offsets[i] += sign * b.offsets[i];
    return {form, {}};
  }

  static Known scaled(const Known& a, const Known& factor) {
    if (!a.form || factor.values.empty() || factor.values.size() > a.form->results()) return {};
    AffineForm form = *a.form;
    for (std::size_t i = 0; i < form.results(); ++i) {
      const double by = at(factor.values, i);
      form.offsets[i] *= by;
      if (form.by_column) form.scales[i] *= by;
      for (std::size_t k = 0; !form.by_column && k < form.inputs; ++k)
        form.matrix[i * form.inputs + k] *= by;
    }
    return {form, {}};
  }

  static Known product(const Step& step, const Known& a) {
    if (!a.form) return {};
    const AffineForm& in = *a.form;
    AffineForm form;
    form.inputs = in.inputs;
    form.by_column = false;
    form.offsets.assign(step.width, 0);
    form.matrix.assign(step.width * in.inputs, 0);
    const std::size_t width = in.results();
    for (std::size_t r = 0; r < step.width; ++r)
      for (std::size_t i = 0; i < width; ++i) {
        const double w = step.wide ? step.doubles[r * width + i] : step.floats[r * width + i];
        form.offsets[r] += w * in.offsets[i];
        if (in.by_column) form.matrix[r * in.inputs + in.columns[i]] += w * in.scales[i];
        for (std::size_t k = 0; !in.by_column && k < in.inputs; ++k)
          form.matrix[r * in.inputs + k] += w * in.matrix[i * in.inputs + k];
      }
    return {form, {}};
  }

  static void append(AffineForm& to, const AffineForm& from, std::size_t i) {
    to.offsets.push_back(from.offsets[i]);
    if (from.by_column) {
      to.columns.push_back(from.columns[i]);
      to.scales.push_back(from.scales[i]);
    } else {
      const auto row = from.matrix.begin() + static_cast<std::ptrdiff_t>(i * from.inputs);
      to.matrix.insert(to.matrix.end(), row, row + static_cast<std::ptrdiff_t>(from.inputs));
    }
  }

  static AffineForm empty_like(const AffineForm& form) {
    AffineForm empty;
    empty.inputs = form.inputs;
    empty.by_column = form.by_column;
    return empty;
  }

  Known gathered(const Step& step) const {
    AffineForm form;
    for (std::size_t k = 0; k < step.columns.size(); ++k) {
      const auto [from, column] = affine_origin(step.of[0], step.columns[k]);
      const auto& found = known_[from].form;
      if (!found) return {};
      if (k == 0) form = empty_like(*found);
      if (form.by_column != found->by_column) return {};
      append(form, *found, column);
    }
    return {form, {}};
  }

  /// A column of a step, or the one that it is taken from where other columns are not affine.
  std::pair<std::size_t, std::size_t> affine_origin(std::size_t step, std::size_t column) const {
    const Step& own = formula_.steps()[step];
    if (known_[step].form) return {step, column};
    if (own.operation == Operation::gather) return affine_origin(own.of[0], own.columns[column]);
    if (own.operation != Operation::concatenate) return {step, column};
    std::size_t part = 0;
    while (column >= formula_.steps()[own.of[part]].width)
      column -= formula_.steps()[own.of[part++]].width;
    return affine_origin(own.of[part], column);
  }

  Known together(const Step& step) const {
    bool by_column = true;
    for (const std::size_t of : step.of) {
      if (!known_[of].form) return {};
      by_column = by_column && known_[of].form->by_column;
    }
    AffineForm form = empty_like(*known_[step.of[0]].form);
    form.by_column = by_column;
    for (const std::size_t of : step.of) {
      const AffineForm part = by_column || !known_[of].form->by_column
                                  ? *known_[of].form
                                  : with_matrix_of(*known_[of].form);
      for (std::size_t i = 0; i < part.results(); ++i) append(form, part, i);
    }
    return {form, {}};
  }

  const Formula& formula_;
  std::vector<Known> known_;
};

}  // namespace

bool AffineForm::keeps_places() const noexcept {
  bool kept = by_column && results() == inputs;
  for (std::size_t i = 0; kept && i < columns.size(); ++i) kept = columns[i] == i;
  return kept;
}

std::vector<double> matrix_of(const AffineForm& form) {
  if (!form.by_column) return form.matrix;
  if (form.results() > Formula::most_constants / form.inputs)
    throw Error("the machine would have " + std::to_string(form.results()) + " x " +
                std::to_string(form.inputs) + " weights, which are too many");
  std::vector<double> matrix(form.results() * form.inputs);
  for (std::size_t i = 0; i < form.results(); ++i)
    matrix[i * form.inputs + form.columns[i]] = form.scales[i];
  return matrix;
}

AffineForm affine_form(const Formula& formula, Formula::Value result) {
  const Affine affine(formula);
  if (affine.form(result.step)) return *affine.form(result.step);
  for (std::size_t s = 0; s < formula.steps().size(); ++s) {
    const Step& step = formula.steps()[s];
    const bool constant = step.operation == Operation::constant;
    if (!constant && !affine.form(s))
      throw Error("node " + step.note + " is not linear in the values of a row");
  }
  throw Error("the machine does not depend on the row");
}

}  // namespace semblance

// SPDX-License-Identifier: MIT
#include "machines/pair_machine.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "prefixed_state.hpp"
#include "semblance/context.hpp"
#include "semblance/error.hpp"
#include "semblance/learns_from_samples.hpp"
#include "semblance/plain_check.hpp"
#include "semblance/row_error.hpp"
#include "semblance_numerics/kernel_spectrum.hpp"
#include "symmetric_matrix.hpp"
#include "training/training_pairs.hpp"
#include "training_checks.hpp"

namespace semblance::pairs {

namespace {

constexpr std::size_t pairs_compared_at_once = 256;

constexpr std::size_t columns_at_once = 1024;

std::vector<std::int64_t> wide(std::span<const std::int32_t> values) {
  return {values.begin(), values.end()};
}

std::vector<std::int32_t> examples(const StateReader& state, const char* name, std::size_t bases) {
  std::vector<std::int32_t> values;
  for (const std::int64_t value : state.integers(name)) {
    if (value < 0 || static_cast<std::size_t>(value) >= bases)
      throw Error(
          "the saved pairwise model refers to a basis that it does not have; train it again");
    values.push_back(static_cast<std::int32_t>(value));
  }
  return values;
}

constexpr std::string_view kernel_prefix = "kernel_";

constexpr std::size_t rows_at_once = 64;

void apply(const Similarity& kernel, const FloatMatrix& samples, FloatMatrix& out,
           Context& context) {
  context.parallel_for((samples.rows + rows_at_once - 1) / rows_at_once, [&](std::size_t b) {
    context.check_stop();
    const std::size_t first = b * rows_at_once;
    const std::size_t count = std::min(rows_at_once, samples.rows - first);
    kernel.apply(samples.view().rows_range(first, count), out.view().rows_range(first, count),
                 context);
  });
}

void subtract(const common::Centre& centre, FloatMatrix& rows) {
  for (std::size_t i = 0; i < rows.rows; ++i)
    common::copy_about(centre, rows.view().row(i), rows.cols, rows.view().row(i));
}

// Pair kernels multiply two values of the standard kernel in float32.
constexpr double most_value = 1e18;

void check_kernel_values(const FloatMatrix& values, std::span<const std::int32_t> rows) {
  for (std::size_t i = 0; i < values.rows; ++i)
    if (const auto row = values.view().row_span(i);
        std::any_of(row.begin(), row.end(),
                    [](float value) { return double{std::abs(value)} > most_value; }))
      throw RowError(RowError::Of::training, static_cast<std::size_t>(rows[i]),
                     "the standard kernel gives a value above 1e18 for ",
                     " (counted from 0), and pair kernels multiply two of them in float32; scale "
                     "the samples or change the kernel's parameters");
    else if (!common::all_finite(row))
      throw RowError(RowError::Of::training, static_cast<std::size_t>(rows[i]),
                     "the standard kernel gives a value that is not finite for ",
                     " (counted from 0); scale the samples or change the kernel's parameters");
}

/// Compares the standard kernel's values with its definition, for some of the examples.
std::optional<double> check_standard(const Similarity& standard, const FloatMatrix& examples,
                                     Context& context) {
  const auto drawn = checked_rows(examples.rows);
  const FloatMatrix samples =
      gather(MatrixRows(examples.view()), std::vector<std::int32_t>(drawn.begin(), drawn.end()));
  const auto error = check_similarity(standard, examples.view(), samples.view(), context,
                                      "the standard kernel's values for a sample of training rows");
  check_differences(standard, examples.view(), samples.view(), Differences::of_samples_and_bases,
                    context);
  return error;
}

}  // namespace

float order_sign(float a, float b) noexcept { return a > b ? 1.0F : a < b ? -1.0F : 0.0F; }

void ExpansionModel::score(const PairKernel& kernel, MatrixView values,
                           std::span<const float> coordinates, const PairSet& set,
                           std::span<float> out, Context& context) const {
  const std::vector<Pair> expanded = set.is_list() ? std::vector<Pair>() : set.expanded();
  const std::span<const Pair> list = set.is_list() ? set.list() : expanded;
  const auto sum = [&](std::size_t a, std::size_t b) {
    const float sign = coordinates.empty() ? 0.0F : order_sign(coordinates[a], coordinates[b]);
    float row[columns_at_once];
    double f = 0;
    for (std::size_t first = 0; first < coefficients.size(); first += columns_at_once) {
      const std::size_t count = std::min(columns_at_once, coefficients.size() - first);
      pairs.evaluate(kernel, values.row(a), values.row(b), sign, first, count, row);
      for (std::size_t j = 0; j < count; ++j) f += coefficients[first + j] * row[j];
    }
    return f;
  };
  context.parallel_for(
      (list.size() + pairs_compared_at_once - 1) / pairs_compared_at_once, [&](std::size_t block) {
        context.check_stop();
        for (std::size_t p = block * pairs_compared_at_once;
             p < std::min(list.size(), (block + 1) * pairs_compared_at_once); ++p) {
          const auto a = static_cast<std::size_t>(list[p].first);
          const auto b = static_cast<std::size_t>(list[p].second);
          out[p] = static_cast<float>((sum(a, b) + sum(b, a)) / 2 + bias);
        }
      });
}

void ExpansionModel::save(StateWriter& state) const {
  state.number("bias", bias);
  state.integer("bases", static_cast<std::int64_t>(bases));
  state.doubles("coefficients", coefficients);
  state.integers("first", wide(pairs.first()));
  state.integers("second", wide(pairs.second()));
  const std::vector<double> signs(pairs.signs().begin(), pairs.signs().end());
  state.doubles("signs", signs);
}

ExpansionModel ExpansionModel::load(const StateReader& state) {
  ExpansionModel model;
  model.bias = state.number("bias");
  model.bases = static_cast<std::size_t>(std::max<std::int64_t>(state.integer("bases"), 0));
  model.coefficients = state.doubles("coefficients");
  const std::vector<double> signs = state.doubles("signs");
  model.pairs =
      PairColumns(examples(state, "first", model.bases), examples(state, "second", model.bases),
                  std::vector<float>(signs.begin(), signs.end()));
  const std::size_t n = model.coefficients.size();
  if (model.pairs.size() != n || model.pairs.second().size() != n ||
      (!signs.empty() && signs.size() != n))
    throw Error("the saved pairwise model has arrays of different sizes; train it again");
  return model;
}

void PairMachine::bind(const Layout& input) {
  layout_ = input;
  if (input.size() == 0) throw Error("samples without values give no pairs to classify");
  kernel_->standard_kernel().bind(input);
}

PairMachine::Examples PairMachine::examples(const PairTrainingSet& training, Context& context) {
  check_training_pairs(training.pairs, training.rows.rows());
  Examples made;
  made.rows = used_rows(training.pairs);
  made.places = places(made.rows, training.rows.rows());
  for (const std::int32_t row : made.rows)
    made.numbers.push_back(
        training.row_numbers.empty() ? row : training.row_numbers[static_cast<std::size_t>(row)]);
  common::check_finite(training.rows, context);
  made.values = gather(training.rows, made.rows, context);
  learn_from_samples(kernel_->standard_kernel(), MatrixRows(std::as_const(made.values).view()), {},
                     context);
  centre_.clear();
  if (kernel_->standard_kernel().inner_product() && kernel_->translation_invariant()) {
    centre_ = common::column_means(MatrixRows(made.values.view()), {}, context);
    subtract(centre_, made.values);
  }
  for (std::size_t i = 0; i < made.rows.size(); ++i) {
    double square = 0;
    for (const float x : made.values.view().row_span(i)) square += double{x} * x;
    if (kernel_->standard_kernel().inner_product() && square > most_value)
      throw RowError(RowError::Of::training, static_cast<std::size_t>(made.rows[i]), "",
                     " (counted from 0) has a squared length above 1e18, and pair kernels multiply "
                     "two such products in float32; scale the samples (normalizer/unit_length)");
  }
  return made;
}

void PairMachine::set_bases(const Examples& examples, std::span<const std::int32_t> chosen,
                            Context& context) {
  const FloatMatrix values = gather(MatrixRows(examples.values.view()), chosen);
  std::vector<std::int64_t> numbers;
  for (const std::int32_t at : chosen)
    numbers.push_back(examples.numbers[static_cast<std::size_t>(at)]);
  kernel_->standard_kernel().set_bases(values.view(), numbers, context);
}

FloatMatrix PairMachine::standard_matrix(const Examples& examples, const PairShares& shares,
                                         Context& context) {
  try {
    return computed_matrix(examples, shares, context);
  } catch (const Cancelled&) {
    const std::size_t n = examples.rows.size();
    FloatMatrix unit(n, n);
    for (std::size_t i = 0; i < n; ++i) unit.values[i * n + i] = 1;
    return unit;
  }
}

FloatMatrix PairMachine::computed_matrix(const Examples& examples, const PairShares& shares,
                                         Context& context) {
  Similarity& standard = kernel_->standard_kernel();
  const std::size_t n = examples.rows.size();
  standard.set_bases(examples.values.view(), examples.numbers, context);
  FloatMatrix k(n, n);
  context.parallel_for(shares.own().size(), [&](std::size_t own) {
    context.check_stop();
    const std::size_t b = shares.own()[own], count = shares.end(b) - shares.first(b);
    standard.apply(examples.values.view().rows_range(shares.first(b), count),
                   k.view().rows_range(shares.first(b), count), context);
  });
  shares.spread<float>([&](std::size_t b) { return k.view().row(shares.first(b)); }, n,
                       k.values.data(), context);
  check_kernel_values(k, examples.rows);
  check_error_ = check_standard(standard, examples.values, context);
  common::symmetrise_kernel(
      k, std::vector<std::uint32_t>(examples.rows.begin(), examples.rows.end()), context);
  if (!standard.positive_semidefinite() &&
      !numerics::positive_semidefinite(k.view(), numerics::spectrum_tolerance(k.view()), context))
    throw Error("the standard kernel's values between the " + std::to_string(n) +
                " training examples form an indefinite matrix, so the pair kernel is not a kernel "
                "and no solver can guarantee an optimum; use a positive semi-definite one, such as "
                "similarity/linear, similarity/polynomial or similarity/rbf");
  return k;
}

void PairMachine::keep(const Examples& examples, const Expansion& expansion, double bias,
                       Context& context) {
  const std::size_t n = examples.rows.size();
  std::vector<std::int32_t> chosen(expansion.first);
  chosen.insert(chosen.end(), expansion.second.begin(), expansion.second.end());
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  if (chosen.empty()) chosen.push_back(0);  // only a bias, but a similarity needs a basis
  const std::vector<std::int32_t> numbers = places(chosen, n);
  Expansion e = expansion;
  for (auto* side : {&e.first, &e.second})
    for (std::int32_t& at : *side) at = numbers[static_cast<std::size_t>(at)];

  const Similarity& standard = kernel_->standard_kernel();
  const std::optional<PairKernelSum> sum = kernel_->symmetric_sum();
  const bool squared =
      sum && (sum->squared.symmetric_direct_sum != 0 || sum->squared.tensor_learning != 0 ||
              sum->squared.metric_learning != 0);
  set_bases(examples, chosen, context);
  if (!sum) {
    std::vector<float> signs;
    if (kernel_->ordered())
      for (std::size_t p = 0; p < e.first.size(); ++p)
        signs.push_back(order_sign(
            examples.values.view().row(static_cast<std::size_t>(expansion.first[p]))[0],
            examples.values.view().row(static_cast<std::size_t>(expansion.second[p]))[0]));
    sums_.reset();
    expansion_ = {bias, std::move(e.coefficients),
                  PairColumns(std::move(e.first), std::move(e.second), std::move(signs)),
                  chosen.size()};
    return;
  }
  SumModel model;
  model.bias = bias;
  for (const double gamma : e.coefficients) model.bias += sum->constant * gamma;
  if (standard.inner_product() && !squared && layout_.size() <= chosen.size()) {
    const FloatMatrix values = gather(MatrixRows(examples.values.view()), chosen);
    model.features = layout_.size();
    model.plain = linear_quadratic_form(sum->plain, e, values.view());
    return keep(std::move(model));
  }
  model.features = chosen.size();
  model.plain = quadratic_form(sum->plain, e, chosen.size());
  if (squared) model.squared = quadratic_form(sum->squared, e, chosen.size());
  keep_on_bases(std::move(model));
}

std::size_t PairMachine::parameters() const {
  if (!sums_) return expansion_.coefficients.size() + expansion_.bases * layout_.size() + 1;
  std::size_t count = 1 + (of_rows_ ? 0 : sums_->features * layout_.size());
  for (const QuadraticForm* form : {&sums_->plain, &sums_->squared})
    count += form->cross.size() + form->own.size() + form->linear.size();
  return count;
}

void PairMachine::report_training(std::size_t pairs, std::chrono::steady_clock::time_point begin,
                                  Report& report) const {
  report.integer("training_pairs", static_cast<std::int64_t>(pairs));
  report.integer("parameters", static_cast<std::int64_t>(parameters()));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  report.number("train_seconds", seconds.count());
}

FloatMatrix PairMachine::features(const FloatMatrix& values, Context& context) const {
  FloatMatrix out(values.rows, kernel_->standard_kernel().bases());
  apply(kernel_->standard_kernel(), values, out, context);
  return out;
}

void PairMachine::score(const Rows& rows, const PairSet& pairs, std::span<float> out,
                        Context& context) const {
  if (!sums_ && expansion_.bases == 0) throw Error("the solver has not been trained");
  check_scored(rows, pairs, out, layout_.size());
  if (pairs.size() == 0) return;
  const std::vector<std::int32_t> used = used_rows(pairs);
  // If all rows are used, places are row numbers.
  std::optional<PairSet> in_places;
  if (used.size() < rows.rows()) in_places = moved(pairs, places(used, rows.rows()));
  const PairSet& local = in_places ? *in_places : pairs;
  FloatMatrix values = gather(rows, used);
  if (!centre_.empty()) subtract(centre_, values);
  if (sums_) {
    if (of_rows_) return sums_->score(values.view(), local, out, context);
    return sums_->score(features(values, context).view(), local, out, context);
  }
  std::vector<float> coordinates;
  if (kernel_->ordered())
    for (std::size_t i = 0; i < values.rows; ++i) coordinates.push_back(values.view().row(i)[0]);
  expansion_.score(*kernel_, features(values, context).view(), coordinates, local, out, context);
}

void PairMachine::save(StateWriter& state) const {
  if (!sums_ && expansion_.bases == 0) throw Error("the solver has not been trained");
  state.text("form", !sums_ ? "expansion" : of_rows_ ? "rows" : "bases");
  common::save_inputs(state, layout_.size(), centre_);
  common::PrefixedWriter model(state, "model_");
  if (sums_)
    sums_->save(model);
  else
    expansion_.save(model);
  if (sums_ && of_rows_) return;
  common::PrefixedWriter prefixed(state, kernel_prefix);
  kernel_->standard_kernel().save(prefixed);
}

void PairMachine::load(const StateReader& state, Context& context) {
  const std::string form = state.text("form");
  const common::PrefixedReader model(state, "model_");
  Similarity& standard = kernel_->standard_kernel();
  auto [inputs, centre] = common::load_inputs(state);
  if (inputs != static_cast<std::int64_t>(layout_.size()))
    throw Error("the saved pairwise model is for rows of " + std::to_string(inputs) +
                " values, not of " + std::to_string(layout_.size()));
  centre_ = std::move(centre);
  if (form != "rows") standard.load(common::PrefixedReader(state, kernel_prefix), context);
  if (form == "expansion") {
    expansion_ = ExpansionModel::load(model);
    sums_.reset();
  } else {
    sums_ = SumModel::load(model);
    of_rows_ = form == "rows";
    expansion_ = {};
  }
  const std::size_t expected = sums_ ? sums_->features : expansion_.bases;
  if (expected != (form == "rows" ? layout_.size() : standard.bases()))
    throw Error("the saved pairwise model has " + std::to_string(expected) +
                " features, but its bases give a different number; train it again");
}

}  // namespace semblance::pairs

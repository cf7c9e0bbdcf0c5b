// SPDX-License-Identifier: MIT
#include "matrix/sorted_samples.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "semblance/error.hpp"
#include "semblance/plain_check.hpp"
#include "semblance_numerics/padded_vectors.hpp"
#include "skinny_product.hpp"
#include "training_checks.hpp"

namespace semblance::kernel {
namespace {

using numerics::Vectors;

/// The number of values of each sample, if samples differ in size.
std::vector<std::size_t> sizes_of(const TrainingSet& training) {
  std::vector<std::size_t> sizes;
  for (std::size_t row = 0; training.layout.ragged() && row < training.rows.rows(); ++row)
    sizes.push_back(training.rows.view(row, 1).size(0));
  return sizes;
}

}  // namespace

void throw_not_finite(std::uint32_t row) {
  throw RowError(RowError::Of::training, row, "the kernel gives a value that is not finite for ",
                 " (counted from 0); scale the samples or change the kernel's parameters");
}

void check_kernel_values(MatrixView values, std::span<const std::uint32_t> rows) {
  for (std::size_t i = 0; i < values.rows; ++i)
    if (!common::all_finite(values.row_span(i))) throw_not_finite(rows[i]);
}

SortedSamples::SortedSamples(const TrainingSet& training)
    : rows(training.rows),
      row_numbers(training.row_numbers),
      order(training.labels.size()),
      starts(training.classes.size() + 1),
      sizes(sizes_of(training)),
      layout(training.layout) {
  for (const std::int32_t label : training.labels) ++starts[static_cast<std::size_t>(label) + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return training.labels[a] < training.labels[b];
  });
}

SortedSamples::SortedSamples(const TrainingSet& training, std::vector<std::uint32_t> chosen)
    : rows(training.rows),
      row_numbers(training.row_numbers),
      order(std::move(chosen)),
      starts{0, order.size()},
      sizes(sizes_of(training)),
      layout(training.layout) {}

std::size_t SortedSamples::values() const noexcept {
  if (sizes.empty()) return rows.rows() * rows.cols();
  return std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
}

std::size_t SortedSamples::bytes_with_bases() const noexcept {
  constexpr std::size_t entry = sizeof(float) + sizeof(std::uint32_t);
  return values() * (layout.kind == LayoutKind::sparse ? 3 * entry : 2 * sizeof(float));
}

std::vector<std::int64_t> SortedSamples::numbers(std::span<const std::uint32_t> chosen) const {
  std::vector<std::int64_t> found(chosen.begin(), chosen.end());
  if (!row_numbers.empty())
    for (std::int64_t& number : found) number = row_numbers[static_cast<std::size_t>(number)];
  return found;
}

void SortedSamples::subtract_centre(FloatMatrix& samples) const {
  if (centre.empty()) return;
  for (std::size_t i = 0; i < samples.rows; ++i)
    for (std::size_t k = 0; k < samples.cols; ++k)
      samples.values[i * samples.cols + k] -= centre[k];
}

void SortedSamples::compare(const Similarity& similarity, MatrixView samples, std::size_t first,
                            MutableMatrixView out, Context& context) const {
  if (centre.empty()) return similarity.apply_range(samples, first, out, context);
  constexpr std::size_t step = 64;
  Vectors<double> vectors(samples.rows, samples.cols);
  for (std::size_t i = 0; i < samples.rows; ++i)
    std::copy_n(samples.row(i), samples.cols, vectors.row(i));
  FloatMatrix some(step, samples.cols);
  std::vector<const float*> rows(step);
  for (std::size_t j = 0; j < step; ++j) rows[j] = std::as_const(some).view().row(j);
  std::vector<double> scratch(common::multiply_scratch(step, samples.rows)),
      products(step * samples.rows);
  for (std::size_t column = 0; column < out.cols; column += step) {
    context.check_stop();
    const std::size_t count = std::min(step, out.cols - column);
    for (std::size_t j = 0; j < count; ++j)
      similarity.kept_basis(first + column + j, some.view().row_span(j));
    common::multiply(common::TallBlock{rows.data(), count, samples.cols}, vectors.row(0),
                     vectors.stride(), samples.rows, scratch.data(), products.data());
    for (std::size_t j = 0; j < count; ++j)
      for (std::size_t i = 0; i < samples.rows; ++i)
        out.row(i)[column + j] = static_cast<float>(products[j * samples.rows + i]);
  }
}

void SortedSamples::set_bases(Similarity& similarity, Context& context) const {
  FloatMatrix values = gather(rows, layout, order);
  subtract_centre(values);
  with_training_rows(order, [&] { similarity.set_bases(values.view(), numbers(order), context); });
  // Before a training that such values would keep from converging; all is checked after it. About a
  // centre, the machine computes in double.
  constexpr std::size_t few = 16;
  if (!centre.empty() || !similarity.abilities().compares_plainly) return;
  const FloatMatrix some = values_at(drawn_sample(order.size(), few));
  const MatrixView bases = std::as_const(values).view();
  try {
    check_similarity(similarity, bases, some.view(), context, lost_kernel_values);
    check_differences(similarity, bases, some.view(), Differences::of_samples_and_bases, context);
  } catch (const Cancelled&) {  // a stop still requires a model
  }
}

std::vector<std::uint32_t> SortedSamples::samples_at(std::span<const std::size_t> places) const {
  std::vector<std::uint32_t> chosen;
  chosen.reserve(places.size());
  for (const std::size_t place : places) chosen.push_back(order[place]);
  return chosen;
}

FloatMatrix SortedSamples::values_at(std::span<const std::size_t> places) const {
  return gather(rows, layout, samples_at(places));
}

void SortedSamples::set_bases(Similarity& similarity, std::span<const std::size_t> places,
                              Context& context) const {
  const std::vector<std::uint32_t> chosen = samples_at(places);
  const FloatMatrix values = gather(rows, layout, chosen);
  with_training_rows(chosen,
                     [&] { similarity.set_bases(values.view(), numbers(chosen), context); });
}

std::vector<double> sample_weights(const TrainingSet& training,
                                   std::span<const std::uint32_t> chosen) {
  std::vector<double> weights(chosen.size(), 1);
  if (training.weights.empty()) return weights;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    weights[i] = training.weights[chosen[i]];
    if (!(weights[i] >= 0) || std::isinf(weights[i]))
      throw RowError(RowError::Of::training, chosen[i], "the weight of ",
                     " (counted from 0) is " + std::to_string(weights[i]) +
                         "; weights must be finite and not negative");
  }
  if (std::ranges::none_of(weights, [](double weight) { return weight > 0; }))
    throw Error("all training rows have the weight 0, so there is nothing to learn from");
  return weights;
}

FloatMatrix gather(const Rows& rows, const Layout& layout, std::span<const std::uint32_t> chosen) {
  std::vector<std::size_t> sizes;
  sizes.reserve(chosen.size());
  for (const std::uint32_t row : chosen) sizes.push_back(rows.view(row, 1).size(0));
  FloatMatrix values = room_for(layout, sizes);
  for (std::size_t i = 0; i < chosen.size(); ++i)
    copy_rows(rows.view(chosen[i], 1), values.view().rows_range(i, 1));
  return values;
}

}  // namespace semblance::kernel

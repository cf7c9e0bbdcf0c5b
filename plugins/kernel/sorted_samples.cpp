// SPDX-License-Identifier: MIT
#include "training_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <numeric>
#include <string>

#include "semblance/collectives.hpp"
#include "semblance/kept_bases.hpp"
#include "semblance/row_error.hpp"
#include "semblance_numerics/padded_vectors.hpp"
#include "skinny_product.hpp"
#include "training_checks.hpp"

namespace semblance::kernel {
namespace {

constexpr std::size_t rows_at_once = 64;

using numerics::Vectors;

FloatMatrix gather(const Rows& rows, const Layout& layout, std::span<const std::uint32_t> chosen) {
  std::vector<std::size_t> sizes;
  sizes.reserve(chosen.size());
  for (const std::uint32_t row : chosen) sizes.push_back(rows.view(row, 1).size(0));
  FloatMatrix values = room_for(layout, sizes);
  for (std::size_t i = 0; i < chosen.size(); ++i)
    copy_rows(rows.view(chosen[i], 1), values.view().rows_range(i, 1));
  return values;
}

/// Runs `body` with a block of these training samples; errors name the samples.
template <class Body>
void with_training_rows(std::span<const std::uint32_t> rows, const Body& body) {
  try {
    body();
  } catch (const RowError& problem) {
    if (problem.of() != RowError::Of::block && problem.of() != RowError::Of::bases) throw;
    throw problem.about(RowError::Of::training, rows[problem.row()]);
  }
}

void symmetrise(FloatMatrix& matrix, Context& context) {
  // Tiles of both triangles together, so that neither is traversed by columns.
  constexpr std::size_t tile = 64;
  const std::size_t n = matrix.rows, tiles = (n + tile - 1) / tile;
  float* const values = matrix.values.data();
  context.parallel_for(tiles, [&](std::size_t t) {
    for (std::size_t u = 0; u <= t; ++u)
      for (std::size_t i = t * tile; i < std::min(n, (t + 1) * tile); ++i)
        for (std::size_t j = u * tile; j < std::min(i, (u + 1) * tile); ++j)
          values[i * n + j] = values[j * n + i] = (values[i * n + j] + values[j * n + i]) / 2;
  });
}

std::string mebibytes(double bytes) {
  return std::to_string(static_cast<std::int64_t>(std::ceil(bytes / (1 << 20)))) + " MiB";
}

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

/// The number of values of each own sample.
std::vector<std::size_t> own_sizes(const Rows& rows, Context& context) {
  const OwnParts own = context.collectives().own(RowParts(rows.rows()));
  std::vector<std::size_t> sizes;
  sizes.reserve(own.rows);
  for (std::size_t row = own.first_row; row < own.end_row(); ++row)
    sizes.push_back(rows.view(row, 1).size(0));
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

SortedRows::SortedRows(const TrainingSet& training, Context& context)
    : rows(training.rows),
      spread(context.collectives().ranks() > 1),
      row_numbers(training.row_numbers),
      order(training.labels.size()),
      starts(training.classes.size() + 1),
      layout(training.layout) {
  for (const std::int32_t label : training.labels) ++starts[static_cast<std::size_t>(label) + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return training.labels[a] < training.labels[b];
  });
  if (training.layout.ragged()) sizes = context.collectives().gather(own_sizes(rows, context));
}

std::size_t SortedRows::values() const noexcept {
  if (sizes.empty()) return rows.rows() * rows.cols();
  return std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
}

std::size_t SortedRows::bytes_with_bases() const noexcept {
  constexpr std::size_t entry = sizeof(float) + sizeof(std::uint32_t);
  return values() * (layout.kind == LayoutKind::sparse ? 3 * entry : 2 * sizeof(float));
}

std::vector<std::int64_t> SortedRows::numbers(std::span<const std::uint32_t> chosen) const {
  std::vector<std::int64_t> found(chosen.begin(), chosen.end());
  if (!row_numbers.empty())
    for (std::int64_t& number : found) number = row_numbers[static_cast<std::size_t>(number)];
  return found;
}

void SortedRows::subtract_centre(FloatMatrix& samples) const {
  if (centre.empty()) return;
  for (std::size_t i = 0; i < samples.rows; ++i)
    for (std::size_t k = 0; k < samples.cols; ++k)
      samples.values[i * samples.cols + k] -= centre[k];
}

void SortedRows::compare(const Similarity& similarity, MatrixView samples, std::size_t first,
                         MutableMatrixView out, Context& context) const {
  if (centre.empty()) return similarity.apply_range(samples, first, out, context);
  constexpr std::size_t step = 64;
  const auto& bases = dynamic_cast<const KeptBases&>(similarity);
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
      bases.kept_basis(first + column + j, some.view().row_span(j));
    common::multiply(common::TallBlock{rows.data(), count, samples.cols}, vectors.row(0),
                     vectors.stride(), samples.rows, scratch.data(), products.data());
    for (std::size_t j = 0; j < count; ++j)
      for (std::size_t i = 0; i < samples.rows; ++i)
        out.row(i)[column + j] = static_cast<float>(products[j * samples.rows + i]);
  }
}

void SortedRows::set_bases(Similarity& similarity, Context& context) const {
  FloatMatrix values = gather(rows, layout, order);
  subtract_centre(values);
  with_training_rows(order, [&] { similarity.set_bases(values.view(), numbers(order), context); });
}

FloatMatrix SortedRows::values_at(std::span<const std::size_t> places, Context& context) const {
  std::vector<std::uint32_t> chosen;
  chosen.reserve(places.size());
  for (const std::size_t place : places) chosen.push_back(order[place]);
  if (!spread) return gather(rows, layout, chosen);
  const std::vector<std::int64_t> positions(chosen.begin(), chosen.end());
  return gather_rows(rows, positions, context);
}

void SortedRows::set_bases(Similarity& similarity, std::span<const std::size_t> places,
                           Context& context) const {
  std::vector<std::uint32_t> chosen;
  chosen.reserve(places.size());
  for (const std::size_t place : places) chosen.push_back(order[place]);
  const std::vector<std::int64_t> positions(chosen.begin(), chosen.end());
  const FloatMatrix values =
      spread ? gather_rows(rows, positions, context) : gather(rows, layout, chosen);
  with_training_rows(chosen,
                     [&] { similarity.set_bases(values.view(), numbers(chosen), context); });
}

void SortedRows::set_own_bases(Similarity& similarity, const OwnParts& own,
                               Context& context) const {
  std::vector<std::uint32_t> chosen;
  chosen.reserve(own.rows);
  std::ranges::copy_if(order, std::back_inserter(chosen),
                       [&](std::uint32_t row) { return own.has_row(row); });
  if (chosen.empty()) return;
  FloatMatrix values = gather(rows, layout, chosen);
  subtract_centre(values);
  with_training_rows(chosen,
                     [&] { similarity.set_bases(values.view(), numbers(chosen), context); });
}

void SimilaritySource::compute(std::span<const std::uint32_t> rows, std::size_t first_column,
                               MutableMatrixView out) const {
  std::vector<std::uint32_t> originals;
  for (const std::uint32_t row : rows) originals.push_back(rows_.order[row]);
  FloatMatrix samples = gather(rows_.rows, rows_.layout, originals);
  rows_.subtract_centre(samples);
  with_training_rows(
      originals, [&] { rows_.compare(similarity_, samples.view(), first_column, out, context_); });
  check_kernel_values(out, originals);
}

FloatMatrix symmetric_part(const Similarity& similarity, const SortedRows& rows, Context& context) {
  const std::size_t n = rows.order.size();
  FloatMatrix matrix(n, n);
  context.parallel_for((n + rows_at_once - 1) / rows_at_once, [&](std::size_t b) {
    context.check_stop();
    const std::size_t first = b * rows_at_once;
    const auto part = std::span(rows.order).subspan(first, std::min(rows_at_once, n - first));
    const FloatMatrix samples = gather(rows.rows, rows.layout, part);
    const MutableMatrixView out = matrix.view().rows_range(first, part.size());
    with_training_rows(part, [&] { similarity.apply(samples.view(), out, context); });
    check_kernel_values(out, part);
  });
  symmetrise(matrix, context);
  return matrix;
}

RepairRecord make_semidefinite(numerics::SpectrumRepair how, double negative_weight,
                               FloatMatrix& matrix, Context& context) {
  RepairRecord record{how, false, {}, numerics::spectrum_tolerance(matrix.view()), negative_weight};
  context.check_stop();
  if (how == numerics::SpectrumRepair::refuse) {
    if (!numerics::positive_semidefinite(matrix.view(), record.tolerance, context))
      throw Error(
          "the similarities of the " + std::to_string(matrix.rows) +
          " training rows are indefinite: an eigenvalue of their matrix is below -" +
          short_number(record.tolerance) +
          ", so the kernel machine's problem is not convex and no solver can guarantee its "
          "optimum; set repair to clip, flip, shift, square or krein, or use the similarities as "
          "features of a linear solver (BE-SVM)");
    record.done = true;
    return record;
  }
  record.spectrum = numerics::spectrum(matrix.view());
  numerics::repair(how, *record.spectrum, matrix.view(), negative_weight);
  record.done = true;
  return record;
}

void check_matrix_memory(numerics::SpectrumRepair how, std::size_t rows, std::size_t bytes,
                         const Context& context) {
  const auto n = static_cast<double>(rows);
  const double samples = static_cast<double>(bytes), matrix = 4 * n * n;
  const double besides = how == numerics::SpectrumRepair::refuse ? 8 * n * n : 40 * n * n;
  const auto budget = static_cast<double>(context.memory_budget());
  constexpr std::size_t most_rows = numerics::most_eigen_order;
  if (samples + matrix + besides <= budget &&
      (how == numerics::SpectrumRepair::refuse || rows <= most_rows))
    return;
  const std::string what =
      how == numerics::SpectrumRepair::refuse
          ? "checking that it is positive semi-definite, which is not known for this kernel, takes "
            "8 n^2"
          : "repairing its spectrum takes 40 n^2";
  throw MemoryError(
      "for n = " + std::to_string(rows) +
      " training rows the kernel's matrix takes 4 n^2 bytes and " + what + ", with the samples " +
      mebibytes(samples + matrix + besides) + ", but " + mebibytes(budget) + " are allowed" +
      (how != numerics::SpectrumRepair::refuse && rows > most_rows
           ? " (and a spectrum is repaired up to " + std::to_string(most_rows) + " rows)"
           : "") +
      "; train on fewer rows, raise --memory or choose a kernel such as similarity/rbf "
      "that needs no repair");
}

}  // namespace semblance::kernel

// SPDX-License-Identifier: MIT
#include "kernel_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <string>

#include "semblance/collectives.hpp"
#include "semblance/error.hpp"
#include "symmetric_matrix.hpp"
#include "training_checks.hpp"

namespace semblance::kernel {
namespace {

// With fewer rows at a time, the bases would be read from memory too often.
constexpr std::size_t fewest_rows_a_task = 16;

constexpr std::size_t rows_at_once = 64;

/// The columns of a part: its values fit into half of a second-level cache of 512 KiB.
std::size_t part_columns(std::size_t rows) {
  constexpr std::size_t values = std::size_t{1} << 16, multiple = 128;
  return std::max(values / std::max<std::size_t>(rows, 1) / multiple, std::size_t{1}) * multiple;
}

std::vector<std::uint32_t> originals_of(const SortedSamples& samples,
                                        std::span<const std::uint32_t> places) {
  std::vector<std::uint32_t> originals;
  originals.reserve(places.size());
  for (const std::uint32_t place : places) originals.push_back(samples.order[place]);
  return originals;
}

FloatMatrix gather_centred(const SortedSamples& samples, std::span<const std::uint32_t> originals) {
  FloatMatrix found = gather(samples.rows, samples.layout, originals);
  samples.subtract_centre(found);
  return found;
}

std::string mebibytes(double bytes) {
  return std::to_string(static_cast<std::int64_t>(std::ceil(bytes / (1 << 20)))) + " MiB";
}

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

}  // namespace

bool SimilaritySource::computes_in_parts() const noexcept {
  return similarity_.compares_few_bases();
}

void SimilaritySource::compute(MatrixView samples, std::span<const std::uint32_t> originals,
                               std::size_t first_column, MutableMatrixView out) const {
  with_training_rows(originals,
                     [&] { rows_.compare(similarity_, samples, first_column, out, context_); });
  check_kernel_values(out, originals);
}

/// A part is multiplied, made kernel values of, and checked, before the next one: rows of a million
/// columns would go through memory each time.
void SimilaritySource::compute(std::span<const std::uint32_t> rows, std::size_t first_column,
                               MutableMatrixView out) const {
  const std::vector<std::uint32_t> originals = originals_of(rows_, rows);
  const FloatMatrix samples = gather_centred(rows_, originals);
  const std::size_t step = computes_in_parts() ? part_columns(rows.size()) : out.cols;
  for (std::size_t j = 0; j < out.cols; j += step)
    compute(samples.view(), originals, first_column + j,
            out.cols_range(j, std::min(step, out.cols - j)));
}

void SimilaritySource::compute_in_parts(std::span<const std::uint32_t> rows,
                                        numerics::Range columns, const TakePart& take) const {
  const std::vector<std::uint32_t> originals = originals_of(rows_, rows);
  const FloatMatrix samples = gather_centred(rows_, originals);
  const std::size_t step =
      computes_in_parts() ? part_columns(rows.size()) : std::max<std::size_t>(columns.count, 1);
  FloatMatrix part(rows.size(), std::min(step, columns.count));
  for (std::size_t j = 0; j < columns.count; j += step) {
    const MutableMatrixView values = part.view().cols_range(0, std::min(step, columns.count - j));
    compute(samples.view(), originals, columns.first + j, values);
    take(columns.first + j, values);
  }
}

bool SimilaritySource::computes_some() const noexcept {
  return similarity_.chooses_bases() && rows_.centre.empty();
}

void SimilaritySource::compute_some(std::span<const std::uint32_t> rows,
                                    std::span<const std::uint32_t> columns,
                                    MutableMatrixView out) const {
  const auto chosen = similarity_.choose_bases(columns);
  context_.parallel_for((rows.size() + rows_at_once - 1) / rows_at_once, [&](std::size_t block) {
    const std::size_t first = block * rows_at_once;
    const std::size_t count = std::min(rows_at_once, rows.size() - first);
    const std::vector<std::uint32_t> originals = originals_of(rows_, rows.subspan(first, count));
    const FloatMatrix samples = gather(rows_.rows, rows_.layout, originals);
    const MutableMatrixView values = out.rows_range(first, count);
    with_training_rows(originals, [&] { chosen->apply(samples.view(), values, context_); });
    check_kernel_values(values, originals);
  });
}

DistributedSource::DistributedSource(Similarity& similarity, const SortedSamples& rows,
                                     Context& context)
    : similarity_(similarity), rows_(rows), context_(context) {
  const Collectives& ranks = context.collectives();
  const RowParts parts(rows.order.size());
  owners_.reserve(ranks.ranks());
  for (std::size_t r = 0; r < ranks.ranks(); ++r)
    owners_.push_back(parts_of(parts, r, ranks.ranks()));
  rows.set_own_bases(similarity, owners_[ranks.rank()], context);
}

std::vector<std::uint32_t> DistributedSource::owners() const {
  std::vector<std::uint32_t> found(rows_.order.size());
  for (std::uint32_t r = 0; r < owners_.size(); ++r)
    for (std::size_t place = 0; place < found.size(); ++place)
      if (owners_[r].has_row(rows_.order[place])) found[place] = r;
  return found;
}

/// Fetches some training samples from the ranks that have them, in one message if they have one
/// size.
FloatMatrix DistributedSource::samples(std::span<const std::uint32_t> training_rows) const {
  const std::vector<std::int64_t> positions(training_rows.begin(), training_rows.end());
  if (!rows_.sizes.empty()) return gather_rows(rows_.rows, positions, context_);
  Collectives& ranks = context_.collectives();
  const std::size_t cols = rows_.rows.cols();
  std::vector<float> own;
  for (const std::uint32_t row : training_rows)
    if (owners_[ranks.rank()].has_row(row)) {
      const MatrixView view = rows_.rows.view(row, 1);
      own.insert(own.end(), view.data, view.data + cols);
    }
  const std::vector<std::byte> sent = ranks.gather(std::as_bytes(std::span(own)));
  FloatMatrix all(training_rows.size(), cols);
  if (sent.size() != std::as_bytes(std::span(all.values)).size())
    throw Error("internal error: rows of other ranks are missing");
  const std::byte* from = sent.data();
  for (const OwnParts& owner : owners_)
    for (std::size_t i = 0; i < training_rows.size(); ++i) {
      if (!owner.has_row(training_rows[i])) continue;
      std::memcpy(all.view().row(i), from, cols * sizeof(float));
      from += cols * sizeof(float);
    }
  return all;
}

void DistributedSource::compute_own(MatrixView samples, std::size_t first_column,
                                    MutableMatrixView out) const {
  if (out.cols == 0) return;
  const std::size_t tasks =
      std::clamp<std::size_t>(samples.rows / fewest_rows_a_task, 1, context_.threads());
  context_.parallel_for(tasks, [&](std::size_t t) {
    const std::size_t first = samples.rows * t / tasks;
    const std::size_t count = samples.rows * (t + 1) / tasks - first;
    rows_.compare(similarity_, samples.rows_range(first, count), first_column,
                  out.rows_range(first, count), context_);
  });
}

/// Reports the first row with a value that is not finite, whichever rank has that column.
void DistributedSource::check(MatrixView values,
                              std::span<const std::uint32_t> training_rows) const {
  std::size_t sound = 0;
  while (sound < values.rows && common::all_finite(values.row_span(sound))) ++sound;
  const std::vector<std::size_t> of_ranks =
      context_.collectives().gather(std::vector<std::size_t>{sound});
  if (const std::size_t first = std::ranges::min(of_ranks); first < values.rows)
    throw_not_finite(training_rows[first]);
}

void DistributedSource::compute(std::span<const std::uint32_t> rows, std::size_t first_column,
                                MutableMatrixView out) const {
  const std::vector<std::uint32_t> originals = originals_of(rows_, rows);
  FloatMatrix samples = this->samples(originals);
  rows_.subtract_centre(samples);
  // Checked here on all ranks alike: a rank without any of the columns would not notice below.
  context_.check_stop();
  compute_own(samples.view(), first_column, out);
  check(out, originals);
}

FloatMatrix symmetric_part(const Similarity& similarity, const SortedSamples& rows,
                           Context& context) {
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
  common::symmetrise_kernel(matrix, rows.order, context);
  return matrix;
}

FloatMatrix whole_matrix(const numerics::KernelSource& source, std::size_t n, Context& context) {
  FloatMatrix matrix(n, n);
  context.parallel_for((n + rows_at_once - 1) / rows_at_once, [&](std::size_t b) {
    context.check_stop();
    const std::size_t first = b * rows_at_once;
    std::vector<std::uint32_t> part(std::min(rows_at_once, n - first));
    std::iota(part.begin(), part.end(), static_cast<std::uint32_t>(first));
    source.compute(part, 0, matrix.view().rows_range(first, part.size()));
  });
  common::symmetrise(matrix, context);
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

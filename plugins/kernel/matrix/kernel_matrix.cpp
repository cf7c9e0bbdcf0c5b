// SPDX-License-Identifier: MIT
#include "matrix/kernel_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>
#include <utility>

#include "matrix/shared_kernel.hpp"
#include "semblance/error.hpp"
#include "semblance/learns_from_samples.hpp"
#include "symmetric_matrix.hpp"
#include "training_checks.hpp"

namespace semblance::kernel {
namespace {

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

/// Rows of all values between n samples.
FloatMatrix all_rows(const numerics::KernelSource& source, std::size_t n, Context& context) {
  FloatMatrix matrix(n, n);
  context.parallel_for((n + rows_at_once - 1) / rows_at_once, [&](std::size_t b) {
    context.check_stop();
    const std::size_t first = b * rows_at_once;
    std::vector<std::uint32_t> part(std::min(rows_at_once, n - first));
    std::iota(part.begin(), part.end(), static_cast<std::uint32_t>(first));
    source.compute(part, 0, matrix.view().rows_range(first, part.size()));
  });
  return matrix;
}

/// Makes the matrix positive semi-definite by the method `how`. Throws Error if `how` is to refuse
/// and the matrix is not positive semi-definite.
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

/// Throws Error with the arithmetic unless the matrix and the check or repair of its spectrum fit
/// into the memory budget, in addition to the given bytes of the samples and the measure's copy.
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

/// The matrix of a kernel that is not known to be positive semi-definite, checked or repaired.
SharedKernel::Whole checked_matrix(const KernelTask& task, const SortedSamples& rows,
                                   Context& context) {
  SharedKernel::Whole made;
  try {
    const SimilaritySource source(task.kernel, rows, context);
    made.values = all_rows(source, rows.order.size(), context);
    common::symmetrise_kernel(made.values, rows.order, context);
    made.repair = make_semidefinite(task.repair, task.negative_weight, made.values, context);
  } catch (const Cancelled&) {
    // The solver notices the stop request before reading any value.
    made = {FloatMatrix(rows.order.size(), rows.order.size()), {}};
  }
  return made;
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

FloatMatrix whole_matrix(const numerics::KernelSource& source, std::size_t n, Context& context) {
  FloatMatrix matrix = all_rows(source, n, context);
  common::symmetrise(matrix, context);
  return matrix;
}

KernelMatrix kernel_matrix(const KernelTask& task, const SortedSamples& rows, Context& context) {
  return kernel_matrix(task, rows, rows.order, context);
}

KernelMatrix kernel_matrix(const KernelTask& task, const SortedSamples& rows,
                           std::span<const std::uint32_t> chosen, Context& context) {
  const std::size_t n = rows.order.size();
  // A kernel that learns from some of the samples has values of its own.
  const bool may_share = task.shared && chosen.size() == n;
  SharedKernel* const shared = may_share && task.shared->fits(rows) ? task.shared : nullptr;
  KernelMatrix made;
  made.bytes = rows.bytes_with_bases();
  if (!task.semidefinite) check_matrix_memory(task.repair, n, made.bytes, context);
  learn_from_samples(task.kernel, rows.rows, chosen, context);
  rows.set_bases(task.kernel, context);
  if (task.semidefinite) {
    made.source = std::make_unique<SimilaritySource>(task.kernel, rows, context);
    if (shared) {
      made.computed = std::move(made.source);
      made.source = std::make_unique<SharingSource>(*made.computed, shared->rows());
    }
  } else {
    const auto make = [&] { return checked_matrix(task, rows, context); };
    SharedKernel::Whole whole = shared ? shared->whole(make) : make();
    made.values = std::move(whole.values);
    made.repair = std::move(whole.repair);
    made.source = std::make_unique<numerics::MatrixSource>(std::as_const(made.values).view());
    made.bytes += n * n * sizeof(float) + (made.repair.spectrum ? n * n * sizeof(double) : 0);
  }
  return made;
}

void report_repair(const RepairRecord& record, bool known, Report& report) {
  if (known) {
    report.text("repair", "not needed: the kernel is positive semi-definite by construction");
    return;
  }
  if (!record.done) return report.text("repair", "not done: stopped earlier");
  constexpr const char* names[] = {
      "none: no eigenvalue is below -tolerance", "clip", "flip", "shift", "square", "krein"};
  report.text("repair", names[static_cast<std::size_t>(record.how)]);
  report.number("eigenvalue_tolerance", record.tolerance);
  if (!record.spectrum) return;
  report.number("smallest_eigenvalue", record.spectrum->values.front());
  report.number("largest_eigenvalue", record.spectrum->values.back());
  report.integer("negative_eigenvalues",
                 static_cast<std::int64_t>(record.spectrum->negative(record.tolerance)));
}

}  // namespace semblance::kernel

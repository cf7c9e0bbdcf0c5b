// SPDX-License-Identifier: MIT
#include "training_matrix.hpp"

#include <string>
#include <utility>

#include "semblance/learns_from_samples.hpp"

namespace semblance::kernel {
namespace {

/// The matrix of a kernel that is not known to be positive semi-definite, checked or repaired.
SharedKernel::Whole checked_matrix(const KernelTask& task, const SortedSamples& rows,
                                   Context& context) {
  SharedKernel::Whole made;
  try {
    made.values = symmetric_part(task.kernel, rows, context);
    made.repair = make_semidefinite(task.repair, task.negative_weight, made.values, context);
  } catch (const Cancelled&) {
    // The solver notices the stop request before reading any value.
    made = {FloatMatrix(rows.order.size(), rows.order.size()), {}};
  }
  return made;
}

}  // namespace

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
    if (shared)
      made.source = std::make_unique<SharingSource>(std::move(made.source), shared->rows());
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

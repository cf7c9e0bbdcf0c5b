// SPDX-License-Identifier: MIT
#include "training_matrix.hpp"

#include <string>
#include <utility>

#include "semblance/collectives.hpp"
#include "semblance/learns_from_samples.hpp"

namespace semblance::kernel {

KernelMatrix kernel_matrix(const KernelTask& task, const SortedSamples& rows, Context& context) {
  return kernel_matrix(task, rows, rows.order, context);
}

KernelMatrix kernel_matrix(const KernelTask& task, const SortedSamples& rows,
                           std::span<const std::uint32_t> chosen, Context& context) {
  const std::size_t n = rows.order.size();
  KernelMatrix made;
  made.bytes = rows.bytes_with_bases();
  if (!task.semidefinite) check_matrix_memory(task.repair, n, made.bytes, context);
  learn_from_samples(task.kernel, rows.rows, chosen, context);
  if (!rows.spread) rows.set_bases(task.kernel, context);
  if (rows.spread) {
    made.bytes /= context.collectives().ranks();
    auto shared = std::make_unique<DistributedSource>(task.kernel, rows, context);
    made.owners = shared->owners();
    made.source = std::move(shared);
  } else if (task.semidefinite) {
    made.source = std::make_unique<SimilaritySource>(task.kernel, rows, context);
  } else {
    try {
      made.values = symmetric_part(task.kernel, rows, context);
      made.repair = make_semidefinite(task.repair, task.negative_weight, made.values, context);
    } catch (const Cancelled&) {
      // The solver notices the stop request before reading any value.
      made.values = FloatMatrix(n, n);
    }
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

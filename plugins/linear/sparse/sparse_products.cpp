// SPDX-License-Identifier: MIT
#include "sparse/sparse_products.hpp"

#include <atomic>

#include "sparse/sparse_sweep.hpp"

namespace semblance::linear {

SparseProducts::SparseProducts(const SparseTask& task, std::size_t tasks, Context& context)
    : task_(task), context_(context), bounds_(balanced_columns(task.task().training.rows, tasks)) {}

bool SparseProducts::multiply(std::span<const std::size_t> rows, const Weights& w,
                              std::vector<double>& out) {
  rows_read_ += static_cast<double>(rows.size()) / 2;
  out.resize(rows.size());
  const std::size_t tasks = bounds_.size() - 1;
  std::atomic<bool> complete{true};
  context_.parallel_for(tasks, [&](std::size_t task) {
    const std::size_t first = rows.size() * task / tasks;
    const std::size_t count = rows.size() * (task + 1) / tasks - first;
    if (!visit(rows.subspan(first, count),
               [&](std::size_t k, const SparseRow& entries) { out[first + k] = w.score(entries); }))
      complete = false;
  });
  return complete;
}

bool SparseProducts::add_rows(std::span<const std::size_t> rows, const std::vector<double>& factors,
                              Weights& out) {
  rows_read_ += static_cast<double>(rows.size()) / 2;
  if (bounds_.size() == 2)
    return visit(rows, [&](std::size_t k, const SparseRow& entries) {
      if (factors[k] != 0) out.add(entries, &factors[k]);
    });
  for (std::size_t k = 0; k < rows.size(); ++k)
    out.of(task_.cols())[0] += task_.bias() * factors[k];
  std::atomic<bool> complete{true};
  context_.parallel_for(bounds_.size() - 1, [&](std::size_t task) {
    if (!visit(rows, [&](std::size_t k, const SparseRow& entries) {
          if (factors[k] == 0) return;
          add_row(entries_within(entries, bounds_[task], bounds_[task + 1]), &factors[k], 1,
                  out.of(0));
        }))
      complete = false;
  });
  return complete;
}

bool SparseProducts::add_gram_product(std::span<const std::size_t> rows,
                                      const std::vector<double>& factors, const Weights& w,
                                      Weights& out) {
  if (bounds_.size() == 2) {
    rows_read_ += static_cast<double>(rows.size());
    return visit(rows, [&](std::size_t k, const SparseRow& entries) {
      const double factor = w.score(entries) * factors[k];
      out.add(entries, &factor);
    });
  }
  std::vector<double> products;
  if (!multiply(rows, w, products)) return false;
  for (std::size_t k = 0; k < products.size(); ++k) products[k] *= factors[k];
  return add_rows(rows, products, out);
}

bool SparseProducts::add_gram_diagonal(std::span<const std::size_t> rows,
                                       const std::vector<double>& factors, Weights& out) {
  rows_read_ += static_cast<double>(rows.size()) / 2;
  return visit(rows, [&](std::size_t k, const SparseRow& entries) {
    for (std::size_t i = 0; i < entries.size; ++i)
      out.of(entries.columns[i])[0] +=
          factors[k] * double{entries.values[i]} * double{entries.values[i]};
    out.of(task_.cols())[0] += factors[k] * task_.bias() * task_.bias();
  });
}

bool SparseProducts::visit(std::span<const std::size_t> rows, const Visit& body) const {
  if (rows.empty()) return true;
  std::size_t k = 0;
  return task_.visit(context_, rows,
                     [&](std::size_t, const SparseRow& entries) { body(k++, entries); });
}

double squared_norm(const LaneWeights<double>& w) {
  double sum = 0;
  for (std::size_t j = 0; j < w.columns(); ++j) sum += w.of(j)[0] * w.of(j)[0];
  return sum;
}

}  // namespace semblance::linear

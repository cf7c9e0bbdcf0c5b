// SPDX-License-Identifier: MIT
#include "sparse/sparse_products.hpp"

#include <atomic>
#include <numeric>

#include "sparse/sparse_sweep.hpp"

namespace semblance::linear {

SparseProducts::SparseProducts(const SparseTask& task, std::size_t tasks, Context& context)
    : task_(task), context_(context), bounds_(balanced_columns(task.task().training.rows, tasks)) {}

bool SparseProducts::multiply(std::span<const std::size_t> rows, const Weights& w,
                              std::vector<double>& out) {
  rows_read_ += static_cast<double>(rows.size()) / 2;
  out.resize(rows.size());
  const double along = at_centre(w);
  const std::size_t tasks = bounds_.size() - 1;
  std::atomic<bool> complete{true};
  context_.parallel_for(tasks, [&](std::size_t task) {
    const std::size_t first = rows.size() * task / tasks;
    const std::size_t count = rows.size() * (task + 1) / tasks - first;
    if (!visit(rows.subspan(first, count), [&](std::size_t k, const SparseRow& entries) {
          out[first + k] = w.score(entries) - along;
        }))
      complete = false;
  });
  return complete;
}

bool SparseProducts::add_rows(std::span<const std::size_t> rows, const std::vector<double>& factors,
                              Weights& out) {
  rows_read_ += static_cast<double>(rows.size()) / 2;
  std::atomic<bool> complete{true};
  const bool shared = bounds_.size() > 2;
  if (!shared)
    complete = visit(rows, [&](std::size_t k, const SparseRow& entries) {
      if (factors[k] != 0) out.add(entries, &factors[k]);
    });
  for (std::size_t k = 0; shared && k < rows.size(); ++k)
    out.of(task_.cols())[0] += task_.bias() * factors[k];
  context_.parallel_for(shared ? bounds_.size() - 1 : 0, [&](std::size_t task) {
    if (!visit(rows, [&](std::size_t k, const SparseRow& entries) {
          if (factors[k] == 0) return;
          add_row(entries_within(entries, bounds_[task], bounds_[task + 1]), &factors[k], 1,
                  out.of(0));
        }))
      complete = false;
  });
  subtract_centre(std::accumulate(factors.begin(), factors.end(), 0.0), out);
  return complete;
}

bool SparseProducts::add_gram_product(std::span<const std::size_t> rows,
                                      const std::vector<double>& factors, const Weights& w,
                                      Weights& out) {
  if (bounds_.size() == 2) {
    rows_read_ += static_cast<double>(rows.size());
    const double along = at_centre(w);
    double sum = 0;
    const bool complete = visit(rows, [&](std::size_t k, const SparseRow& entries) {
      const double factor = (w.score(entries) - along) * factors[k];
      sum += factor;
      out.add(entries, &factor);
    });
    subtract_centre(sum, out);
    return complete;
  }
  std::vector<double> products;
  if (!multiply(rows, w, products)) return false;
  for (std::size_t k = 0; k < products.size(); ++k) products[k] *= factors[k];
  return add_rows(rows, products, out);
}

bool SparseProducts::add_gram_diagonal(std::span<const std::size_t> rows,
                                       const std::vector<double>& factors, Weights& out) {
  rows_read_ += static_cast<double>(rows.size()) / 2;
  const std::span<const double> m = task_.centre().of_column;
  const double sum = std::accumulate(factors.begin(), factors.end(), 0.0);
  for (std::size_t j = 0; j < m.size(); ++j) out.of(j)[0] += sum * m[j] * m[j];
  return visit(rows, [&](std::size_t k, const SparseRow& entries) {
    for (std::size_t i = 0; i < entries.size; ++i) {
      const double x = entries.values[i], twice = m.empty() ? 0 : 2 * m[entries.columns[i]];
      out.of(entries.columns[i])[0] += factors[k] * x * (x - twice);
    }
    out.of(task_.cols())[0] += factors[k] * task_.bias() * task_.bias();
  });
}

/// w.m
double SparseProducts::at_centre(const Weights& w) const {
  const std::span<const double> m = task_.centre().of_column;
  double sum = 0;
  for (std::size_t j = 0; j < m.size(); ++j) sum += w.of(j)[0] * m[j];
  return sum;
}

/// w -= factor m
void SparseProducts::subtract_centre(double factor, Weights& w) const {
  const std::span<const double> m = task_.centre().of_column;
  for (std::size_t j = 0; j < m.size(); ++j) w.of(j)[0] -= factor * m[j];
}

bool SparseProducts::visit(std::span<const std::size_t> rows, const Visit& body) const {
  if (rows.empty()) return true;
  std::size_t k = 0;
  return task_.visit(context_, rows,
                     [&](std::size_t, const SparseRow& entries) { body(k++, entries); });
}

double squared_norm(const LaneWeights& w) {
  double sum = 0;
  for (std::size_t j = 0; j < w.columns(); ++j) sum += w.of(j)[0] * w.of(j)[0];
  return sum;
}

}  // namespace semblance::linear

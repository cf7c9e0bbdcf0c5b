// SPDX-License-Identifier: MIT
#include "newton/vec_trick.hpp"

#include <algorithm>
#include <string>

#include "newton/products.hpp"
#include "semblance/error.hpp"
#include "semblance_numerics/blas.hpp"
#include "training/training_pairs.hpp"

namespace semblance::pairs {
namespace {

constexpr std::size_t tile = 64;
constexpr std::size_t dense_tile = 128;
/// A product of matrices takes about a tenth of the time per operation.
constexpr double dense_advantage = 8;
constexpr std::size_t pairs_at_once = 1024;

std::size_t tiles(std::size_t n, std::size_t size = tile) { return (n + size - 1) / size; }

/// c = a b^T, with m and n rows of k values, in tiles.
void multiply_tiles(const double* a, std::size_t m, const double* b, std::size_t n, std::size_t k,
                    double* c, Context& context) {
  const std::size_t across = tiles(n, dense_tile);
  context.parallel_for(tiles(m, dense_tile) * across, [&](std::size_t task) {
    const std::size_t i = task / across * dense_tile, j = task % across * dense_tile;
    const std::size_t height = std::min(dense_tile, m - i), width = std::min(dense_tile, n - j);
    for (std::size_t row = i; row < i + height; ++row) std::fill_n(c + row * n + j, width, 0.0);
    numerics::blas::add_product(height, width, k, a + i * k, b + j * k, k, c + i * n + j, n);
  });
}

}  // namespace

VecTrick::VecTrick(SquareMatrix k, SquareMatrix g, PairIndex pairs, Context& context)
    : k_(std::move(k)), g_(std::move(g)), pairs_(std::move(pairs)) {
  use_one_blas_thread();
  const double values = double(k_.order) * double(g_.order);
  dense_ = values <= dense_advantage * double(pairs_.pairs());
  const double bytes = (dense_ ? 3.0 : 2.0) * sizeof(double) * values;
  if (bytes > static_cast<double>(context.memory_budget()))
    throw MemoryError("products of " + std::to_string(k_.order) + " first and " +
                      std::to_string(g_.order) + " second samples take " + (dense_ ? "24" : "16") +
                      " bytes for each of both, " + mebibytes(static_cast<std::size_t>(bytes)) +
                      ", but " + std::to_string(context.memory_budget() >> 20) +
                      " MiB are allowed; train on pairs of fewer samples, or raise --memory");
  by_second_.resize(k_.order * g_.order);
  by_first_.resize(k_.order * g_.order);
  if (dense_) {
    all_.resize(k_.order * g_.order);
    return;
  }
  begins_.assign(g_.order + 1, 0);
  for (const std::uint32_t b : pairs_.second) ++begins_[b + 1];
  for (std::size_t b = 0; b < g_.order; ++b) begins_[b + 1] += begins_[b];
  order_.resize(pairs_.pairs());
  std::vector<std::size_t> next(begins_.begin(), begins_.end() - 1);
  for (std::size_t j = 0; j < pairs_.pairs(); ++j)
    order_[next[pairs_.second[j]]++] = static_cast<std::uint32_t>(j);
}

void VecTrick::product(std::span<const double> v, std::span<double> u, Context& context) {
  dense_ ? multiply_densely(v, u, context) : multiply_sparsely(v, u, context);
}

void VecTrick::multiply_chosen(std::span<const std::uint32_t> chosen, std::span<const double> v,
                               Context& context) {
  spread_.assign(pairs(), 0);
  products_.resize(pairs());
  for (std::size_t k = 0; k < chosen.size(); ++k) spread_[chosen[k]] = v[k];
  product(spread_, products_, context);
}

bool VecTrick::add(std::span<const std::uint32_t> chosen, std::span<const double> factors,
                   std::span<double> sums, Context& context) {
  multiply_chosen(chosen, factors, context);
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += products_[i];
  return context.stop_requested() == StopReason::none;
}

void VecTrick::multiply(const std::vector<double>& v, std::vector<double>& out, Context& context) {
  multiply_chosen(chosen_, v, context);
  out.resize(v.size());
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = products_[chosen_[k]];
}

void VecTrick::multiply_densely(std::span<const double> v, std::span<double> u, Context& context) {
  const std::size_t m = k_.order, q = g_.order;
  std::ranges::fill(by_second_, 0.0);
  for (std::size_t j = 0; j < pairs(); ++j)
    by_second_[pairs_.second[j] * m + pairs_.first[j]] += v[j];
  multiply_tiles(k_.values.data(), m, by_second_.data(), q, m, by_first_.data(), context);
  multiply_tiles(by_first_.data(), m, g_.values.data(), q, q, all_.data(), context);
  for (std::size_t i = 0; i < pairs(); ++i) u[i] = all_[pairs_.first[i] * q + pairs_.second[i]];
}

void VecTrick::multiply_sparsely(std::span<const double> v, std::span<double> u, Context& context) {
  const std::size_t m = k_.order, q = g_.order;
  context.parallel_for(q, [&](std::size_t b) {
    double* const to = by_second_.data() + b * m;
    std::fill_n(to, m, 0.0);
    for (std::size_t at = begins_[b]; at < begins_[b + 1]; ++at)
      if (const std::uint32_t j = order_[at]; v[j] != 0)
        add_scaled(v[j], k_.row(pairs_.first[j]), to, m);
  });
  context.parallel_for(tiles(m), [&](std::size_t t) {
    const std::size_t end = std::min(m, (t + 1) * tile);
    for (std::size_t low = 0; low < q; low += tile)
      for (std::size_t a = t * tile; a < end; ++a)
        for (std::size_t b = low; b < std::min(q, low + tile); ++b)
          by_first_[a * q + b] = by_second_[b * m + a];
  });
  context.parallel_for((pairs() + pairs_at_once - 1) / pairs_at_once, [&](std::size_t block) {
    const std::size_t end = std::min(pairs(), (block + 1) * pairs_at_once);
    for (std::size_t i = block * pairs_at_once; i < end; ++i)
      u[i] = dot(by_first_.data() + pairs_.first[i] * q, g_.row(pairs_.second[i]), q);
  });
}

double VecTrick::row_product(std::size_t i, std::span<const double> v) const {
  const double* const k = k_.row(pairs_.first[i]);
  const double* const g = g_.row(pairs_.second[i]);
  double sum = 0;
  for (std::size_t j = 0; j < pairs(); ++j) sum += k[pairs_.first[j]] * g[pairs_.second[j]] * v[j];
  return sum;
}

}  // namespace semblance::pairs

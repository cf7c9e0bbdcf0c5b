// SPDX-License-Identifier: MIT
#include "newton/pair_preconditioner.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>

#include "newton/products.hpp"
#include "semblance/error.hpp"
#include "training/pair_shares.hpp"

namespace semblance::pairs {
namespace {

// Above this size, the eigenvectors would cost more than the iterations that they save.
constexpr std::size_t most_columns = 3000;

}  // namespace

PairPreconditioner::PairPreconditioner(const PairSpace& space, double cost, Context& context)
    : space_(space), cost_(cost), context_(context), parts_(space.parts().size()) {}

void PairPreconditioner::update(double active, const std::vector<double>& degrees,
                                const std::vector<double>& sum) {
  current_ = active;
  // If no pair has a loss, the Hessian is the identity.
  if (active == 0 || (learned_ > 0 && current_ > 0.4 * learned_)) return;
  learned_ = current_;
  const auto decompose = [](std::vector<float> matrix, std::size_t m) {
    Block block;
    try {
      block = numerics::symmetric_eigen(std::move(matrix), m);
    } catch (const Error&) {  // without this part of it: more iterations, the same optimum
    }
    for (float& value : block.values) value = std::max(value, 0.0F);
    return block;
  };
  for (std::size_t t = 0; t < parts_.size(); ++t) {
    const FormPart& part = space_.parts()[t];
    const Factor& factor = *part.factor;
    const std::size_t n = factor.rows, m = factor.cols;
    if (m > most_columns) continue;
    if (part.tensor() || part.direct()) {
      std::vector<float> scaled(n * m), moment(m * m);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < m; ++k)
          scaled[i * m + k] =
              static_cast<float>(degrees[i] / (2 * learned_)) * factor.singles[i * m + k];
      PairShares::even(m, context_.collectives())
          .compute_rows(moment.data(), m, context_, [&](std::size_t from, std::size_t count) {
            multiply(CblasTrans, CblasNoTrans, {count, m, n}, factor.singles.data() + from, m,
                     scaled.data(), m, moment.data() + from * m, m);
          });
      parts_[t].tensor = decompose(std::move(moment), m);
      if (part.direct()) parts_[t].direct = parts_[t].tensor;
      if (!part.tensor()) parts_[t].tensor = {};
    }
    if (part.metric()) {
      std::vector<float> moment(m * m);
      const double factor_of = 2 / std::sqrt(part.weights.metric_learning) / learned_;
      for (std::size_t k = 0; k < m * m; ++k)
        moment[k] = static_cast<float>(factor_of * sum[space_.offsets(t).metric + k]);
      parts_[t].metric = decompose(std::move(moment), m);
    }
  }
}

void PairPreconditioner::solve(const Block& block, double factor, const double* r,
                               double* out) const {
  const std::size_t m = block.values.size();
  const float* const vectors = block.vectors.data();
  std::vector<float> v(r, r + m * m), turned(m * m);
  const PairShares shares = PairShares::even(m, context_.collectives());
  // Rows of D o (V v V') V, then V' times all of them.
  shares.compute_rows(turned.data(), m, context_, [&](std::size_t from, std::size_t count) {
    std::vector<float> product(count * m), rotated(count * m);
    multiply(CblasNoTrans, CblasNoTrans, {count, m, m}, vectors + from * m, m, v.data(), m,
             product.data(), m);
    multiply(CblasNoTrans, CblasTrans, {count, m, m}, product.data(), m, vectors, m, rotated.data(),
             m);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < m; ++j)
        rotated[i * m + j] /=
            1 + static_cast<float>(factor) * block.values[from + i] * block.values[j];
    multiply(CblasNoTrans, CblasNoTrans, {count, m, m}, rotated.data(), m, vectors, m,
             turned.data() + from * m, m);
  });
  shares.compute_rows(v.data(), m, context_, [&](std::size_t from, std::size_t count) {
    multiply(CblasTrans, CblasNoTrans, {count, m, m}, vectors + from, m, turned.data(), m,
             v.data() + from * m, m);
  });
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j) out[i * m + j] = (double(v[i * m + j]) + v[j * m + i]) / 2;
}

void PairPreconditioner::apply(const std::vector<double>& r, std::vector<double>& out) const {
  out = r;
  for (std::size_t t = 0; t < parts_.size(); ++t) {
    const FormPart& part = space_.parts()[t];
    const PairSpace::Offsets& at = space_.offsets(t);
    const PairKernelSum::Weights& weights = part.weights;
    if (!parts_[t].tensor.values.empty())
      solve(parts_[t].tensor, 2 * cost_ * weights.tensor_learning * current_, r.data() + at.tensor,
            out.data() + at.tensor);
    if (!parts_[t].metric.values.empty())
      solve(parts_[t].metric, cost_ * weights.metric_learning * current_, r.data() + at.metric,
            out.data() + at.metric);
    const Block& direct = parts_[t].direct;
    if (direct.values.empty()) continue;
    const std::size_t m = direct.values.size();
    std::vector<float> v(r.data() + at.direct, r.data() + at.direct + m), rotated(m);
    cblas_sgemv(CblasRowMajor, CblasNoTrans, narrow(m), narrow(m), 1, direct.vectors.data(),
                narrow(m), v.data(), 1, 0, rotated.data(), 1);
    const auto factor = static_cast<float>(2 * cost_ * weights.symmetric_direct_sum * current_);
    for (std::size_t i = 0; i < m; ++i) rotated[i] /= 1 + factor * direct.values[i];
    cblas_sgemv(CblasRowMajor, CblasTrans, narrow(m), narrow(m), 1, direct.vectors.data(),
                narrow(m), rotated.data(), 1, 0, v.data(), 1);
    std::copy(v.begin(), v.end(), out.begin() + static_cast<std::ptrdiff_t>(at.direct));
  }
}

}  // namespace semblance::pairs

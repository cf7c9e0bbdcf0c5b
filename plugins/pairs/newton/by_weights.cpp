// SPDX-License-Identifier: MIT
#include <cblas.h>

#include <algorithm>
#include <cmath>

#include "newton/newton_method.hpp"
#include "newton/pair_products.hpp"
#include "newton/products.hpp"
#include "semblance/error.hpp"
#include "semblance_numerics/symmetric_eigen.hpp"
#include "training/pair_shares.hpp"

namespace semblance::pairs {
namespace {

// Above this size, the eigenvectors would cost more than the iterations that they save.
constexpr std::size_t most_columns = 3000;

/// An approximation of the inverse of H = I + 2C sum_A (Phi - mean)(Phi - mean)' that treats the
/// two examples of active pairs as independent, block by block: with N = 1/2 Z' diag(degrees) Z the
/// second moment of the ends, K_TL's block becomes V + 2C N V N / |A|; with N = sum_A (z_i -
/// z_j)(z_i - z_j)' K_ML's becomes V + C N V N / |A|, its mean removed (Isserlis); K_SD's becomes I
/// + C Z' diag(degrees) Z. In N's eigenvectors all are diagonal.
class PairPreconditioner {
 public:
  /// In the eigenvectors of N, whose eigenvalues are at least 0, all blocks are diagonal.
  using Block = numerics::SymmetricEigen<float>;
  struct Part {
    Block tensor, metric, direct;
  };

  PairPreconditioner(const PairSpace& space, double cost, Context& context)
      : space_(space), cost_(cost), context_(context), parts_(space.parts().size()) {}

  /// Learns from the active pairs: their number, the number of pairs per example, and the sum of
  /// their features. Retains its data unless the pairs have become far fewer. Collective.
  void update(double active, const std::vector<double>& degrees, const std::vector<double>& sum) {
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

  /// out = approximately H^-1 r. Collective.
  void apply(const std::vector<double>& r, std::vector<double>& out) const {
    out = r;
    for (std::size_t t = 0; t < parts_.size(); ++t) {
      const FormPart& part = space_.parts()[t];
      const PairSpace::Offsets& at = space_.offsets(t);
      const PairKernelSum::Weights& weights = part.weights;
      if (!parts_[t].tensor.values.empty())
        solve(parts_[t].tensor, 2 * cost_ * weights.tensor_learning * current_,
              r.data() + at.tensor, out.data() + at.tensor);
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

 private:
  void solve(const Block& block, double factor, const double* r, double* out) const {
    const std::size_t m = block.values.size();
    const float* const vectors = block.vectors.data();
    std::vector<float> v(r, r + m * m), turned(m * m);
    const PairShares shares = PairShares::even(m, context_.collectives());
    // Rows of D o (V v V') V, then V' times all of them.
    shares.compute_rows(turned.data(), m, context_, [&](std::size_t from, std::size_t count) {
      std::vector<float> product(count * m), rotated(count * m);
      multiply(CblasNoTrans, CblasNoTrans, {count, m, m}, vectors + from * m, m, v.data(), m,
               product.data(), m);
      multiply(CblasNoTrans, CblasTrans, {count, m, m}, product.data(), m, vectors, m,
               rotated.data(), m);
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
      for (std::size_t j = 0; j < m; ++j)
        out[i * m + j] = (double(v[i * m + j]) + v[j * m + i]) / 2;
  }

  const PairSpace& space_;
  double cost_;
  Context& context_;
  std::vector<Part> parts_;
  double learned_ = 0;  // pairs when the eigenvectors were computed
  double current_ = 0;  // pairs now
};

/// The weights w of a PairSpace, with products in float32 inside conjugate gradients.
class WeightVectors : public PlainVectors {
 public:
  using Slack = float;

  WeightVectors(const PairSpace& space, const PairTable& table, const PairShares& shares,
                const NewtonOptions& options, Context& context)
      : w(space.dimension()),
        table_(table),
        shares_(shares),
        options_(options),
        context_(context),
        exact_(space, shares, context),
        fast_(space, shares, context),
        preconditioner_(space, options.cost, context),
        weights_(shares.own().size()) {}

  bool begin_values() { return exact_.set_point(w); }
  void values(std::size_t block, double* f) const { exact_.values(block, table_, f); }
  double square() const { return dot(w, w); }

  void begin_sums(const PairTable& active, double weight) {
    active_ = &active;
    active_weight_ = weight;
    exact_.begin_sum(false);
    fast_.begin_sum(true);
  }
  void add(std::size_t block, std::span<const float>, const std::vector<double>& coefficients,
           std::vector<float> weights) {
    exact_.add(block, *active_, coefficients.data());
    fast_.add(block, *active_, weights.data());
    if (!options_.weights.equal()) weights_[shares_.index(block)] = std::move(weights);
  }
  bool end_sums(Vector& gradient) {
    if (!exact_.end_sum(gradient) || !fast_.end_sum(active_sum_)) return false;
    for (std::size_t k = 0; k < gradient.size(); ++k)
      gradient[k] = w[k] - 2 * options_.cost * gradient[k];
    return true;
  }
  double distance_square(const Vector& gradient) const {
    double square = 0;
    for (std::size_t k = 0; k < gradient.size(); ++k) {
      const double x = w[k] - gradient[k];
      square += x * x;
    }
    return square;
  }

  Vector begin_direction(const Vector& gradient, Vector& direction) {
    preconditioner_.update(active_weight_, fast_.degrees(), active_sum_);
    direction.assign(gradient.size(), 0);
    Vector residual(gradient.size());
    for (std::size_t k = 0; k < residual.size(); ++k) residual[k] = -gradient[k];
    return residual;
  }
  bool precondition(const Vector& residual, Vector& z) const {
    preconditioner_.apply(residual, z);
    return true;
  }

  /// out = H v with H = I + 2C sum_A u (Phi - mean)(Phi - mean)'.
  bool multiply(const Vector& v, Vector& out) {
    const auto mean = static_cast<float>(mean_of(v));
    if (!fast_.set_point(v)) return false;
    fast_.begin_sum(false);
    context_.parallel_for(shares_.own().size(), [&](std::size_t own) {
      if (context_.stop_requested() != StopReason::none) return;
      const std::size_t b = shares_.own()[own];
      std::vector<float> f(active_->start(shares_.end(b)) - active_->start(shares_.first(b)));
      fast_.values(b, *active_, f.data());
      const std::vector<float>& weights = weights_[own];
      const auto same = static_cast<float>(options_.weights.same);
      for (std::size_t k = 0; k < f.size(); ++k)
        f[k] = (weights.empty() ? same : weights[k]) * (f[k] - mean);
      fast_.add(b, *active_, f.data());
    });
    if (context_.stop_requested() != StopReason::none || !fast_.end_sum(out)) return false;
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = v[k] + 2 * options_.cost * out[k];
    ++products_;
    return true;
  }

  std::size_t products() const noexcept { return products_; }

  bool begin_steps(const Vector& direction, double& mean) {
    mean = mean_of(direction);
    return fast_.set_point(direction);
  }
  void steps(std::size_t block, float* out) const { fast_.values(block, table_, out); }
  Slopes line(const Vector& direction) const {
    return {dot(w, direction), dot(direction, direction)};
  }
  void move(double t, const Vector& direction) { PlainVectors::add(t, direction, w); }

  using PlainVectors::add;

  Vector w;

 private:
  /// Of the values of the active pairs, weighted.
  double mean_of(const Vector& v) const {
    return dot(active_sum_, v) / (active_weight_ > 0 ? active_weight_ : 1);
  }

  const PairTable& table_;
  const PairShares& shares_;
  const NewtonOptions& options_;
  Context& context_;
  PairProducts<double> exact_;
  PairProducts<float> fast_;
  PairPreconditioner preconditioner_;
  const PairTable* active_ = nullptr;
  double active_weight_ = 0;
  std::vector<std::vector<float>>
      weights_;        // of the active pairs of each own block, if they differ
  Vector active_sum_;  // of the active pairs' features, weighted
  std::size_t products_ = 0;
};

}  // namespace

NewtonSolution minimise_by_weights(const PairSpace& space, const LabelledPairs& pairs,
                                   const PairShares& shares, const NewtonOptions& options,
                                   Context& context) {
  use_one_blas_thread();
  WeightVectors weights(space, pairs.table, shares, options, context);
  NewtonSolution solution = Newton<WeightVectors>(weights, pairs, shares, options, context).run();
  solution.w = std::move(weights.w);
  return solution;
}

}  // namespace semblance::pairs

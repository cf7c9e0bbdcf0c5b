// SPDX-License-Identifier: MIT
#include "newton/newton_method.hpp"
#include "newton/pair_preconditioner.hpp"
#include "newton/pair_products.hpp"

namespace semblance::pairs {
namespace {

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
  bool multiply(const Vector& v, Vector& out);
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

/// out = H v with H = I + 2C sum_A u (Phi - mean)(Phi - mean)'.
bool WeightVectors::multiply(const Vector& v, Vector& out) {
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

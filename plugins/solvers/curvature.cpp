// SPDX-License-Identifier: MIT
#include "curvature.hpp"

#include <algorithm>
#include <string>

namespace semblance::solvers {
namespace {

// Rows without a loss have no curvature where they are, but soon have where a column is used by
// few rows: a little of theirs keeps steps, measured in the preconditioner's norm, within reach.
constexpr float inactive_share = 0.01F;

// Sampled rows a dimension: enough for a Cholesky factor to be a good approximation.
constexpr std::size_t rows_a_dimension = 4;

// The shared preconditioner may cost about as much as so many Hessian products.
constexpr std::size_t worth_products = 16;

}  // namespace

Curvature::Curvature(SquaredHinge& problem, PreconditionerKind kind, std::size_t memory,
                     Context& context)
    : problem_(problem),
      context_(context),
      memory_(memory),
      product_cost_(2 * static_cast<double>(problem.data().rows.rows()) *
                    static_cast<double>(problem.dimension())),
      spent_(problem.problems()),
      own_(problem.problems()) {
  const std::size_t d = problem.dimension();
  const std::size_t needed = cholesky_bytes(d, context.threads());
  const auto mib = [](std::size_t bytes) { return std::to_string(bytes >> 20) + " MiB"; };
  if (kind == PreconditionerKind::cholesky && needed > memory)
    throw Error("a Cholesky preconditioner for " + std::to_string(d) + " columns takes " +
                mib(needed) + ", of the memory budget " + mib(memory) +
                " are left; raise --memory or set preconditioner: diagonal");
  const double all_products = product_cost_ * static_cast<double>(problem.problems());
  const bool worth = cholesky_cost(0, d) < 100 * all_products;
  cholesky_ = kind == PreconditionerKind::cholesky ||
              (kind == PreconditionerKind::automatic && needed <= memory && worth);
  context.log(LogLevel::debug, std::string(cholesky_ ? "Cholesky" : "diagonal") +
                                   " preconditioner; Cholesky would take " + mib(needed) + " of " +
                                   mib(memory));
}

bool Curvature::update(SquaredHinge::Live live) {
  if (!shared_) return build_shared(live);
  if (!cholesky_) return true;
  const std::size_t d = problem_.dimension();
  for (const std::size_t c : live) {
    if (spent_[c] < cholesky_cost(0, d)) continue;
    const std::vector<float> shares = problem_.active_shares(std::vector<std::size_t>{c});
    const auto active = static_cast<double>(std::count(shares.begin(), shares.end(), 1.0F));
    if (spent_[c] < cholesky_cost(active, d) || (!own_[c] && !fits())) continue;
    if (!build_own(c, shares)) return false;
  }
  return true;
}

bool Curvature::build_shared(SquaredHinge::Live live) {
  const auto& data = problem_.data();
  const std::vector<float> shares = problem_.active_shares(live);
  const std::size_t rows = data.rows.rows(), d = problem_.dimension();
  const std::size_t wanted =
      std::max(rows_a_dimension * d, 4 * worth_products * rows * live.size() / d);
  const auto nonzero = static_cast<std::size_t>(
      std::count_if(shares.begin(), shares.end(), [](float s) { return s > 0; }));
  double total = 0;
  for (const float s : shares) total += s;
  const double stretch = nonzero > wanted ? total / static_cast<double>(wanted) : 0;
  const HessianSample sample{data.rows, shares, data.cost, data.bias, stretch};
  if (!cholesky_) {
    shared_ = diagonal_preconditioner(sample, context_);
    return shared_ != nullptr;
  }
  std::vector<double> sum = hessian_sum(sample, context_);
  if (sum.empty()) return false;
  all_rows_.assign(sum.begin(), sum.end());
  shared_ = cholesky_preconditioner(std::move(sum), d);
  return true;
}

bool Curvature::build_own(std::size_t problem, const std::vector<float>& shares) {
  const auto& data = problem_.data();
  std::vector<double> sum = hessian_sum({data.rows, shares, data.cost, data.bias, 0}, context_);
  if (sum.empty()) return false;
  for (std::size_t i = 0; i < sum.size(); ++i)
    sum[i] = (1 - inactive_share) * sum[i] + inactive_share * double{all_rows_[i]};
  own_[problem] = cholesky_preconditioner(std::move(sum), problem_.dimension());
  spent_[problem] = 0;
  return true;
}

bool Curvature::fits() const {
  const std::size_t d = problem_.dimension();
  const auto kept = static_cast<std::size_t>(
      1 + std::count_if(own_.begin(), own_.end(), [](const auto& p) { return p != nullptr; }));
  return kept * cholesky_kept_bytes(d) + d * d * sizeof(float) +
             cholesky_bytes(d, context_.threads()) <=
         memory_;
}

void Curvature::apply(const Vectors<double>& r, SquaredHinge::Live live,
                      Vectors<double>& out) const {
  std::vector<std::size_t> common, single;
  for (const std::size_t c : live) (own_[c] ? single : common).push_back(c);
  if (!common.empty()) shared_->apply(r, common, out, context_);
  context_.parallel_for(single.size(), [&](std::size_t i) {
    own_[single[i]]->apply(r, SquaredHinge::Live(&single[i], 1), out, context_);
  });
}

}  // namespace semblance::solvers

// SPDX-License-Identifier: MIT
#include "semblance_numerics/squared_losses.hpp"

#include <cmath>
#include <limits>

namespace semblance::numerics {
namespace {

/// The slack that counts for the slope of the loss.
template <class L>
double capped(const L& losses, std::size_t problem, LossPoint at) noexcept {
  const double lost = std::max(0.0, at.slack);
  if constexpr (!L::capped) return lost;
  return std::min(lost, losses.cap(problem, at.sign));
}
template <class L>
double loss_of(const L& losses, std::size_t problem, LossPoint at) noexcept {
  const double lost = capped(losses, problem, at);
  if constexpr (!L::capped) return lost * lost;
  return lost > 0 ? lost * (2 * at.slack - lost) : 0;
}
template <class L>
bool is_active(const L& losses, std::size_t problem, LossPoint at) noexcept {
  if constexpr (!L::capped) return at.slack > 0;
  return at.slack > 0 && at.slack < losses.cap(problem, at.sign);
}

}  // namespace

SquaredLosses::SquaredLosses(Data data, Context& context)
    : data_(std::move(data)),
      context_(context),
      costs_(std::visit([](const auto& losses) { return losses.problems(); }, data_.losses)),
      parts_(data_.samples),
      own_(context.collectives().own(parts_)),
      values_(own_.rows * problems()),
      step_(values_.size()),
      intercepts_(problems()),
      intercept_steps_(problems()) {
  for (std::size_t c = 0; c < costs_.size(); ++c) costs_[c] = cost(c);
}

/// body(losses, sample) for the own samples, in parallel by parts.
template <class Body>
void SquaredLosses::for_samples(const Body& body) const {
  std::visit(
      [&](const auto& losses) {
        context_.parallel_for(own_.count, [&](std::size_t p) {
          const std::size_t part = own_.first + p;
          for (std::size_t i = parts_.first_row(part); i < parts_.first_row(part + 1); ++i)
            body(losses, i);
        });
      },
      data_.losses);
}

/// `count` sums to which body(losses, sample, sums) adds.
template <class Body>
std::vector<double> SquaredLosses::sum_samples(std::size_t count, const Body& body) const {
  std::vector<double> total(count);
  std::visit(
      [&](const auto& losses) {
        sum_over_parts(context_, parts_, total, [&](std::size_t part, std::span<double> sums) {
          for (std::size_t i = parts_.first_row(part); i < parts_.first_row(part + 1); ++i)
            body(losses, i, sums.data());
        });
      },
      data_.losses);
  return total;
}

/// `slack(losses, sample, problem)`: the point whose multiplier is wanted.
template <class Slack>
void SquaredLosses::dual_point(Live live, std::vector<Sums>& sums, std::vector<double>& z,
                               const Slack& slack) const {
  const std::size_t n = live.size();
  z.resize(values_.size());
  const std::vector<double> total =
      sum_samples(2 * n, [&](const auto& losses, std::size_t i, double* sum) {
        const double u = weight(i);
        for (std::size_t a = 0; a < n; ++a) {
          const std::size_t c = live[a];
          const LossPoint at = slack(losses, i, c);
          const double lost = capped(losses, c, at), c_cost = costs_[c];
          sum[a] += u * loss_of(losses, c, at);
          sum[n + a] +=
              u * (2 * losses.gain(i, c, at.sign) * lost - c_cost / cost(c) * lost * lost);
          z[place(i, c)] = u * (at.sign * 2 * c_cost * lost);
        }
      });
  for (std::size_t a = 0; a < n; ++a) sums[live[a]] = {total[a], total[n + a]};
  if (data_.intercept) balance(live, sums, z);
}

void SquaredLosses::multipliers(Live live, std::vector<Sums>& sums, std::vector<double>& z) const {
  dual_point(live, sums, z, [&](const auto& losses, std::size_t i, std::size_t c) {
    return losses.at(i, c, value(i, c));
  });
}

void SquaredLosses::predicted_multipliers(Live live, std::vector<Sums>& sums,
                                          std::vector<double>& z) const {
  dual_point(live, sums, z, [&](const auto& losses, std::size_t i, std::size_t c) {
    const LossPoint before = losses.at(i, c, value(i, c));
    const double step = step_[place(i, c)] + intercept_steps_[c];
    return before.slack > 0 ? LossPoint{before.sign, before.slack - before.sign * step} : before;
  });
}

/// Makes the sums of z of both signs equal, as an intercept requires of a dual point.
void SquaredLosses::balance(Live live, std::vector<Sums>& sums, std::vector<double>& z) const {
  const std::size_t n = live.size();
  const std::vector<double> of_sign =
      sum_samples(2 * n, [&](const auto&, std::size_t i, double* sum) {
        for (std::size_t a = 0; a < n; ++a) {
          const double x = z[place(i, live[a])];
          sum[x < 0 ? n + a : a] += std::abs(x);
        }
      });
  const std::vector<double> duals =
      sum_samples(n, [&](const auto& losses, std::size_t i, double* sum) {
        for (std::size_t a = 0; a < n; ++a) {
          const std::size_t c = live[a];
          double& x = z[place(i, c)];
          if (x == 0) continue;
          const double own = of_sign[x < 0 ? n + a : a],
                       least = std::min(of_sign[a], of_sign[n + a]);
          x *= least / own;
          const double size = std::abs(x);
          sum[a] +=
              (losses.gain(i, c, x < 0 ? -1 : 1) * size - size * size / (4 * cost(c) * weight(i))) /
              costs_[c];
        }
      });
  for (std::size_t a = 0; a < n; ++a) sums[live[a]].duals = duals[a];
}

void SquaredLosses::curvatures(Live live, std::vector<float>& to) const {
  to.resize(values_.size());
  for_samples([&](const auto& losses, std::size_t i) {
    const auto u = static_cast<float>(weight(i));
    for (const std::size_t c : live)
      to[place(i, c)] = is_active(losses, c, losses.at(i, c, value(i, c)))
                            ? static_cast<float>(2 * costs_[c]) * u
                            : 0;
  });
}

std::vector<double> SquaredLosses::loss() const {
  std::vector<double> total =
      sum_samples(problems(), [&](const auto& losses, std::size_t i, double* sum) {
        for (std::size_t c = 0; c < problems(); ++c)
          sum[c] += weight(i) * loss_of(losses, c, losses.at(i, c, value(i, c)));
      });
  for (std::size_t c = 0; c < problems(); ++c) total[c] *= cost(c);
  return total;
}

std::vector<double> SquaredLosses::loss_at_zero() const {
  std::vector<double> total(problems());
  std::visit(
      [&](const auto& losses) {
        for (std::size_t i = 0; i < data_.samples; ++i)
          for (std::size_t c = 0; c < problems(); ++c)
            total[c] += weight(i) * loss_of(losses, c, losses.at(i, c, 0));
      },
      data_.losses);
  for (std::size_t c = 0; c < problems(); ++c) total[c] *= cost(c);
  return total;
}

void SquaredLosses::slopes(Live live, std::span<const double> t, std::vector<double>& first,
                           std::vector<double>& second) const {
  const std::size_t n = live.size();
  const std::vector<double> total =
      sum_samples(2 * n, [&](const auto& losses, std::size_t i, double* sum) {
        const double u = weight(i);
        for (std::size_t a = 0; a < n; ++a) {
          const std::size_t c = live[a];
          const double q = step_[place(i, c)] + intercept_steps_[c];
          const LossPoint at = losses.moved(i, c, value(i, c), t[c] * q);
          if (at.slack <= 0) continue;
          const double lost = capped(losses, c, at);
          sum[a] -= u * (at.sign * q * lost);
          if (lost == at.slack) sum[n + a] += u * (q * q);
        }
      });
  for (std::size_t a = 0; a < n; ++a) {
    first[live[a]] = 2 * costs_[live[a]] * total[a];
    second[live[a]] = 2 * costs_[live[a]] * total[n + a];
  }
}

std::vector<double> SquaredLosses::line_search(std::span<const double> ws,
                                               std::span<const double> ss, Live live) const {
  constexpr int most_steps = 50;
  constexpr double small = 1e-9;
  const std::size_t n = problems();
  std::vector<double> t(n, 0.0), low(n, 0.0), high(n, std::numeric_limits<double>::infinity());
  std::vector<double> first(n), second(n), start(n);
  std::vector<std::size_t> open(live.begin(), live.end());
  const auto stopped = [&] { return context_.stop_requested() != StopReason::none; };
  for (int step = 0; step <= most_steps && !open.empty() && !stopped(); ++step) {
    slopes(open, t, first, second);
    std::erase_if(open, [&](std::size_t c) {
      const double slope = first[c] + ws[c] + t[c] * ss[c];
      if (step == 0) start[c] = slope;
      if (!(start[c] < 0) || std::abs(slope) <= small * -start[c]) return true;
      (slope < 0 ? low : high)[c] = t[c];
      double next = step == 0 ? 1.0 : t[c] - slope / (second[c] + ss[c]);
      if (!(next > low[c] && next < high[c]))
        next = std::isinf(high[c]) ? 2 * t[c] : (low[c] + high[c]) / 2;
      t[c] = next;
      return false;
    });
  }
  return t;
}

/// The same search along a change of the intercept alone.
void SquaredLosses::find_intercepts(Live live) {
  if (!data_.intercept) return;
  const std::vector<double> none(problems());
  std::vector<double> first(problems()), second(problems());
  std::ranges::fill(step_, 0.0);
  std::ranges::fill(intercept_steps_, 1.0);
  slopes(live, none, first, second);
  for (const std::size_t c : live) intercept_steps_[c] = first[c] > 0 ? -1 : 1;
  const std::vector<double> t = line_search(none, none, live);
  for (const std::size_t c : live) intercepts_[c] += t[c] * intercept_steps_[c];
}

void SquaredLosses::move(std::span<const double> t, Live live) {
  for_samples([&](const auto&, std::size_t i) {
    for (const std::size_t c : live) values_[place(i, c)] += t[c] * step_[place(i, c)];
  });
  for (const std::size_t c : live) intercepts_[c] += t[c] * intercept_steps_[c];
}

std::vector<float> SquaredLosses::active_shares(Live live) const {
  std::vector<float> shares(own_.rows);
  for_samples([&](const auto& losses, std::size_t i) {
    std::size_t count = 0;
    for (const std::size_t c : live)
      count += is_active(losses, c, losses.at(i, c, value(i, c))) ? 1 : 0;
    shares[i - own_.first_row] =
        static_cast<float>(count) / static_cast<float>(live.size()) * static_cast<float>(weight(i));
  });
  return shares;
}

std::vector<std::size_t> SquaredLosses::active_samples(std::size_t problem) const {
  std::vector<std::size_t> samples;
  std::visit(
      [&](const auto& losses) {
        for (std::size_t i = own_.first_row; i < own_.end_row(); ++i)
          if (weight(i) > 0 && is_active(losses, problem, losses.at(i, problem, value(i, problem))))
            samples.push_back(i);
      },
      data_.losses);
  return samples;
}

std::vector<double> SquaredLosses::active_counts(Live live) const {
  return sum_samples(live.size(), [&](const auto& losses, std::size_t i, double* sum) {
    for (std::size_t a = 0; a < live.size(); ++a)
      sum[a] +=
          weight(i) > 0 && is_active(losses, live[a], losses.at(i, live[a], value(i, live[a]))) ? 1
                                                                                                : 0;
  });
}

}  // namespace semblance::numerics

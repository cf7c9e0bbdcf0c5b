// SPDX-License-Identifier: MIT
#include "newton/squared_losses.hpp"

#include <cmath>
#include <functional>
#include <limits>

#include "problem/sweep.hpp"
#include "sparse/sparse_sweep.hpp"

namespace semblance::linear {
namespace {

/// The loss at this slack, and the slack that counts for its slope.
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

}  // namespace

SquaredLosses::SquaredLosses(Data data, Context& context)
    : data_(std::move(data)),
      context_(context),
      dimension_(data_.rows.cols() + (data_.bias != 0 ? 1 : 0)),
      costs_(with_losses([](const auto& losses) { return losses.problems(); })),
      values_(static_cast<double>(data_.rows.rows()) * static_cast<double>(dimension_)),
      parts_(data_.rows.rows()),
      own_(context.collectives().own(parts_)),
      decisions_(own_.rows * problems()),
      step_image_(decisions_.size()) {
  for (std::size_t c = 0; c < costs_.size(); ++c) costs_[c] = cost(c);
  if (data_.sparse)
    values_ = sparse_values(data_.rows);
  else if (data_.split == nullptr)
    on_gpu_ = gpu::TallMatrix::of(data_.rows, context);
}

std::size_t SquaredLosses::bytes(std::size_t rows, std::size_t dimension, std::size_t problems,
                                 std::size_t threads) {
  const std::size_t images = 2 * rows * problems * sizeof(double);
  const std::size_t sums =
      (sums_at_once(rows, threads) + 3) * problems * padded(dimension) * sizeof(double);
  return images + sums;
}

template <class T>
Vectors<T> SquaredLosses::gather(const Vectors<double>& from, Live live) const {
  Vectors<T> to(live.size(), dimension_);
  for (std::size_t a = 0; a < live.size(); ++a)
    std::transform(from.row(live[a]), from.row(live[a]) + dimension_, to.row(a),
                   [](double x) { return static_cast<T>(x); });
  return to;
}

template <class T>
bool SquaredLosses::sweep_rows(const Sweep<T>& sweep) const {
  if (data_.sparse) return run_sparse_sweep<T>(data_.rows, data_.centre, sweep, context_);
  Sweep<T> anywhere = sweep;
  anywhere.on_gpu = on_gpu_.get();
  return run_sweep<T>(data_.rows, anywhere, context_);
}

bool SquaredLosses::sweep_exactly(const Sweep<double>& sweep) const {
  if (data_.split == nullptr) return sweep_rows(sweep);
  const std::size_t d = data_.rows.cols();
  Sweep<double> twice = sweep;
  Vectors<double> vectors, sums;
  if (sweep.vectors != nullptr) {
    vectors = Vectors<double>(sweep.count, 2 * d);
    for (std::size_t a = 0; a < sweep.count; ++a)
      for (const std::size_t begin : {std::size_t{0}, d})
        std::copy_n(sweep.vectors->row(a), d, vectors.row(a) + begin);
    twice.vectors = &vectors;
  }
  if (sweep.out != nullptr) {
    sums = Vectors<double>(sweep.count, 2 * d);
    twice.out = &sums;
  }
  if (!run_sweep<double>(*data_.split, twice, context_)) return false;
  for (std::size_t a = 0; sweep.out != nullptr && a < sweep.count; ++a)
    std::transform(sums.row(a), sums.row(a) + d, sums.row(a) + d, sweep.out->row(a), std::plus<>());
  return true;
}

bool SquaredLosses::losses(Live live, std::vector<Sums>& values, Vectors<double>& pull) {
  const std::size_t n = live.size();
  const double bias = data_.bias;
  Vectors<double> sums(n, dimension_);
  std::vector<double> tallies(3 * n);
  const bool complete = with_losses([&](const auto& losses) {
    const auto body = [&](std::span<const std::size_t> rows, double* z, double* tally) {
      double *square = tally, *dual = tally + n, *sum = tally + 2 * n;
      for (std::size_t r = 0; r < rows.size(); ++r) {
        const double u = row_weight(rows[r]);
        for (std::size_t a = 0; a < n; ++a) {
          const std::size_t c = live[a];
          const LossPoint at = point(losses, rows[r], c);
          const double lost = capped(losses, c, at), cost = costs_[c];
          square[a] += u * loss_of(losses, c, at);
          dual[a] += u * (2 * losses.gain(rows[r], c, at.sign) * lost -
                          cost / this->cost(c) * lost * lost);
          z[r * n + a] = u * (at.sign * 2 * cost * lost);
          sum[a] += z[r * n + a];
        }
      }
    };
    const auto takes = [&](std::size_t row) { return any_lost(losses, row, live); };
    return sweep_exactly({nullptr, n, body, takes, &sums, tallies});
  });
  if (!complete) return false;
  for (std::size_t a = 0; a < n; ++a) {
    if (bias != 0) sums.row(a)[data_.rows.cols()] = bias * tallies[2 * n + a];
    std::copy_n(sums.row(a), dimension_, pull.row(live[a]));
    values[live[a]] = {tallies[a], tallies[n + a]};
  }
  return true;
}

bool SquaredLosses::evaluate(const Vectors<double>& w, Live live, std::vector<Value>& values,
                             Vectors<double>& gradient) {
  std::vector<Sums> sums(problems());
  if (!losses(live, sums, gradient)) return false;
  for (const std::size_t c : live) {
    const double* x = w.row(c);
    double* g = gradient.row(c);
    values[c] = {dot(x, x, dimension_) / 2 + cost(c) * sums[c].squares,
                 costs_[c] * sums[c].duals - dot(g, g, dimension_) / 2};
    for (std::size_t j = 0; j < dimension_; ++j) g[j] = x[j] - g[j];
  }
  return true;
}

std::vector<double> SquaredLosses::loss() const {
  const std::size_t n = problems();
  std::vector<double> total(n);
  with_losses([&](const auto& losses) {
    sum_over_parts(context_, parts_, total, [&](std::size_t part, std::span<double> sums) {
      for (std::size_t i = parts_.first_row(part); i < parts_.first_row(part + 1); ++i)
        for (std::size_t c = 0; c < n; ++c)
          sums[c] += row_weight(i) * loss_of(losses, c, point(losses, i, c));
    });
  });
  for (std::size_t c = 0; c < n; ++c) total[c] *= cost(c);
  return total;
}

std::vector<double> SquaredLosses::loss_at_zero() const {
  std::vector<double> total(problems());
  with_losses([&](const auto& losses) {
    for (std::size_t i = 0; i < data_.rows.rows(); ++i)
      for (std::size_t c = 0; c < problems(); ++c)
        total[c] += row_weight(i) * loss_of(losses, c, losses.at(i, c, 0));
  });
  for (std::size_t c = 0; c < problems(); ++c) total[c] *= cost(c);
  return total;
}

template <class L>
bool SquaredLosses::any_lost(const L& losses, std::size_t row, Live live) const noexcept {
  return row_weights().counts(row) && std::any_of(live.begin(), live.end(), [&](std::size_t c) {
           return point(losses, row, c).slack > 0;
         });
}

template <class L>
bool SquaredLosses::any_active(const L& losses, std::size_t row, Live live) const noexcept {
  return row_weights().counts(row) && std::any_of(live.begin(), live.end(), [&](std::size_t c) {
           return active(losses, row, c);
         });
}

bool SquaredLosses::hessian_product(const Vectors<double>& p, Live live, Vectors<double>& out) {
  const std::size_t n = live.size(), d = data_.rows.cols();
  const float bias = static_cast<float>(data_.bias);
  std::vector<float> twice(n);
  for (std::size_t a = 0; a < n; ++a) twice[a] = static_cast<float>(2 * costs_[live[a]]);
  const Vectors<float> v = gather<float>(p, live);
  Vectors<double> sums(n, dimension_);
  std::vector<double> factors(n);
  const bool complete = with_losses([&](const auto& losses) {
    const auto body = [&](std::span<const std::size_t> rows, float* z, double* sum) {
      for (std::size_t r = 0; r < rows.size(); ++r) {
        const auto u = static_cast<float>(row_weight(rows[r]));
        for (std::size_t a = 0; a < n; ++a) {
          float& f = z[r * n + a];
          if (bias != 0) f += bias * v.row(a)[d];
          f = active(losses, rows[r], live[a]) ? twice[a] * u * f : 0;
          sum[a] += f;
        }
      }
    };
    const auto takes = [&](std::size_t row) { return any_active(losses, row, live); };
    return sweep_rows<float>({&v, n, body, takes, &sums, factors});
  });
  if (!complete) return false;
  for (std::size_t a = 0; a < n; ++a) {
    if (bias != 0) sums.row(a)[d] = data_.bias * factors[a];
    for (std::size_t j = 0; j < dimension_; ++j)
      out.row(live[a])[j] = p.row(live[a])[j] + sums.row(a)[j];
  }
  return true;
}

bool SquaredLosses::set_step(const Vectors<double>& s, Live live) {
  const std::size_t n = live.size(), d = data_.rows.cols();
  const double bias = data_.bias;
  const Vectors<double> v = gather<double>(s, live);
  const auto body = [&](std::span<const std::size_t> rows, double* z, double*) {
    for (std::size_t r = 0; r < rows.size(); ++r) {
      double* image = &step_image_[place(rows[r], 0)];
      for (std::size_t a = 0; a < n; ++a)
        image[live[a]] = bias != 0 ? z[r * n + a] + bias * v.row(a)[d] : z[r * n + a];
    }
  };
  return sweep_exactly({&v, n, body, {}, nullptr});
}

void SquaredLosses::slopes(Live live, std::span<const double> t, std::vector<double>& first,
                           std::vector<double>& second) const {
  const std::size_t n = live.size();
  std::vector<double> total(2 * n);
  with_losses([&](const auto& losses) {
    sum_over_parts(context_, parts_, total, [&](std::size_t part, std::span<double> sums) {
      double *one = sums.data(), *two = one + n;
      for (std::size_t i = parts_.first_row(part); i < parts_.first_row(part + 1); ++i) {
        if (i % block_rows == 0 && stopped()) return;
        const double u = row_weight(i);
        for (std::size_t a = 0; a < n; ++a) {
          const std::size_t c = live[a];
          const double q = step_image_[place(i, c)];
          const LossPoint at = losses.moved(i, c, decisions_[place(i, c)], t[c] * q);
          if (at.slack <= 0) continue;
          const double lost = capped(losses, c, at);
          one[a] -= u * (at.sign * q * lost);
          if (lost == at.slack) two[a] += u * (q * q);
        }
      }
    });
  });
  for (std::size_t a = 0; a < n; ++a) {
    first[live[a]] = 2 * costs_[live[a]] * total[a];
    second[live[a]] = 2 * costs_[live[a]] * total[n + a];
  }
}

std::vector<double> SquaredLosses::line_search(const Vectors<double>& w, const Vectors<double>& s,
                                               Live live) {
  constexpr int most_steps = 50;
  constexpr double small = 1e-9;
  const std::size_t n = problems();
  std::vector<double> t(n, 0.0), low(n, 0.0), high(n, std::numeric_limits<double>::infinity());
  std::vector<double> ws(n), ss(n), first(n), second(n), start(n);
  for (const std::size_t c : live) {
    ws[c] = dot(w.row(c), s.row(c), dimension_);
    ss[c] = dot(s.row(c), s.row(c), dimension_);
  }
  std::vector<std::size_t> open(live.begin(), live.end());
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

void SquaredLosses::move(std::span<const double> t, Live live) {
  context_.parallel_for(own_.count, [&](std::size_t p) {
    const std::size_t part = own_.first + p;
    for (std::size_t i = parts_.first_row(part); i < parts_.first_row(part + 1); ++i)
      for (const std::size_t c : live) decisions_[place(i, c)] += t[c] * step_image_[place(i, c)];
  });
}

bool SquaredLosses::predicted_dual(Live live, std::vector<double>& dual) {
  const std::size_t n = live.size();
  const double bias = data_.bias;
  Vectors<double> sums(n, dimension_);
  std::vector<double> tallies(2 * n);
  const bool complete = with_losses([&](const auto& losses) {
    const auto body = [&](std::span<const std::size_t> rows, double* z, double* tally) {
      double *part = tally, *sum = tally + n;
      for (std::size_t r = 0; r < rows.size(); ++r) {
        const double u = row_weight(rows[r]);
        for (std::size_t a = 0; a < n; ++a) {
          const std::size_t c = live[a];
          const LossPoint before = point(losses, rows[r], c);
          const double change = -before.sign * step_image_[place(rows[r], c)];
          const double moved =
              before.slack > 0 ? capped(losses, c, {before.sign, before.slack + change}) : 0;
          const double cost = costs_[c];
          part[a] += u * (2 * losses.gain(rows[r], c, before.sign) * moved -
                          cost / this->cost(c) * moved * moved);
          z[r * n + a] = u * (before.sign * 2 * cost * moved);
          sum[a] += z[r * n + a];
        }
      }
    };
    const auto takes = [&](std::size_t row) { return any_lost(losses, row, live); };
    return sweep_exactly({nullptr, n, body, takes, &sums, tallies});
  });
  if (!complete) return false;
  for (std::size_t a = 0; a < n; ++a) {
    double* u = sums.row(a);
    if (bias != 0) u[data_.rows.cols()] = bias * tallies[n + a];
    dual[live[a]] = costs_[live[a]] * tallies[a] - dot(u, u, dimension_) / 2;
  }
  return true;
}

std::vector<float> SquaredLosses::active_shares(Live live) const {
  std::vector<float> shares(own_.rows);
  with_losses([&](const auto& losses) {
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const std::size_t row = own_.first_row + i;
      std::size_t count = 0;
      for (const std::size_t c : live) count += active(losses, row, c);
      shares[i] = static_cast<float>(count) / static_cast<float>(live.size()) *
                  static_cast<float>(row_weight(row));
    }
  });
  return shares;
}

std::vector<std::size_t> SquaredLosses::active_rows(std::size_t problem) const {
  std::vector<std::size_t> rows;
  with_losses([&](const auto& losses) {
    for (std::size_t i = own_.first_row; i < own_.end_row(); ++i)
      if (active(losses, i, problem) && row_weights().counts(i)) rows.push_back(i);
  });
  return rows;
}

std::vector<double> SquaredLosses::active_counts(Live live) const {
  std::vector<double> total(live.size());
  with_losses([&](const auto& losses) {
    sum_over_parts(context_, parts_, total, [&](std::size_t part, std::span<double> sums) {
      for (std::size_t i = parts_.first_row(part); i < parts_.first_row(part + 1); ++i)
        for (std::size_t a = 0; a < live.size(); ++a)
          sums[a] += active(losses, i, live[a]) && row_weights().counts(i) ? 1 : 0;
    });
  });
  return total;
}

}  // namespace semblance::linear

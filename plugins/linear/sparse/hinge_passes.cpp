// SPDX-License-Identifier: MIT
#include "sparse/hinge_passes.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "sparse/sparse_sweep.hpp"

namespace semblance::linear {
namespace {

/// A step goes this share of the way to the minimum along its variable, beyond it. On rows of words
/// a pass then gains a fifth more. The first pass, from 0, goes as far as the minimum.
constexpr double over_relaxation = 1.2;

/// A window's entries: so many that joining its halves, which visits all columns, takes a small
/// part of the time, as does waiting for both halves.
constexpr std::size_t entries_per_column = 12;
constexpr std::size_t least_entries = std::size_t{1} << 17;

/// Steps of at least this length are made in full: longer ones than the best are over-relaxed.
constexpr double full_step = 0.75;
/// With shorter steps on average, a pass of all rows in sequence is no slower on two threads.
constexpr double least_step = 0.5;

/// The last rows of a window, after its halves have been joined, make their steps in sequence. Both
/// halves have corrected what all rows have in common, so that together they have gone too far.
constexpr std::size_t last_rows = 256;

constexpr std::size_t columns_per_range = 4096;

}  // namespace

template <class T>
HingePasses<T>::HingePasses(const SparseTask& task, std::size_t problem, double cost,
                            Context& context)
    : task_(task),
      context_(context),
      variables_(task.rows()),
      w_(task.cols(), task.bias(), 1, task.centre()) {
  for (std::size_t row = 0; row < task.rows(); ++row) {
    const double weight = cost * task.row_weight(row);
    if (weight == 0) continue;  // its variable is bound to 0
    const double diagonal = task.diagonal(cost, row);
    variables_[row] = {0, task.square(row) + diagonal, diagonal, task.sign(row, problem) * weight};
    rows_.push_back(row);
  }
  const double entries_per_row =
      sparse_values(task.task().training.rows) / static_cast<double>(task.rows());
  const std::size_t entries = std::max(entries_per_column * task.cols(), least_entries);
  window_ =
      static_cast<std::size_t>(static_cast<double>(entries) / std::max(entries_per_row, 1.0)) + 1;
  halves_ = rows_.size() >= window_;
}

template <class T>
void HingePasses<T>::start(const std::vector<double>& variables, const LaneWeights<double>& w,
                           double dual) {
  for (const std::size_t row : rows_) variables_[row].value = variables[row];
  w_.round(w);
  dual_ = dual;
}

template <class T>
bool HingePasses<T>::pass(bool all_rows, Random& random) {
  if (all_rows) awake_ = rows_;
  random.shuffle(std::span(awake_));
  visited_ = awake_.size();
  before_.resize(visited_);
  gap_ = 0;
  if (!halves_ || 2 * visited_ < window_) {
    Steps steps;
    if (!step_rows(0, visited_, w_, steps)) return false;
    gap_ = steps.gap;
    dual_ += steps.gain;
    awake_.resize(steps.end);
  } else if (!step_windows()) {
    return false;
  }
  relaxation_ = over_relaxation;
  return true;
}

/// In windows of equal size.
template <class T>
bool HingePasses<T>::step_windows() {
  const std::size_t windows = std::max<std::size_t>(visited_ / window_, 1);
  std::size_t kept = 0;
  double lengths = 0;
  for (std::size_t i = 0; i < windows; ++i) {
    const std::size_t first = visited_ * i / windows, end = visited_ * (i + 1) / windows;
    const std::size_t last = end - std::min(last_rows, (end - first) / 4);
    const std::size_t middle = first + (last - first) / 2;
    std::array<Steps, 3> steps;
    std::atomic<bool> complete{true};
    context_.parallel_for(2, [&](std::size_t half) {
      own_[half] = w_;
      if (!step_rows(half == 0 ? first : middle, half == 0 ? middle : last, own_[half],
                     steps[half]))
        complete = false;
    });
    if (!complete) return false;
    const double length = join(steps[0], steps[1]);
    lengths += length;
    if (length < 1) {
      shorten(first, steps[0].end, length);
      shorten(middle, steps[1].end, length);
    }
    if (!step_rows(last, end, w_, steps[2])) return false;
    dual_ += steps[2].gain;
    for (const auto& [begin, of] :
         {std::pair(first, 0), std::pair(middle, 1), std::pair(last, 2)}) {
      const Steps& part = steps[static_cast<std::size_t>(of)];
      std::copy_n(awake_.data() + begin, part.end - begin, awake_.data() + kept);
      kept += part.end - begin;
      gap_ += part.gap;
    }
  }
  awake_.resize(kept);
  halves_ = lengths >= least_step * static_cast<double>(windows);
  return true;
}

template <class T>
bool HingePasses<T>::step_rows(std::size_t first, std::size_t end, LaneWeights<T>& w,
                               Steps& steps) {
  steps.end = first;
  if (first == end) return true;
  return task_.for_rows(
      context_, std::span(awake_).subspan(first, end - first),
      [&](std::size_t row) { __builtin_prefetch(&variables_[row], 1); },
      [&](std::size_t row, const SparseRow& entries) { step(row, entries, w, steps); });
}

/// A step of one variable. The gap is a sum over the rows: of Cu (loss - alpha / 2Cu)^2, and alpha
/// times the margin's excess over 1.
template <class T>
void HingePasses<T>::step(std::size_t row, const SparseRow& entries, LaneWeights<T>& w,
                          Steps& steps) {
  Variable& variable = variables_[row];
  const double y = variable.weight < 0 ? -1 : 1, before = variable.value;
  const double slack = 1 - y * double{w.score(entries)}, slope = variable.diagonal * before - slack;
  if (before == 0 && slope > 0) return;
  const double missing = std::max(slack, 0.0) - variable.diagonal * before;
  steps.gap += std::abs(variable.weight) * missing * missing + before * std::max(-slack, 0.0);
  before_[steps.end] = before;
  awake_[steps.end++] = row;
  const double after = std::max(before - relaxation_ * slope / variable.curvature, 0.0);
  const double change = after - before;
  if (change == 0) return;
  steps.gain -= change * (slope + variable.curvature * change / 2);
  steps.quadratic += variable.diagonal * change * change;
  variable.value = after;
  const T factor = static_cast<T>(y * change);
  w.add(entries, &factor);
}

/// With d_1, d_2 the changes of the weights, a step of length t along both gains t g - t^2 q / 2,
/// where q = |d_1 + d_2|^2 + the quadratic terms of the variables, and with t = 1 the gain of both
/// halves without <d_1, d_2>.
template <class T>
double HingePasses<T>::join(const Steps& first, const Steps& second) {
  const std::size_t ranges = (w_.columns() + columns_per_range - 1) / columns_per_range;
  std::vector<double> squares(ranges), products(ranges);
  for_columns([&](std::size_t range, std::size_t first_column, std::size_t end) {
    const T *w = w_.of(0), *one = own_[0].of(0), *two = own_[1].of(0);
    constexpr std::size_t sums = 8;
    std::array<T, sums> square = {}, product = {};
    const auto add = [&](std::size_t j, std::size_t s) {
      const T a = one[j] - w[j], b = two[j] - w[j];
      square[s] += (a + b) * (a + b);
      product[s] += a * b;
    };
    std::size_t j = first_column;
    for (; j + sums <= end; j += sums)
      for (std::size_t s = 0; s < sums; ++s) add(j + s, s);
    for (; j < end; ++j) add(j, 0);
    squares[range] = std::accumulate(square.begin(), square.end(), 0.0);
    products[range] = std::accumulate(product.begin(), product.end(), 0.0);
  });
  double q = first.quadratic + second.quadratic, gain = first.gain + second.gain;
  // The rest of |d|^2 and <d_1, d_2>, for d = D - s m with d.m = D.m - s |m|^2.
  const double s1 = own_[0].sum(0) - w_.sum(0), s2 = own_[1].sum(0) - w_.sum(0);
  const double along1 = own_[0].at_centre(0) - w_.at_centre(0),
               along2 = own_[1].at_centre(0) - w_.at_centre(0);
  q -= (s1 + s2) * (2 * (along1 + along2) + (s1 + s2) * w_.centre_square());
  gain += s1 * along2 + s2 * along1 + s1 * s2 * w_.centre_square();
  for (std::size_t range = 0; range < ranges; ++range) {
    q += squares[range];
    gain -= products[range];
  }
  const double best = q > 0 ? 0.5 + gain / q : 1;
  const double length = best >= full_step ? 1 : std::max(best, 0.0);
  dual_ += length * (gain + q / 2) - length * length * q / 2;
  w_.add_changes(own_[0], own_[1], length);
  for_columns([&](std::size_t, std::size_t first_column, std::size_t end) {
    T* w = w_.of(0);
    const T *one = own_[0].of(0), *two = own_[1].of(0), t = static_cast<T>(length);
    for (std::size_t j = first_column; j < end; ++j)
      w[j] += t * ((one[j] - w[j]) + (two[j] - w[j]));
  });
  return length;
}

/// Shortens the changes of the rows in these places of awake_.
template <class T>
void HingePasses<T>::shorten(std::size_t first, std::size_t end, double length) {
  for (std::size_t place = first; place < end; ++place) {
    double& value = variables_[awake_[place]].value;
    const double before = before_[place];
    value = before + length * (value - before);
  }
}

template <class T>
void HingePasses<T>::for_columns(
    const std::function<void(std::size_t range, std::size_t first, std::size_t end)>& body) const {
  const std::size_t columns = w_.columns();
  const std::size_t ranges = (columns + columns_per_range - 1) / columns_per_range;
  context_.parallel_for(ranges, [&](std::size_t range) {
    const std::size_t first = range * columns_per_range;
    body(range, first, std::min(first + columns_per_range, columns));
  });
}

template <class T>
void HingePasses<T>::copy_variables(std::vector<double>& to) const {
  for (const std::size_t row : rows_) to[row] = variables_[row].value;
}

template class HingePasses<float>;
template class HingePasses<double>;

}  // namespace semblance::linear

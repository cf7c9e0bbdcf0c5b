// SPDX-License-Identifier: MIT
#include "kernels/pair_sums.hpp"

#include <cblas.h>

#include <algorithm>
#include <type_traits>

#include "newton/products.hpp"

namespace semblance::pairs {
namespace {

constexpr std::size_t sum_block_size = 64;
// The speed of a dense product's operations relative to those on single rows.
constexpr std::size_t dense_sum_gain = 3;
constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

std::size_t sum_blocks(std::size_t rows) { return (rows + sum_block_size - 1) / sum_block_size; }

}  // namespace

bool is_pair_sum(const PairKernel& kernel) {
  const std::optional<PairKernelSum> sum = kernel.symmetric_sum();
  if (!sum || !kernel.symmetric()) return false;
  const PairKernelSum::Weights& w = sum->squared;
  return w.symmetric_direct_sum == 0 && w.metric_learning == 0 && w.tensor_learning == 0;
}

template <class T>
PairSums<T>::PairSums(const PairKernelSum& sum, MatrixView standard,
                      std::span<const std::int32_t> first, std::span<const std::int32_t> second)
    : sum_(sum), standard_(standard), first_(first), second_(second) {
  for (std::size_t p = 0; p < first.size();) {
    Block block{at(first, p), 0, p, p, at(second, p), 0};
    std::size_t last = block.first, last_other = block.others;
    for (; p < first.size() && at(first, p) < block.first + sum_block_size; ++p) {
      last = at(first, p);
      block.others = std::min(block.others, at(second, p));
      last_other = std::max(last_other, at(second, p));
    }
    block.end = p;
    block.count = last + 1 - block.first;
    block.other_count = last_other + 1 - block.others;
    const std::size_t area = block.count * block.other_count;
    block.whole = std::is_same_v<T, double> || dense_sum_gain * (block.end - block.begin) > area;
    sparse_ = sparse_ || !block.whole;
    area_ += static_cast<double>(area);
    blocks_.push_back(block);
  }
}

template <class T>
double PairSums<T>::operations(std::span<const std::uint32_t> pairs) const {
  std::vector<char> named(standard_.rows);
  for (const std::uint32_t p : pairs) named[at(first_, p)] = named[at(second_, p)] = 1;
  const auto rows = static_cast<double>(std::count(named.begin(), named.end(), 1));
  return products() * rows * area_ +
         (2 * static_cast<double>(pairs.size()) + 2 * rows) * static_cast<double>(standard_.rows);
}

/// All rows occur if pairs are computed one by one: the columns of K are its rows then.
template <class T>
typename PairSums<T>::Work PairSums<T>::prepare(std::span<const std::uint32_t> pairs) const {
  const std::size_t n = standard_.rows;
  Work made;
  std::vector<std::size_t> places(n, sparse_ ? 0 : nowhere), examples;
  for (const std::uint32_t p : pairs) places[at(first_, p)] = places[at(second_, p)] = 0;
  for (std::size_t i = 0; i < n; ++i)
    if (places[i] != nowhere) {
      places[i] = examples.size();
      examples.push_back(i);
    }
  made.rows = examples.size();
  made.starts.resize(made.rows + 1);
  for (const std::uint32_t p : pairs)
    ++made.starts[places[at(first_, p)] + 1], ++made.starts[places[at(second_, p)] + 1];
  for (std::size_t r = 0; r < made.rows; ++r) made.starts[r + 1] += made.starts[r];
  made.entries.resize(2 * pairs.size());
  std::vector<std::size_t> next = made.starts;
  for (std::size_t r = 0; r < pairs.size(); ++r) {
    const std::size_t a = places[at(first_, pairs[r])], b = places[at(second_, pairs[r])];
    made.entries[next[a]++] = {b, r};
    made.entries[next[b]++] = {a, r};
  }
  if constexpr (std::is_same_v<T, float>)
    if (made.rows == n) made.kernel = standard_.row(0), made.stride = standard_.stride;
  if (!made.kernel) {
    made.copied.resize(made.rows * n);
    for (std::size_t i = 0; i < made.rows; ++i)
      std::copy_n(standard_.row(examples[i]), n, made.copied.data() + i * n);
    made.kernel = made.copied.data(), made.stride = n;
  }
  made.degrees.resize(made.rows);
  made.form.resize(made.rows * n);
  made.turned.resize(sparse_ ? made.rows * n : 0);
  made.own.resize(n);
  return made;
}

/// Rows of S K_R, and s.
template <class T>
void PairSums<T>::multiply_rows(std::size_t b, std::span<const double> factors, Work& work) const {
  const std::size_t n = standard_.rows, from = b * sum_block_size;
  const std::size_t to = std::min(work.rows, from + sum_block_size);
  const bool dense = products() && work.entries.size() * dense_sum_gain > work.rows * work.rows;
  std::vector<T> s(dense ? (to - from) * work.rows : 0);
  for (std::size_t i = from; i < to; ++i) {
    if (!dense) std::fill_n(work.form.data() + i * n, n, T(0));
    work.degrees[i] = 0;
    for (std::size_t e = work.starts[i]; e < work.starts[i + 1]; ++e) {
      const auto& [column, pair] = work.entries[e];
      work.degrees[i] += factors[pair];
      const auto value = static_cast<T>(factors[pair]);
      if (dense)
        s[(i - from) * work.rows + column] += value;
      else if (products())
        add_scaled(value, work.kernel + column * work.stride, work.form.data() + i * n, n);
    }
  }
  if (dense)
    multiply(CblasNoTrans, CblasNoTrans, {to - from, n, work.rows}, s.data(), work.rows,
             work.kernel, work.stride, work.form.data() + from * n, n);
}

/// Columns of A K_R in the place of S K_R, and q.
template <class T>
void PairSums<T>::finish_columns(std::size_t b, Work& work) const {
  const std::size_t n = standard_.rows, from = b * sum_block_size;
  const std::size_t to = std::min(n, from + sum_block_size);
  const auto metric = static_cast<T>(sum_.plain.metric_learning);
  const auto whole = static_cast<T>((sum_.plain.tensor_learning + sum_.plain.metric_learning) / 2);
  std::fill(work.own.data() + from, work.own.data() + to, 0.0);
  for (std::size_t i = 0; i < work.rows; ++i) {
    const auto s = static_cast<T>(work.degrees[i]);
    const T direct = static_cast<T>(sum_.plain.symmetric_direct_sum / 2) * s;
    const T* const k = work.kernel + i * work.stride;
    T* const u = work.form.data() + i * n;
    for (std::size_t c = from; c < to; ++c) {
      work.own[c] += static_cast<double>(k[c]) * (metric / 4 * (s * k[c] - u[c]) + direct);
      u[c] = whole * u[c] - metric / 2 * s * k[c];
      if (sparse_) work.turned[c * work.rows + i] = u[c];
    }
  }
}

template <class T>
void PairSums<T>::add_block(const Block& block, const Work& work, std::span<double> sums) const {
  const std::size_t n = standard_.rows;
  const bool dense = block.whole && products();
  std::vector<T> values(dense ? block.count * block.other_count : 0);
  if (dense)
    multiply(CblasTrans, CblasNoTrans, {block.count, block.other_count, work.rows},
             work.kernel + block.first, work.stride, work.form.data() + block.others, n,
             values.data(), block.other_count);
  for (std::size_t p = block.begin; p < block.end; ++p) {
    const std::size_t c = at(first_, p), d = at(second_, p);
    double value = work.own[c] + work.own[d] + work.constant;
    if (dense)
      value = values[(c - block.first) * block.other_count + (d - block.others)] + value;
    else if (products())
      value += dot(work.kernel + c * work.stride, work.turned.data() + d * n, n);
    sums[p] += value;
  }
}

template <class T>
bool PairSums<T>::add(std::span<const std::uint32_t> pairs, std::span<const double> factors,
                      std::span<double> sums, Context& context, bool stoppable) const {
  if (pairs.empty()) return true;
  Work work = prepare(pairs);
  return add(work, factors, sums, context, stoppable);
}

template <class T>
bool PairSums<T>::add(Work& work, std::span<const double> factors, std::span<double> sums,
                      Context& context, bool stoppable) const {
  use_one_blas_thread();
  const auto stopped = [&] { return stoppable && context.stop_requested() != StopReason::none; };
  const auto run = [&](std::size_t count, const auto& body) {
    context.parallel_for(count, [&](std::size_t i) {
      if (!stopped()) body(i);
    });
  };
  work.constant = 0;
  for (const double factor : factors) work.constant += sum_.constant * factor;
  run(sum_blocks(work.rows), [&](std::size_t b) { multiply_rows(b, factors, work); });
  run(sum_blocks(standard_.rows), [&](std::size_t b) { finish_columns(b, work); });
  run(blocks_.size(), [&](std::size_t b) { add_block(blocks_[b], work, sums); });
  return !stopped();
}

template <class T>
std::size_t PairSums<T>::bytes(std::size_t examples, std::size_t pairs) noexcept {
  return 2 * std::min(examples, 2 * pairs) * examples * sizeof(double);
}

template class PairSums<float>;
template class PairSums<double>;

}  // namespace semblance::pairs

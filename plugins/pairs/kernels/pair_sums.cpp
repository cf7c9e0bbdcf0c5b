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

/// The sum to add, as K_R' T + q 1' + 1 q' + constant, where K_R are the rows of K that occur.
template <class T>
struct PairSums<T>::Change {
  struct Entry {
    std::size_t column;
    double value;
  };
  std::size_t rows = 0;             // r
  std::vector<std::size_t> starts;  // of each row's entries
  std::vector<Entry> entries;       // of S
  std::vector<double> degrees;      // s
  std::vector<T> copied;            // K_R, unless it is K itself
  const T* kernel = nullptr;        // r x n
  std::size_t stride = 0;           // of its rows
  std::vector<T> form;              // T = A_RR K_R, r x n
  std::vector<T> turned;            // its transpose, if pairs are computed one by one
  std::vector<double> own;          // q
  double constant = 0;
};

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

/// The matrix S of the rows that occur, and these rows of K. All rows if pairs are computed one by
/// one: the columns of K are its rows then.
template <class T>
typename PairSums<T>::Change PairSums<T>::occurring(std::span<const std::uint32_t> pairs,
                                                    std::span<const double> factors) const {
  const std::size_t n = standard_.rows;
  Change made;
  std::vector<std::size_t> places(n, sparse_ ? 0 : nowhere), examples;
  for (const std::uint32_t p : pairs) places[at(first_, p)] = places[at(second_, p)] = 0;
  for (std::size_t i = 0; i < n; ++i)
    if (places[i] != nowhere) {
      places[i] = examples.size();
      examples.push_back(i);
    }
  made.rows = examples.size();
  made.starts.resize(made.rows + 1);
  made.degrees.resize(made.rows);
  for (const std::uint32_t p : pairs)
    ++made.starts[places[at(first_, p)] + 1], ++made.starts[places[at(second_, p)] + 1];
  for (std::size_t r = 0; r < made.rows; ++r) made.starts[r + 1] += made.starts[r];
  made.entries.resize(2 * pairs.size());
  std::vector<std::size_t> next = made.starts;
  for (std::size_t r = 0; r < pairs.size(); ++r) {
    const std::size_t a = places[at(first_, pairs[r])], b = places[at(second_, pairs[r])];
    made.entries[next[a]++] = {b, factors[r]};
    made.entries[next[b]++] = {a, factors[r]};
    made.degrees[a] += factors[r];
    made.degrees[b] += factors[r];
    made.constant += sum_.constant * factors[r];
  }
  if constexpr (std::is_same_v<T, float>)
    if (made.rows == n) made.kernel = standard_.row(0), made.stride = standard_.stride;
  if (!made.kernel) {
    made.copied.resize(made.rows * n);
    for (std::size_t i = 0; i < made.rows; ++i)
      std::copy_n(standard_.row(examples[i]), n, made.copied.data() + i * n);
    made.kernel = made.copied.data(), made.stride = n;
  }
  made.form.resize(made.rows * n);
  made.turned.resize(sparse_ ? made.rows * n : 0);
  made.own.resize(n);
  return made;
}

/// Rows of S K_R.
template <class T>
void PairSums<T>::multiply_rows(std::size_t b, Change& made) const {
  const std::size_t n = standard_.rows, from = b * sum_block_size;
  const std::size_t to = std::min(made.rows, from + sum_block_size);
  const bool dense = made.entries.size() * dense_sum_gain > made.rows * made.rows;
  std::vector<T> s(dense ? (to - from) * made.rows : 0);
  for (std::size_t i = from; i < to; ++i)
    for (std::size_t e = made.starts[i]; e < made.starts[i + 1]; ++e) {
      const auto& [column, value] = made.entries[e];
      if (dense)
        s[(i - from) * made.rows + column] += static_cast<T>(value);
      else
        add_scaled(static_cast<T>(value), made.kernel + column * made.stride,
                   made.form.data() + i * n, n);
    }
  if (dense)
    multiply(CblasNoTrans, CblasNoTrans, {to - from, n, made.rows}, s.data(), made.rows,
             made.kernel, made.stride, made.form.data() + from * n, n);
}

/// Columns of A K_R in the place of S K_R, and q.
template <class T>
void PairSums<T>::finish_columns(std::size_t b, Change& made) const {
  const std::size_t n = standard_.rows, from = b * sum_block_size;
  const std::size_t to = std::min(n, from + sum_block_size);
  const auto metric = static_cast<T>(sum_.plain.metric_learning);
  const auto whole = static_cast<T>((sum_.plain.tensor_learning + sum_.plain.metric_learning) / 2);
  for (std::size_t i = 0; i < made.rows; ++i) {
    const auto s = static_cast<T>(made.degrees[i]);
    const T direct = static_cast<T>(sum_.plain.symmetric_direct_sum / 2) * s;
    const T* const k = made.kernel + i * made.stride;
    T* const u = made.form.data() + i * n;
    for (std::size_t c = from; c < to; ++c) {
      made.own[c] += static_cast<double>(k[c]) * (metric / 4 * (s * k[c] - u[c]) + direct);
      u[c] = whole * u[c] - metric / 2 * s * k[c];
      if (sparse_) made.turned[c * made.rows + i] = u[c];
    }
  }
}

template <class T>
void PairSums<T>::add_block(const Block& block, const Change& change,
                            std::span<double> sums) const {
  const std::size_t n = standard_.rows;
  const bool dense = block.whole && products();
  std::vector<T> values(dense ? block.count * block.other_count : 0);
  if (dense)
    multiply(CblasTrans, CblasNoTrans, {block.count, block.other_count, change.rows},
             change.kernel + block.first, change.stride, change.form.data() + block.others, n,
             values.data(), block.other_count);
  for (std::size_t p = block.begin; p < block.end; ++p) {
    const std::size_t c = at(first_, p), d = at(second_, p);
    double value = change.own[c] + change.own[d] + change.constant;
    if (dense)
      value = values[(c - block.first) * block.other_count + (d - block.others)] + value;
    else if (products())
      value += dot(change.kernel + c * change.stride, change.turned.data() + d * n, n);
    sums[p] += value;
  }
}

template <class T>
bool PairSums<T>::add(std::span<const std::uint32_t> pairs, std::span<const double> factors,
                      std::span<double> sums, Context& context, bool stoppable) const {
  if (pairs.empty()) return true;
  use_one_blas_thread();
  const auto stopped = [&] { return stoppable && context.stop_requested() != StopReason::none; };
  const auto run = [&](std::size_t count, const auto& body) {
    context.parallel_for(count, [&](std::size_t i) {
      if (!stopped()) body(i);
    });
  };
  Change added = occurring(pairs, factors);
  run(products() ? sum_blocks(added.rows) : 0, [&](std::size_t b) { multiply_rows(b, added); });
  run(sum_blocks(standard_.rows), [&](std::size_t b) { finish_columns(b, added); });
  run(blocks_.size(), [&](std::size_t b) { add_block(blocks_[b], added, sums); });
  return !stopped();
}

template <class T>
std::size_t PairSums<T>::bytes(std::size_t examples, std::size_t pairs) noexcept {
  return 2 * std::min(examples, 2 * pairs) * examples * sizeof(double);
}

template class PairSums<float>;
template class PairSums<double>;

}  // namespace semblance::pairs

// SPDX-License-Identifier: MIT
#include "kernels/pair_sums.hpp"

#include <cblas.h>

#include <algorithm>

#include "newton/double_products.hpp"

namespace semblance::pairs {
namespace {

constexpr std::size_t sum_block_size = 64;
// The speed of a dense product's operations relative to those on single rows.
constexpr std::size_t dense_sum_gain = 3;
constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

std::size_t at(std::span<const std::int32_t> side, std::size_t pair) {
  return static_cast<std::size_t>(side[pair]);
}

}  // namespace

/// The sum to add, as K_R' T + q 1' + 1 q' + constant, where K_R are the rows of K that occur.
struct PairSums::Change {
  std::size_t rows = 0;        // r
  std::vector<double> kernel;  // K_R, r x n
  std::vector<double> form;    // T = A_RR K_R, r x n
  std::vector<double> own;     // q
  double constant = 0;
};

bool PairSums::usable(const PairKernel& kernel) {
  const std::optional<PairKernelSum> sum = kernel.symmetric_sum();
  if (!sum || !kernel.symmetric()) return false;
  const PairKernelSum::Weights& w = sum->squared;
  return w.symmetric_direct_sum == 0 && w.metric_learning == 0 && w.tensor_learning == 0;
}

PairSums::PairSums(const PairKernelSum& sum, MatrixView standard, const PairColumns& pairs)
    : sum_(sum), standard_(standard), pairs_(pairs) {
  const auto first = pairs.first(), second = pairs.second();
  for (std::size_t p = 0; p < pairs.size();) {
    Block block{at(first, p), 0, p, p, at(second, p), 0};
    std::size_t last = block.first, last_other = block.others;
    for (; p < pairs.size() && at(first, p) < block.first + sum_block_size; ++p) {
      last = at(first, p);
      block.others = std::min(block.others, at(second, p));
      last_other = std::max(last_other, at(second, p));
    }
    block.end = p;
    block.count = last + 1 - block.first;
    block.other_count = last_other + 1 - block.others;
    area_ += static_cast<double>(block.count) * static_cast<double>(block.other_count);
    blocks_.push_back(block);
  }
}

double PairSums::operations(std::span<const std::uint32_t> pairs) const {
  std::vector<char> named(standard_.rows);
  for (const std::uint32_t p : pairs)
    named[at(pairs_.first(), p)] = named[at(pairs_.second(), p)] = 1;
  const auto rows = static_cast<double>(std::count(named.begin(), named.end(), 1));
  const double products = sum_.plain.tensor_learning != 0 || sum_.plain.metric_learning != 0;
  return products * rows * area_ +
         (2 * static_cast<double>(pairs.size()) + 2 * rows) * static_cast<double>(standard_.rows);
}

PairSums::Change PairSums::change(std::span<const std::uint32_t> pairs,
                                  std::span<const double> factors, const Run& run) const {
  struct Entry {
    std::size_t column;
    double value;
  };
  const std::size_t n = standard_.rows;
  const double metric = sum_.plain.metric_learning;
  Change made;
  std::vector<std::size_t> places(n, nowhere), examples;
  for (const std::uint32_t p : pairs)
    places[at(pairs_.first(), p)] = places[at(pairs_.second(), p)] = 0;
  for (std::size_t i = 0; i < n; ++i)
    if (places[i] != nowhere) {
      places[i] = examples.size();
      examples.push_back(i);
    }
  made.rows = examples.size();
  std::vector<std::vector<Entry>> entries(made.rows);  // of S
  std::vector<double> degrees(made.rows);              // s
  for (std::size_t r = 0; r < pairs.size(); ++r) {
    const std::size_t a = places[at(pairs_.first(), pairs[r])];
    const std::size_t b = places[at(pairs_.second(), pairs[r])];
    entries[a].push_back({b, factors[r]});
    entries[b].push_back({a, factors[r]});
    degrees[a] += factors[r];
    degrees[b] += factors[r];
    made.constant += sum_.constant * factors[r];
  }
  made.kernel.resize(made.rows * n);
  for (std::size_t i = 0; i < made.rows; ++i)
    std::copy_n(standard_.row(examples[i]), n, made.kernel.data() + i * n);
  made.form.resize(made.rows * n);
  made.own.resize(n);
  const bool dense = 2 * pairs.size() * dense_sum_gain > made.rows * made.rows;
  run((made.rows + sum_block_size - 1) / sum_block_size, [&](std::size_t b) {  // S K_R
    const std::size_t from = b * sum_block_size, to = std::min(made.rows, from + sum_block_size);
    std::vector<double> s(dense ? (to - from) * made.rows : 0);
    for (std::size_t i = from; i < to; ++i)
      for (const Entry& e : entries[i])
        if (dense)
          s[(i - from) * made.rows + e.column] += e.value;
        else
          add_scaled(e.value, made.kernel.data() + e.column * n, made.form.data() + i * n, n);
    if (dense)
      cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(to - from),
                  static_cast<int>(n), static_cast<int>(made.rows), 1, s.data(),
                  static_cast<int>(made.rows), made.kernel.data(), static_cast<int>(n), 0,
                  made.form.data() + from * n, static_cast<int>(n));
  });
  run((n + sum_block_size - 1) / sum_block_size, [&](std::size_t b) {
    const std::size_t from = b * sum_block_size, to = std::min(n, from + sum_block_size);
    const double whole = (sum_.plain.tensor_learning + metric) / 2;
    for (std::size_t i = 0; i < made.rows; ++i) {
      const double s = degrees[i], direct = sum_.plain.symmetric_direct_sum / 2 * s;
      const double* const k = made.kernel.data() + i * n;
      double* const u = made.form.data() + i * n;
      for (std::size_t c = from; c < to; ++c) {
        made.own[c] += k[c] * (metric / 4 * (s * k[c] - u[c]) + direct);
        u[c] = whole * u[c] - metric / 2 * s * k[c];
      }
    }
  });
  return made;
}

void PairSums::add_block(const Block& block, const Change& change, std::span<double> sums) const {
  const std::size_t n = standard_.rows;
  std::vector<double> values(block.count * block.other_count);
  if (sum_.plain.tensor_learning != 0 || sum_.plain.metric_learning != 0)
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, static_cast<int>(block.count),
                static_cast<int>(block.other_count), static_cast<int>(change.rows), 1,
                change.kernel.data() + block.first, static_cast<int>(n),
                change.form.data() + block.others, static_cast<int>(n), 0, values.data(),
                static_cast<int>(block.other_count));
  for (std::size_t p = block.begin; p < block.end; ++p) {
    const std::size_t c = at(pairs_.first(), p), d = at(pairs_.second(), p);
    sums[p] += values[(c - block.first) * block.other_count + (d - block.others)] +
               (change.own[c] + change.own[d] + change.constant);
  }
}

bool PairSums::add(std::span<const std::uint32_t> pairs, std::span<const double> factors,
                   std::span<double> sums, Context& context, bool stoppable) const {
  if (pairs.empty()) return true;
  use_one_blas_thread();
  const auto stopped = [&] { return stoppable && context.stop_requested() != StopReason::none; };
  const Run run = [&](std::size_t count, const std::function<void(std::size_t)>& body) {
    context.parallel_for(count, [&](std::size_t i) {
      if (!stopped()) body(i);
    });
  };
  const Change added = change(pairs, factors, run);
  run(blocks_.size(), [&](std::size_t b) { add_block(blocks_[b], added, sums); });
  return !stopped();
}

std::size_t PairSums::bytes(std::size_t examples, std::size_t pairs) noexcept {
  return 2 * std::min(examples, 2 * pairs) * examples * sizeof(double);
}

}  // namespace semblance::pairs

// SPDX-License-Identifier: MIT
#include "newton/pair_gram.hpp"

#include <cblas.h>

#include <algorithm>

#include "newton/double_products.hpp"

namespace semblance::pairs {
namespace {

constexpr std::size_t block_size = 64;
// The speed of a dense product's operations relative to those on single rows.
constexpr std::size_t dense_gain = 3;

std::size_t blocks(std::size_t rows) { return (rows + block_size - 1) / block_size; }

}  // namespace

PairGram::PairGram(const PairKernelSum& sum, MatrixView standard, Context& context)
    : sum_(sum),
      standard_(standard),
      context_(context),
      form_(standard.rows * standard.rows),
      degrees_(standard.rows),
      own_(standard.rows) {
  use_one_blas_thread();
}

void PairGram::set_pairs(std::vector<std::int32_t> first, std::vector<std::int32_t> second) {
  const std::size_t n = standard_.rows;
  first_ = std::move(first);
  second_ = std::move(second);
  starts_.assign(n + 1, 0);
  for (const auto* side : {&first_, &second_})
    for (const std::int32_t i : *side) ++starts_[static_cast<std::size_t>(i) + 1];
  for (std::size_t i = 0; i < n; ++i) starts_[i + 1] += starts_[i];
  std::vector<std::size_t> at(starts_.begin(), starts_.end() - 1);
  entries_.resize(2 * first_.size());
  for (std::uint32_t p = 0; p < first_.size(); ++p)
    for (const std::int32_t i : {first_[p], second_[p]})
      entries_[at[static_cast<std::size_t>(i)]++] = p;
  first_pair_.assign(1, 0);
  for (std::size_t b = 1; b <= blocks(n); ++b)
    first_pair_.push_back(static_cast<std::size_t>(
        std::lower_bound(first_.begin(), first_.end(), static_cast<std::int32_t>(b * block_size)) -
        first_.begin()));
  turned_.resize(dense() ? 0 : n * n);
}

bool PairGram::dense() const noexcept {
  return 2 * first_.size() * dense_gain > standard_.rows * standard_.rows;
}

void PairGram::run(std::size_t count, const std::function<void(std::size_t)>& body) {
  context_.parallel_for(count, [&](std::size_t i) {
    if (context_.stop_requested() == StopReason::none) body(i);
  });
}

/// Rows of S K.
void PairGram::left_product(std::size_t b, const std::vector<double>& v) {
  const std::size_t n = standard_.rows, from = b * block_size, to = std::min(n, from + block_size);
  const bool whole = dense();
  std::vector<float> s(whole ? (to - from) * n : 0);
  for (std::size_t i = from; i < to; ++i) {
    float* const row = form_.data() + i * n;
    std::fill_n(row, n, 0.0F);
    double degree = 0;
    for (std::size_t e = starts_[i]; e < starts_[i + 1]; ++e) {
      const std::uint32_t p = entries_[e];
      const auto other = static_cast<std::size_t>(
          static_cast<std::size_t>(first_[p]) == i ? second_[p] : first_[p]);
      degree += v[p];
      if (whole)
        s[(i - from) * n + other] += static_cast<float>(v[p]);
      else if (products())
        cblas_saxpy(static_cast<int>(n), static_cast<float>(v[p]), standard_.row(other), 1, row, 1);
    }
    degrees_[i] = static_cast<float>(degree);
  }
  if (whole && products())
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(to - from),
                static_cast<int>(n), static_cast<int>(n), 1, s.data(), static_cast<int>(n),
                standard_.row(0), static_cast<int>(standard_.stride), 0, form_.data() + from * n,
                static_cast<int>(n));
}

/// Columns of A K in the place of S K, and q; see PairSums.
void PairGram::finish_form(std::size_t b) {
  const std::size_t n = standard_.rows, from = b * block_size, to = std::min(n, from + block_size);
  const auto metric = static_cast<float>(sum_.plain.metric_learning);
  const auto whole =
      static_cast<float>(sum_.plain.tensor_learning + sum_.plain.metric_learning) / 2;
  const auto direct = static_cast<float>(sum_.plain.symmetric_direct_sum) / 2;
  std::vector<double> own(to - from);
  for (std::size_t i = 0; i < n; ++i) {
    const float s = degrees_[i];
    const float* const k = standard_.row(i);
    float* const u = form_.data() + i * n;
    for (std::size_t c = from; c < to; ++c) {
      own[c - from] += static_cast<double>(k[c]) * (metric / 4 * (s * k[c] - u[c]) + direct * s);
      u[c] = whole * u[c] - metric / 2 * s * k[c];
      if (!turned_.empty()) turned_[c * n + i] = u[c];
    }
  }
  std::copy(own.begin(), own.end(), own_.begin() + static_cast<std::ptrdiff_t>(from));
}

void PairGram::values(std::size_t b, std::vector<double>& out) const {
  const std::size_t n = standard_.rows, from = b * block_size, to = std::min(n, from + block_size);
  const bool whole = dense() && products();
  std::vector<float> all(whole ? (to - from) * (n - from) : 0);
  if (whole)
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(to - from),
                static_cast<int>(n - from), static_cast<int>(n), 1, standard_.row(from),
                static_cast<int>(standard_.stride), form_.data() + from, static_cast<int>(n), 0,
                all.data(), static_cast<int>(n - from));
  for (std::size_t p = first_pair_[b]; p < first_pair_[b + 1]; ++p) {
    const auto c = static_cast<std::size_t>(first_[p]), d = static_cast<std::size_t>(second_[p]);
    double value = static_cast<double>(own_[c]) + own_[d] + constant_;
    if (whole)
      value += all[(c - from) * (n - from) + (d - from)];
    else if (products())
      value += cblas_sdot(static_cast<int>(n), standard_.row(c), 1, turned_.data() + d * n, 1);
    out[p] = value;
  }
}

void PairGram::multiply(const std::vector<double>& v, std::vector<double>& out) {
  const std::size_t count = blocks(standard_.rows);
  constant_ = 0;
  for (const double x : v) constant_ += sum_.constant * x;
  out.resize(v.size());
  run(count, [&](std::size_t b) { left_product(b, v); });
  run(count, [&](std::size_t b) { finish_form(b); });
  run(count, [&](std::size_t b) { values(b, out); });
}

std::size_t PairGram::bytes(std::size_t examples, std::size_t pairs) noexcept {
  return 2 * examples * examples * sizeof(float) + 32 * pairs;
}

}  // namespace semblance::pairs

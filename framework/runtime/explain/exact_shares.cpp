// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <vector>

#include "runtime/explain/product_shares.hpp"
#include "runtime/explain/shares.hpp"

namespace semblance {
namespace {

/// One basis with all rows.
class BasisShares {
 public:
  BasisShares(const Similarity& similarity, const ComparedRows& compared,
              const ProductShares* products)
      : similarity_(similarity),
        make_(*similarity.parts_make()),
        compared_(compared),
        rows_(compared.rows),
        background_(compared.background),
        products_(products),
        basis_(rows_.cols),
        present_(rows_.cols),
        absent_(background_.rows * rows_.cols),
        mean_(rows_.cols),
        absent_factors_(rows_.cols, products ? background_.rows : 0),
        scratch_(products ? products->scratch() : 0) {}

  void add(std::size_t basis, const BasisWeight& weight, double* shares) {
    const std::size_t d = rows_.cols;
    if (compared_.columns.empty())
      similarity_.kept_basis(basis, basis_);
    else
      similarity_.kept_values(basis, compared_.columns, compared_.width, basis_);
    for (std::size_t r = 0; r < background_.rows; ++r)
      similarity_.compare_parts(basis_, background_.row_span(r),
                                std::span(absent_).subspan(r * d, d));
    if (make_ == PartsMake::sum)
      take_mean();
    else
      absent_factors_.set(absent_);
    for (std::size_t i = 0; i < rows_.rows; ++i) {
      const double w = weight(i, basis);
      if (w == 0) continue;
      similarity_.compare_parts(basis_, rows_.row_span(i), present_);
      if (make_ == PartsMake::sum) {
        for (std::size_t k = 0; k < d; ++k) shares[i * d + k] += w * (present_[k] - mean_[k]);
        continue;
      }
      products_->add(present_.data(), absent_factors_, w / static_cast<double>(background_.rows),
                     shares + i * d, scratch_.data());
    }
  }

 private:
  void take_mean() {
    const std::size_t d = rows_.cols;
    std::ranges::fill(mean_, 0.0);
    for (std::size_t r = 0; r < background_.rows; ++r)
      for (std::size_t k = 0; k < d; ++k) mean_[k] += absent_[r * d + k];
    for (double& value : mean_) value /= static_cast<double>(background_.rows);
  }

  const Similarity& similarity_;
  PartsMake make_;
  const ComparedRows& compared_;
  MatrixView rows_, background_;
  const ProductShares* products_;  ///< null: the similarity is a sum
  std::vector<float> basis_;
  std::vector<double> present_, absent_, mean_;
  AbsentFactors absent_factors_;
  std::vector<double> scratch_;
};

}  // namespace

std::string why_no_exact_shares(const Similarity& similarity) {
  if (!similarity.parts_make()) return "its similarity is no sum or product over columns";
  if (!similarity.abilities().keeps_bases) return "its similarity does not retain its bases";
  return "";
}

void add_exact_shares(const Similarity& similarity, const BasisWeight& weight,
                      const ComparedRows& compared, std::span<double> shares, Context& context) {
  // A fixed number of sums, whose memory is that of the shares, added in order.
  constexpr std::size_t sums = 16;
  const std::size_t bases = similarity.bases(), each = (bases + sums - 1) / sums;
  std::vector<std::vector<double>> partial(sums);
  std::optional<ProductShares> products;
  if (similarity.parts_make() == PartsMake::product) products.emplace(compared.rows.cols);
  context.parallel_for(sums, [&](std::size_t s) {
    const std::size_t end = std::min(bases, (s + 1) * each);
    if (s * each >= end) return;
    partial[s].assign(shares.size(), 0);
    BasisShares own(similarity, compared, products ? &*products : nullptr);
    for (std::size_t b = s * each; b < end; ++b) {
      context.check_stop();
      own.add(b, weight, partial[s].data());
    }
  });
  for (const std::vector<double>& part : partial)
    for (std::size_t i = 0; i < part.size(); ++i) shares[i] += part[i];
}

}  // namespace semblance

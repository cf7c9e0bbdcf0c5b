// SPDX-License-Identifier: MIT
#include "crammer_singer/class_vectors.hpp"

#include <algorithm>
#include <vector>

#include "skinny_product.hpp"
#include "sparse/lanes.hpp"

namespace semblance::linear {
namespace {

class DenseClassVectors final : public ClassVectors {
 public:
  DenseClassVectors(const Rows& rows, double bias, std::size_t classes)
      : rows_(rows),
        bias_(bias),
        w_(classes, rows.cols() + (bias != 0 ? 1 : 0)),
        scratch_(common::multiply_scratch(1, classes)) {}

  void products(std::size_t sample, double* f) override {
    const float* const row = rows_.view(sample, 1).row(0);
    multiply({&row, 1}, scratch_.data(), f);
  }

  void products(MatrixView block, double* f) const override {
    std::vector<const float*> pointers(block.rows);
    for (std::size_t i = 0; i < block.rows; ++i) pointers[i] = block.row(i);
    std::vector<double> scratch(common::multiply_scratch(block.rows, w_.count()));
    multiply(pointers, scratch.data(), f);
  }

  void add(std::size_t sample, std::span<const double> factors) override {
    const float* x = rows_.view(sample, 1).row(0);
    const std::size_t cols = rows_.cols();
    for (std::size_t m = 0; m < factors.size(); ++m) {
      if (factors[m] == 0) continue;
      double* w = w_.row(m);
      for (std::size_t j = 0; j < cols; ++j) w[j] += factors[m] * double{x[j]};
      if (bias_ != 0) w[cols] += bias_ * factors[m];
    }
  }

  double squares() const override {
    double sum = 0;
    for (std::size_t m = 0; m < w_.count(); ++m) sum += dot(w_.row(m), w_.row(m), w_.cols());
    return sum;
  }

  void copy_to(Vectors<double>& to) const override {
    for (std::size_t m = 0; m < w_.count(); ++m) std::copy_n(w_.row(m), w_.cols(), to.row(m));
  }

 private:
  void multiply(std::span<const float* const> rows, double* scratch, double* f) const {
    const std::size_t k = w_.count(), cols = rows_.cols();
    common::multiply({rows.data(), rows.size(), cols}, w_.row(0), w_.stride(), k, scratch, f);
    for (std::size_t i = 0; bias_ != 0 && i < rows.size() * k; ++i)
      f[i] += bias_ * w_.row(i % k)[cols];
  }

  const Rows& rows_;
  double bias_;
  Vectors<double> w_;
  std::vector<double> scratch_;  // products of one sample
};

class SparseClassVectors final : public ClassVectors {
 public:
  explicit SparseClassVectors(const LinearTask& task)
      : rows_(task.training.rows),
        bias_(task.bias),
        classes_(task.classes()),
        centre_(task.centre),
        w_(rows_.cols(), bias_, classes_, centre_) {}

  void products(std::size_t sample, double* f) override { products(rows_.view(sample, 1), f); }

  void products(MatrixView block, double* f) const override {
    std::vector<double> lanes(w_.lanes());
    for (std::size_t i = 0; i < block.rows; ++i) scores(row(block, i), lanes, f + i * classes_);
  }

  void add(std::size_t sample, std::span<const double> factors) override {
    std::vector<double> lanes(w_.lanes());
    std::ranges::copy(factors, lanes.begin());
    w_.add(row(rows_.view(sample, 1), 0), lanes.data());
  }

  double squares() const override {
    double sum = 0;
    for (std::size_t j = 0; j < w_.columns(); ++j)
      for (std::size_t m = 0; m < classes_; ++m) sum += weight(j, m) * weight(j, m);
    return sum;
  }

  void copy_to(Vectors<double>& to) const override {
    for (std::size_t j = 0; j < rows_.cols() + (bias_ != 0 ? 1 : 0); ++j)
      for (std::size_t m = 0; m < classes_; ++m) to.row(m)[j] = weight(j, m);
  }

 private:
  SparseRow row(MatrixView rows, std::size_t i) const {
    SparseRow entries = entries_of(rows, i);
    entries.at_centre = centre_.product(entries);
    return entries;
  }

  double weight(std::size_t column, std::size_t m) const {
    const bool moved = column < centre_.of_column.size();
    return w_.of(column)[m] - (moved ? w_.sum(m) * centre_.of_column[column] : 0);
  }

  void scores(const SparseRow& entries, std::vector<double>& lanes, double* f) const {
    w_.scores(entries, lanes.data());
    std::copy_n(lanes.begin(), classes_, f);
  }

  const Rows& rows_;
  double bias_;
  std::size_t classes_;
  Centre centre_;
  LaneWeights w_;
};

}  // namespace

std::unique_ptr<ClassVectors> ClassVectors::of(const LinearTask& task) {
  if (task.sparse()) return std::make_unique<SparseClassVectors>(task);
  return std::make_unique<DenseClassVectors>(task.training.rows, task.bias, task.classes());
}

std::size_t ClassVectors::bytes(std::size_t dimension, std::size_t classes) noexcept {
  return padded_lanes(classes) * padded(dimension + 1) * sizeof(double);
}

}  // namespace semblance::linear

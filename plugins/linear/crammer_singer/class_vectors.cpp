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
      : rows_(rows), bias_(bias), w_(classes, rows.cols() + (bias != 0 ? 1 : 0)) {}

  void products(std::span<const std::size_t> samples, double* f) const override {
    multiply(values(samples), f);
  }

  void products(MatrixView block, double* f) const override {
    std::vector<const float*> pointers(block.rows);
    for (std::size_t i = 0; i < block.rows; ++i) pointers[i] = block.row(i);
    multiply(pointers, f);
  }

  void add(std::span<const std::size_t> samples, std::span<const double> factors,
           Context& context) override {
    const std::size_t k = w_.count(), cols = rows_.cols();
    for (std::size_t i = 0; bias_ != 0 && i < samples.size(); ++i)
      for (std::size_t m = 0; m < k; ++m) w_.row(m)[cols] += bias_ * factors[i * k + m];
    const std::vector<const float*> rows = values(samples);
    const std::size_t width = padded(worthwhile_task(samples.size(), k)),
                      tasks = (cols + width - 1) / width;
    const auto body = [&](std::size_t task) {
      const std::size_t first = task * width;
      std::vector<const float*> parts(rows);
      for (const float*& part : parts) part += first;
      common::multiply_transposed({parts.data(), parts.size(), std::min(width, cols - first)},
                                  factors.data(), k, w_.row(0) + first, w_.stride());
    };
    if (tasks == 1)
      body(0);
    else
      context.parallel_for(tasks, body);
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
  std::vector<const float*> values(std::span<const std::size_t> samples) const {
    std::vector<const float*> pointers(samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i) pointers[i] = rows_.view(samples[i], 1).row(0);
    return pointers;
  }

  void multiply(const std::vector<const float*>& rows, double* f) const {
    const std::size_t k = w_.count(), cols = rows_.cols();
    std::vector<double> scratch(common::multiply_scratch(rows.size(), k));
    common::multiply({rows.data(), rows.size(), cols}, w_.row(0), w_.stride(), k, scratch.data(),
                     f);
    for (std::size_t i = 0; bias_ != 0 && i < rows.size() * k; ++i)
      f[i] += bias_ * w_.row(i % k)[cols];
  }

  const Rows& rows_;
  double bias_;
  Vectors<double> w_;
};

class SparseClassVectors final : public ClassVectors {
 public:
  explicit SparseClassVectors(const LinearTask& task)
      : rows_(task.training.rows),
        bias_(task.bias),
        classes_(task.classes()),
        centre_(task.centre),
        w_(rows_.cols(), bias_, classes_, centre_) {}

  void products(std::span<const std::size_t> samples, double* f) const override {
    std::vector<double> lanes(w_.lanes());
    for (std::size_t i = 0; i < samples.size(); ++i)
      scores(row(rows_.view(samples[i], 1), 0), lanes, f + i * classes_);
  }

  void products(MatrixView block, double* f) const override {
    std::vector<double> lanes(w_.lanes());
    for (std::size_t i = 0; i < block.rows; ++i) scores(row(block, i), lanes, f + i * classes_);
  }

  /// On one thread: samples share columns.
  void add(std::span<const std::size_t> samples, std::span<const double> factors,
           Context&) override {
    std::vector<double> lanes(w_.lanes());
    for (std::size_t i = 0; i < samples.size(); ++i) {
      std::copy_n(factors.data() + i * classes_, classes_, lanes.begin());
      w_.add(row(rows_.view(samples[i], 1), 0), lanes.data());
    }
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
  LaneWeights<double> w_;
};

}  // namespace

std::unique_ptr<ClassVectors> ClassVectors::of(const LinearTask& task) {
  if (task.sparse()) return std::make_unique<SparseClassVectors>(task);
  return std::make_unique<DenseClassVectors>(task.training.rows, task.bias, task.classes());
}

std::size_t ClassVectors::bytes(std::size_t dimension, std::size_t classes) noexcept {
  return padded_lanes(classes) * padded(dimension + 1) * sizeof(double);
}

std::size_t worthwhile_task(std::size_t length, std::size_t classes) noexcept {
  constexpr std::size_t products = 200'000;
  return std::max<std::size_t>(32, products / (length * classes + 1));
}

}  // namespace semblance::linear

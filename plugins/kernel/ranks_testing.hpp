// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <string>
#include <utility>

#include "kernel_svm_testing.hpp"
#include "semblance/ranks_testing.hpp"
#include "semblance/row_similarity.hpp"
#include "solver_testing.hpp"

/// Helpers for tests of kernel machines on ranks.
namespace semblance::kernel::testing {

inline const Parameters gaussian = {{"gamma", 0.05}};
inline const Parameters against_rest = {{"multiclass", std::string("one_versus_rest")}};

/// The product of the means of rows that differ in size.
class MeanProduct final : public RowSimilarity<MeanProduct> {
 public:
  static Declaration<MeanProduct> declare() {
    return Declaration<MeanProduct>("similarity/mean_product", "For this test")
        .accepts({LayoutKind::sequence})
        .symmetric();
  }
  float compare(std::span<const float> b, std::span<const float> x) const {
    const auto mean = [](std::span<const float> row) {
      double sum = 0;
      for (const float value : row) sum += value;
      return sum / static_cast<double>(row.size());
    };
    return static_cast<float>(std::exp(-std::pow(mean(b) - mean(x), 2)));
  }
  bool positive_semidefinite() const noexcept override { return true; }
};

/// The data as vectors, or as series of 2 to `cols` steps.
struct Samples {
  Data data;
  Layout layout;
};

inline Samples vectors(Data data) {
  const std::size_t cols = data.values.cols;
  return {std::move(data), Layout::vector(cols)};
}

inline Samples series(const Data& data) {
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < data.values.rows; ++i)
    sizes.push_back(2 + i * 7 % (data.values.cols - 1));
  Samples made{{FloatMatrix::ragged(data.values.cols, sizes), data.labels, data.classes},
               Layout::sequence(data.values.cols, 1)};
  for (std::size_t i = 0; i < data.values.rows; ++i)
    std::copy_n(data.values.view().row(i), sizes[i], made.data.values.view().row(i));
  return made;
}

/// Everything learned and reported, except the time.
inline std::string outcome(const Solver& svm, const MemoryReport& report) {
  return saved_bits(svm) + semblance::testing::bits_of(report);
}

struct Outcome {
  std::string text;
  std::string certificate;
};

inline Outcome train_on(const KernelMaker& kernel, const Rows& rows, const Samples& samples,
                        Context& context, const Parameters& parameters,
                        const Parameters& of_kernel) {
  const auto svm = kernel_svm(kernel, parameters, of_kernel);
  MemoryReport report;
  svm->bind(samples.layout);
  svm->train(training_set(rows, samples.layout, samples.data), report, context);
  return {outcome(*svm, report), report.texts.at("certificate")};
}

}  // namespace semblance::kernel::testing

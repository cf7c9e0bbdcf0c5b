// SPDX-License-Identifier: MIT
// Kernel machines on samples that differ in size.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <numeric>

#include "kernel_svm_testing.hpp"
#include "saved_bits_testing.hpp"
#include "semblance/distance.hpp"
#include "semblance/random.hpp"
#include "semblance/similarity.hpp"

namespace semblance::kernel::ragged_rows_test {
namespace {

using namespace testing;

constexpr std::size_t ragged_count = 45, longest = 9;

/// The distance between the means, plus that between the lengths.
class MeanAndLength final : public RowDistance<MeanAndLength> {
 public:
  static Declaration<MeanAndLength> declare() {
    Declaration<MeanAndLength> declaration("similarity/mean_and_length", "For this test");
    return distance_parameters(declaration).accepts({LayoutKind::sequence}).symmetric();
  }
  double distance(std::span<const float> b, std::span<const float> x) const {
    const auto mean = [](std::span<const float> row) {
      return std::accumulate(row.begin(), row.end(), 0.0) / static_cast<double>(row.size());
    };
    const auto longer = static_cast<double>(b.size()) - static_cast<double>(x.size());
    return std::abs(mean(b) - mean(x)) + 0.1 * std::abs(longer);
  }
};

struct RaggedData {
  FloatMatrix values;
  std::vector<std::int32_t> labels;
  std::vector<std::string> classes;
};

RaggedData ragged_data() {
  Random random(4);
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < ragged_count; ++i) sizes.push_back(1 + random.below(longest));
  RaggedData data{FloatMatrix::ragged(longest, sizes), {}, {"a", "b", "c"}};
  for (std::size_t i = 0; i < ragged_count; ++i) {
    data.labels.push_back(static_cast<std::int32_t>(i % 3));
    for (float& value : data.values.view().row_span(i))
      value = static_cast<float>(static_cast<double>(i % 3) + random.normal());
  }
  return data;
}

}  // namespace

TEST_CASE("series of differing length give the machine that their similarities give") {
  const RaggedData data = ragged_data();
  const Layout layout = Layout::sequence(longest, 1);
  TestContext context;

  MeanAndLength measure;
  assign(measure, MeanAndLength::declare().entry(), {{"width", std::string("1")}});
  measure.bind(layout);
  std::vector<std::int64_t> all(ragged_count);
  std::iota(all.begin(), all.end(), 0);
  measure.set_bases(data.values.view(), all, context);
  RaggedData matrix{FloatMatrix(ragged_count, ragged_count), data.labels, data.classes};
  measure.apply(data.values.view(), matrix.values.view(), context);

  const Parameters parameters = {{"repair", std::string("clip")}, {"C", 2.0}};
  const auto given = kernel_svm("similarity/precomputed", parameters, {});
  const MemoryReport expected = train(*given, matrix, context);

  const auto svm =
      kernel_svm(own_kernel<MeanAndLength>(), parameters, {{"width", std::string("1")}});
  const MemoryRows rows(data.values);
  MemoryReport report;
  svm->bind(layout);
  svm->train({rows, layout, data.labels, data.classes}, report, context);
  CHECK(report.numbers.at("objective") == expected.numbers.at("objective"));
  CHECK(report.integers.at("support_vectors") == expected.integers.at("support_vectors"));
  // All samples with a coefficient, each with its own number of values.
  CHECK(report.integers.at("parameters") <
        report.integers.at("support_vectors") * static_cast<std::int64_t>(longest + 1));
  const FloatMatrix out = scores(*svm, data.values, 3);
  CHECK(out.values == scores(*given, matrix.values, 3).values);

  MemoryState state;
  svm->save(state);
  const auto loaded =
      kernel_svm(own_kernel<MeanAndLength>(), parameters, {{"width", std::string("1")}});
  loaded->bind(layout);
  loaded->load(state, context);
  CHECK(scores(*loaded, data.values, 3).values == out.values);
}

TEST_CASE("new samples are compared with the width that the machine was trained with") {
  const RaggedData data = ragged_data();
  const Layout layout = Layout::sequence(longest, 1);
  const MemoryRows rows(data.values);
  TestContext context;
  const auto trained = [&](const std::string& width) {
    auto svm = kernel_svm(own_kernel<MeanAndLength>(), {{"C", 2.0}},
                          {{"as", std::string("exponential")}, {"width", width}});
    MemoryReport report;
    svm->bind(layout);
    svm->train({rows, layout, data.labels, data.classes}, report, context);
    CHECK(report.integers.at("support_vectors") < static_cast<std::int64_t>(ragged_count));
    return svm;
  };
  const auto learned = trained("auto");
  MemoryState state;
  learned->save(state);
  char width[32];
  std::snprintf(width, sizeof width, "%.17g", state.number("kernel_width"));
  CHECK(scores(*learned, data.values, 3).values == scores(*trained(width), data.values, 3).values);
}

}  // namespace semblance::kernel::ragged_rows_test

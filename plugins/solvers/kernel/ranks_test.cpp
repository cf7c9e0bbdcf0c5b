// SPDX-License-Identifier: MIT
// A kernel machine whose rows are spread over several ranks: the same bits as alone.
#include <doctest/doctest.h>

#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <thread>

#include "kernel/kernel_svm_testing.hpp"
#include "polynomial.hpp"
#include "precomputed.hpp"
#include "rbf.hpp"
#include "semblance/collectives_testing.hpp"
#include "semblance/row_similarity.hpp"
#include "solver_testing.hpp"

namespace semblance::solvers {
namespace {

using namespace testing;

const Parameters gaussian = {{"gamma", 0.05}};
const Parameters against_rest = {{"multiclass", std::string("one_versus_rest")}};

/// Inner products of the means of rows that differ in size.
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

/// The data as they are, or as series of 2 to `cols` steps.
struct Samples {
  Data data;
  Layout layout;
};

Samples vectors(Data data) {
  const std::size_t cols = data.values.cols;
  return {std::move(data), Layout::vector(cols)};
}

Samples series(const Data& data) {
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < data.values.rows; ++i)
    sizes.push_back(2 + i * 7 % (data.values.cols - 1));
  Samples made{{FloatMatrix::ragged(data.values.cols, sizes), data.labels, data.classes},
               Layout::sequence(data.values.cols, 1)};
  for (std::size_t i = 0; i < data.values.rows; ++i)
    std::copy_n(data.values.view().row(i), sizes[i], made.data.values.view().row(i));
  return made;
}

/// Everything that is learned and said of it, but the time.
std::string outcome(const KernelSvm& svm, const MemoryReport& report) {
  std::string text = saved_bits(svm);
  for (const auto& [name, value] : report.numbers)
    if (name != "train_seconds") text += name + std::to_string(std::bit_cast<std::uint64_t>(value));
  for (const auto& [name, value] : report.integers) text += name + std::to_string(value);
  for (const auto& [name, value] : report.texts) text += name + value;
  for (const auto& [name, table] : report.tables)
    for (const double y : table.values) text += std::to_string(std::bit_cast<std::uint64_t>(y));
  return text;
}

struct Outcome {
  std::string text;
  std::string certificate;
};

template <class Kernel>
Outcome train_on(const Rows& rows, const Samples& samples, Context& context,
                 const Parameters& parameters, const Parameters& of_kernel) {
  const auto svm = kernel_svm<Kernel>(parameters, of_kernel);
  MemoryReport report;
  svm->bind(samples.layout);
  svm->train({rows, samples.layout, samples.data.labels, samples.data.classes}, report, context);
  return {outcome(*svm, report), report.texts.at("certificate")};
}

/// Whether ranks, with one and two threads each, come to what one process does.
template <class Kernel = Rbf>
void check_same(const Samples& samples, const Parameters& parameters = {},
                const Parameters& of_kernel = gaussian,
                std::initializer_list<std::size_t> numbers = {2, 3, 4, 8},
                std::size_t budget = std::size_t{1} << 30) {
  const MemoryRows all(samples.data.values);
  TestContext alone;
  const Outcome expected = train_on<Kernel>(all, samples, alone, parameters, of_kernel);
  CHECK(expected.certificate == "converged");
  for (const std::size_t ranks : numbers)
    for (const std::size_t threads : {1U, 2U}) {
      CAPTURE(ranks);
      CAPTURE(threads);
      std::atomic<std::size_t> same = 0;
      on_ranks(
          ranks,
          [&](RankContext& context) {
            // Of different sizes: what is decided must be the same all the same.
            context.alone().budget = budget - (context.collectives().rank() << 10);
            const OwnRows own(all, context.collectives());
            same += train_on<Kernel>(own, samples, context, parameters, of_kernel).text ==
                    expected.text;
          },
          threads);
      CHECK(same == ranks);
    }
}

}  // namespace

TEST_CASE("ranks: two classes give the bits that one process does") {
  check_same(vectors(clouds(2600, 9, 2)));
  check_same(vectors(clouds(2400, 5, 2)), {{"C", 3.0}, {"shrinking", true}}, gaussian, {3});
}

TEST_CASE("ranks: so does one against the rest") {
  check_same(vectors(clouds(2500, 7, 4)), against_rest, gaussian, {2, 3, 8});
}

TEST_CASE("ranks: so does one against one") {
  check_same(vectors(clouds(2900, 6, 5)));
  check_same<Polynomial>(vectors(clouds(2500, 4, 3)), {{"C", 0.01}}, {}, {3});
}

TEST_CASE("ranks: so do series that differ in length") {
  const Samples samples = series(clouds(2500, 8, 2));
  check_same<MeanProduct>(samples, {}, {}, {3, 8});
}

}  // namespace semblance::solvers

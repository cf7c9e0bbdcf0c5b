// SPDX-License-Identifier: MIT
#include "matrix/shared_kernel.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "kernel_svm_testing.hpp"
#include "semblance/error.hpp"

namespace shared_kernel_test {

using namespace semblance;
using namespace semblance::kernel;
using namespace semblance::kernel::testing;

LabelledRows clouds(std::size_t rows, std::size_t classes) {
  return overlapping_clouds(rows, 5, classes, 1.0F, 3);
}

/// What a machine has learned, and its figures but for times.
struct Learned {
  std::map<std::string, std::int64_t> integers;
  std::map<std::string, double> numbers;
  std::vector<float> scores;
  std::string certificate;

  friend bool operator==(const Learned&, const Learned&) = default;
};

SharesWork& sharing(Solver& svm) { return dynamic_cast<SharesWork&>(svm); }

Learned learn(Solver& svm, const LabelledRows& samples, Context& context,
              const std::shared_ptr<SharedWork>& work) {
  sharing(svm).use_shared_work(work);
  const MemoryReport report = train(svm, samples, context);
  sharing(svm).use_shared_work(nullptr);
  Learned learned{{},
                  report.numbers,
                  scores(svm, samples.values, samples.classes.size()).values,
                  report.texts.at("certificate")};
  learned.numbers.erase("train_seconds");
  return learned;
}

const std::vector<double> costs{10, 0.01, 1, 1, 0.3};

/// Trains machines for all costs that share work, and compares each with one that shares nothing.
void check_sharing(const LabelledRows& samples, const KernelMaker& kernel,
                   const Parameters& of_kernel, const Parameters& more = {},
                   std::size_t bytes = std::size_t{1} << 30) {
  for (const std::size_t threads : {1U, 3U}) {
    TestContext context(threads);
    std::shared_ptr<SharedWork> work;
    for (const double cost : costs) {
      CAPTURE(cost);
      Parameters all = more;
      all.emplace_back("C", cost);
      const auto svm = kernel_svm(kernel, all, of_kernel);
      if (!work) work = sharing(*svm).make_shared_work(samples.values.rows, bytes);
      REQUIRE(work);
      const auto alone = kernel_svm(kernel, all, of_kernel);
      CHECK(learn(*svm, samples, context, work) == learn(*alone, samples, context, nullptr));
    }
  }
}

TEST_CASE("machines that share kernel rows have the bits of machines that do not") {
  check_sharing(clouds(300, 2), "similarity/rbf", {{"gamma", 0.3}});
  check_sharing(clouds(300, 4), "similarity/rbf", {{"gamma", 0.3}});
  check_sharing(clouds(300, 4), "similarity/rbf", {{"gamma", 0.3}},
                {{"multiclass", "one_versus_rest"}});
  check_sharing(clouds(300, 3), "similarity/linear", {});
  check_sharing(clouds(300, 3), "similarity/rbf", {});
  LabelledRows weighted = clouds(300, 3);
  for (std::size_t i = 0; i < 300; ++i) weighted.weights.push_back(double(i * 7 % 11 % 4));
  check_sharing(weighted, "similarity/rbf", {{"gamma", 0.3}});
}

TEST_CASE("the same with room for a part of the rows, and for a matrix that is repaired") {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{100'000}})
    check_sharing(clouds(300, 3), "similarity/rbf", {{"gamma", 0.3}}, {}, bytes);
  check_sharing(clouds(150, 3), "similarity/polynomial", {{"offset", -2.0}}, {{"repair", "clip"}});
  check_sharing(clouds(150, 3), "similarity/polynomial", {{"degree", 2}}, {{"repair", "refuse"}});
  const auto svm = kernel_svm("similarity/polynomial", {{"repair", "clip"}}, {{"offset", -2.0}});
  CHECK_FALSE(sharing(*svm).make_shared_work(150, 3 * 4 * 150 * 150 - 1));
}

TEST_CASE("samples in another order share nothing") {
  const LabelledRows samples = clouds(200, 2);
  LabelledRows turned = samples;
  for (std::int32_t& label : turned.labels) label = 1 - label;
  TestContext context;
  const auto make = [] { return kernel_svm("similarity/rbf", {}, {{"gamma", 0.3}}); };
  const auto work = sharing(*make()).make_shared_work(200, std::size_t{1} << 30);
  learn(*make(), samples, context, work);
  CHECK(learn(*make(), turned, context, work) == learn(*make(), turned, context, nullptr));
}

TEST_CASE("a machine that reaches its maximum of iterations says so, and no other does") {
  const LabelledRows samples = clouds(300, 2);
  TestContext context;
  const auto machine = [](double cost, std::int64_t most) {
    return kernel_svm("similarity/rbf", {{"C", cost}, {"max_iterations", most}}, {{"gamma", 0.3}});
  };
  const auto work = sharing(*machine(1, 1)).make_shared_work(300, std::size_t{1} << 30);
  CHECK(learn(*machine(0.01, 100'000), samples, context, work).certificate == "converged");
  CHECK(learn(*machine(100, 20), samples, context, work).certificate == "iteration limit");
  CHECK(learn(*machine(100, 1'000'000), samples, context, work).certificate == "converged");
}

/// Counts the values that it computes; fails as often as is wished.
struct Counting final : numerics::KernelSource {
  mutable std::atomic<std::size_t> values = 0;
  mutable std::atomic<int> failures = 0;
  void compute(std::span<const std::uint32_t> which, std::size_t first,
               MutableMatrixView out) const override {
    if (failures-- > 0) throw Error("it fails");
    values += which.size() * out.cols;
    for (std::size_t r = 0; r < which.size(); ++r)
      for (std::size_t j = 0; j < out.cols; ++j)
        out.row(r)[j] = 1000.0F * static_cast<float>(which[r]) + static_cast<float>(first + j);
  }
};

void check_rows(SharedRows& shared, const Counting& source, std::vector<std::uint32_t> rows,
                std::size_t first, std::size_t count) {
  FloatMatrix out(rows.size(), count);
  shared.compute(source, rows, first, out.view());
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t j = 0; j < count; ++j)
      CHECK(out.view().row(r)[j] == 1000.0F * static_cast<float>(rows[r]) + float(first + j));
}

TEST_CASE("each part of a row is computed once, as long as there is room") {
  SharedRows shared(std::size_t{1} << 20);
  Counting source;
  check_rows(shared, source, {2, 5}, 1, 3);
  check_rows(shared, source, {5, 6, 2, 5}, 1, 3);
  CHECK(source.values == 9);
  check_rows(shared, source, {5}, 0, 2);
  CHECK(source.values == 11);
  CHECK(shared.stored_values() == 11);
  SharedRows none(0);
  check_rows(none, source, {2, 5}, 1, 3);
  check_rows(none, source, {2, 5}, 1, 3);
  CHECK(source.values == 23);
  CHECK(none.stored_values() == 0);
}

TEST_CASE("whole rows are computed once, and any part of them is right") {
  SharedRows shared(std::size_t{1} << 20, 7);
  Counting source;
  check_rows(shared, source, {2, 5}, 1, 3);
  check_rows(shared, source, {5, 6, 2}, 5, 2);
  CHECK(source.values == 3 * 7);
  CHECK(shared.resident(6)[1] == 6001);
  CHECK(shared.resident(0) == nullptr);
}

TEST_CASE("the first whole rows are retained, in half of the memory, and others are right") {
  const Counting source;
  const std::size_t row = 10 * sizeof(float) + 100;
  const RetainingSource half(source, 10, 5 * row), none(source, 10, 2 * row - 1);
  CHECK(&half.source() != &source);
  CHECK(half.bytes_left() == 3 * row);
  CHECK(&none.source() == &source);
  CHECK(none.bytes_left() == 2 * row - 1);
  FloatMatrix out(3, 3);
  const std::vector<std::uint32_t> some{2, 5, 6};
  for (int times = 0; times < 3; ++times) {
    half.source().compute(some, 1, out.view());
    CHECK(out.values == std::vector<float>{2001, 2002, 2003, 5001, 5002, 5003, 6001, 6002, 6003});
  }
  CHECK(source.values == 2 * 10 + 3 * 3);  // 2 and 5 once, three values of 6 three times
  CHECK(half.source().resident(6) == nullptr);
  const FloatMatrix values(10, 10);
  const numerics::MatrixSource matrix(values.view());
  CHECK(&RetainingSource(matrix, 10, 4000).source() == &matrix);
}

TEST_CASE("after a failure the next one computes the rows") {
  SharedRows shared(std::size_t{1} << 20);
  Counting source;
  source.failures = 1;
  FloatMatrix out(2, 3);
  const std::vector<std::uint32_t> rows{1, 2};
  CHECK_THROWS_WITH(shared.compute(source, rows, 0, out.view()), "it fails");
  check_rows(shared, source, rows, 0, 3);
  CHECK(shared.stored_values() == 6);
}

TEST_CASE("many threads compute each value once, or again where one fails") {
  for (const int failures : {0, 5}) {
    SharedRows shared(std::size_t{1} << 24);
    Counting source;
    source.failures = failures;
    std::atomic<std::size_t> wrong = 0, failed = 0;
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        for (std::uint32_t i = 0; i < 200; ++i) {
          const std::vector<std::uint32_t> rows{i, (i + 7 * std::uint32_t(t)) % 200, 199 - i};
          FloatMatrix out(3, 8);
          try {
            shared.compute(source, rows, 0, out.view());
          } catch (const Error&) {
            ++failed;
            continue;
          }
          for (std::size_t r = 0; r < 3; ++r)
            wrong += out.view().row(r)[7] == 1000.0F * static_cast<float>(rows[r]) + 7 ? 0 : 1;
        }
      });
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
    CHECK(failed == std::size_t(failures));
    CHECK(shared.stored_values() == 200 * 8);
    if (failures == 0) CHECK(source.values == 200 * 8);
  }
}

}  // namespace shared_kernel_test

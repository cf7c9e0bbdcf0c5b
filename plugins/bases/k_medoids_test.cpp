// SPDX-License-Identifier: MIT
#include <algorithm>

#include "basis_testing.hpp"
#include "semblance/similarity.hpp"

namespace semblance::bases::k_medoids_test {
namespace {

using namespace testing;

// The simplest measure: the product of single values.
class Product : public Similarity {
 public:
  void set_bases(MatrixView bases, std::span<const std::int64_t> indices, Context&) override {
    bases_ = FloatMatrix(bases);
    seen.insert(seen.end(), indices.begin(), indices.end());
  }
  static inline std::vector<std::int64_t> seen;
  std::size_t bases() const noexcept override { return bases_.rows; }
  double operations() const noexcept override { return 1; }
  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    for (std::size_t i = 0; i < in.rows; ++i)
      for (std::size_t j = 0; j < bases_.rows; ++j)
        out.row(i)[j] = in.row(i)[0] * bases_.view().row(j)[0];
  }

 private:
  void prepare(const Layout&) override {}
  FloatMatrix bases_;
};

class InnerProduct final : public Product {
 public:
  bool inner_product() const noexcept override { return true; }
};

template <class Measure = Product>
std::unique_ptr<Basis> k_medoids(const std::map<std::string, std::int64_t>& values) {
  return make_component<Basis>("basis/k_medoids", {values.begin(), values.end()},
                               {{"similarity", [] { return std::make_unique<Measure>(); }}});
}

// Class a: groups around 0 and 10; class b: around 100 and 120.
LabelledRows groups(float shift = 0) {
  std::vector<float> values = {0, 100, 1, 101, 2, 102, 9, 119, 10, 120, 11, 121};
  for (float& x : values) x += shift;
  return {values, {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1}, 2};
}

TEST_CASE("k_medoids finds the centres of each class's groups") {
  TestContext one(1), two(2);
  auto basis = k_medoids({{"per_class", 2}});
  const LabelledRows data = groups();
  CHECK(basis->uses_rows());
  CHECK(basis->select(data.set(), one) == std::vector<std::int64_t>{2, 8, 3, 9});
  CHECK(basis->select(data.set(), two) == std::vector<std::int64_t>{2, 8, 3, 9});
  CHECK(basis->count(12, 2) == 4);
}

TEST_CASE(
    "k_medoids by inner products finds far from 0 what it finds near it, others are refused") {
  TestContext context;
  const LabelledRows data = groups(100000);
  CHECK(k_medoids<InnerProduct>({{"per_class", 2}})->select(data.set(), context) ==
        std::vector<std::int64_t>{2, 8, 3, 9});
  CHECK_THROWS_AS(k_medoids({{"per_class", 2}})->select(data.set(), context), Error);
}

TEST_CASE("k_medoids gives the measure the rows' numbers, not their positions") {
  TestContext context;
  const LabelledRows data = groups();
  TrainingSet set = data.set();
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = 0; i < 12; ++i) numbers.push_back(100 + 3 * i);
  set.row_numbers = numbers;
  Product::seen.clear();
  CHECK(k_medoids({{"per_class", 2}})->select(set, context) ==
        std::vector<std::int64_t>{2, 8, 3, 9});
  std::ranges::sort(Product::seen);
  CHECK(Product::seen == numbers);
}

TEST_CASE("k_medoids considers only the candidates") {
  TestContext context;
  const auto chosen =
      k_medoids({{"per_class", 1}, {"candidates", 3}})->select(groups().set(), context);
  CHECK(chosen == std::vector<std::int64_t>{2, 3});
  CHECK_THROWS_WITH_AS(k_medoids({{"per_class", 5}, {"candidates", 3}}),
                       "candidates (3) must be at least per_class (5)", Error);
}

TEST_CASE("k_medoids says what it would need when memory does not suffice") {
  const std::vector<float> values(600, 1.0f);
  const LabelledRows data(values, std::vector<std::int32_t>(600, 0), 1);
  TestContext context;
  context.budget = 1 << 20;
  CHECK_THROWS_WITH_AS(k_medoids({{"per_class", 2}})->select(data.set(), context),
                       "comparing the 600 candidates of class 'a' with each other takes 2 MiB, but "
                       "1 MiB are allowed; lower candidates or raise --memory",
                       Error);
}

TEST_CASE("k_medoids stops on request and refuses classes that are too small") {
  TestContext context;
  context.stop = StopReason::cancelled;
  CHECK_THROWS_AS(k_medoids({{"per_class", 2}})->select(groups().set(), context), Cancelled);
  CHECK_THROWS_AS(k_medoids({{"per_class", 7}})->select(groups().set(), context), Error);
}

}  // namespace
}  // namespace semblance::bases::k_medoids_test

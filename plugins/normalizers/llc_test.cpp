// SPDX-License-Identifier: MIT
#include <Eigen/LU>
#include <algorithm>
#include <limits>

#include "normalizer_testing.hpp"
#include "vocabulary.hpp"

namespace llc_test {

using namespace semblance;
using namespace semblance::normalizers;
using namespace semblance::testing;

namespace {

Value whole(std::int64_t x) { return x; }

FloatMatrix normal_rows(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  FloatMatrix m(rows, cols);
  Random random(seed);
  for (float& x : m.values) x = static_cast<float>(random.normal());
  return m;
}

/// The minimum of |x - B^T c|^2 + lambda |c|^2, under sum c = 1 by a Lagrange multiplier.
Eigen::VectorXd least_squares(const Eigen::MatrixXd& b, const Eigen::VectorXd& x, double lambda,
                              bool sum_to_one) {
  const Eigen::Index k = b.rows();
  const Eigen::MatrixXd gram = b * b.transpose() + lambda * Eigen::MatrixXd::Identity(k, k);
  if (!sum_to_one) return gram.fullPivLu().solve(b * x);
  Eigen::MatrixXd system = Eigen::MatrixXd::Zero(k + 1, k + 1);
  system.topLeftCorner(k, k) = gram;
  system.topRightCorner(k, 1).setOnes();
  system.bottomLeftCorner(1, k).setOnes();
  Eigen::VectorXd right(k + 1);
  right << b * x, 1.0;
  return system.fullPivLu().solve(right).head(k);
}

const Layout grid = Layout::grid(6, 5, 12);

std::unique_ptr<Normalizer> coder(const std::string& id, Parameters parameters) {
  parameters.insert(parameters.begin(), {"words", whole(40)});
  auto coder = make_component<Normalizer>(id, parameters);
  coder->bind(grid);
  return coder;
}

void learn(Normalizer& coder, const FloatMatrix& m, std::size_t threads = 2) {
  TestContext context(threads);
  const MemoryRows rows(m);
  coder.fit({rows, grid, {}, {}}, context);
}

FloatMatrix coded(const Normalizer& coder, const FloatMatrix& m, std::size_t cols) {
  TestContext context;
  FloatMatrix out(m.rows, cols);
  coder.apply(m.view(), out.view(), context);
  return out;
}

/// Pools all weights of an image as feature/band_pooling documents it.
std::vector<float> pooled(const float* codes, bool maximum, std::size_t words) {
  std::vector<float> out(3 * words, maximum ? -std::numeric_limits<float>::infinity() : 0.0f);
  for (std::size_t w = 0; w < words; ++w) {
    for (std::size_t r = 0; r < 6; ++r)
      for (std::size_t c = 0; c < 5; ++c) {
        const float x = codes[(r * 5 + c) * words + w];
        float& band = out[r / 3 * words + w];
        band = maximum ? std::max(band, x) : band + x;
      }
    out[2 * words + w] = maximum ? std::max(out[w], out[words + w]) : out[w] + out[words + w];
  }
  return out;
}

}  // namespace

TEST_CASE("weights solve the constrained and the unconstrained least squares") {
  for (std::uint64_t seed = 0; seed < 40; ++seed)
    for (const bool sum_to_one : {false, true}) {
      const std::size_t count = 1 + seed % 9, depth = 20;
      const FloatMatrix words = normal_rows(count, depth, seed),
                        x = normal_rows(1, depth, 99 + seed);
      std::vector<const float*> rows;
      Eigen::MatrixXd b(count, depth);
      Eigen::VectorXd target(depth);
      for (std::size_t i = 0; i < count; ++i) {
        rows.push_back(words.view().row(i));
        for (std::size_t k = 0; k < depth; ++k) b(i, k) = words.view().row(i)[k];
      }
      for (std::size_t k = 0; k < depth; ++k) target(k) = x.values[k];
      const double beta = seed % 2 ? 1e-4 : 0.1;
      const Eigen::MatrixXd z = sum_to_one ? Eigen::MatrixXd(b.rowwise() - target.transpose()) : b;
      const auto expected =
          least_squares(b, target, beta * (z * z.transpose()).trace(), sum_to_one);
      std::vector<float> found(count);
      llc_weights(x.values, rows, beta, sum_to_one, found);
      for (std::size_t i = 0; i < count; ++i)
        CHECK(found[i] == doctest::Approx(expected(i)).epsilon(1e-5));
    }
}

TEST_CASE("weights of a descriptor that is a word, and of one that is 0") {
  const std::vector<float> word = {1, 2, 3}, zero = {0, 0, 0};
  const std::vector<const float*> twins = {word.data(), word.data()};
  std::vector<float> found(2);
  llc_weights(word, twins, 1e-4, true, found);
  CHECK(found == std::vector<float>{0.5, 0.5});
  llc_weights(zero, twins, 1e-4, false, found);
  CHECK(found == std::vector<float>{0, 0});
  const std::vector<const float*> zeros = {zero.data(), zero.data()};
  llc_weights(zero, zeros, 1e-4, false, found);
  CHECK(found == std::vector<float>{0, 0});
}

TEST_CASE("each cell has weights for its nearest words, and no other") {
  const FloatMatrix m = normal_rows(30, grid.size(), 1);
  for (const bool sum_to_one : {false, true}) {
    auto llc = coder("normalizer/llc", {{"sum_to_one", sum_to_one}, {"neighbours", whole(4)}});
    CHECK(llc->bind(grid) == Layout::grid(6, 5, 40));
    learn(*llc, m);
    MemoryState state;
    llc->save(state);
    const Vocabulary words(state.floats("words"));
    const FloatMatrix codes = coded(*llc, m, 6 * 5 * 40);
    for (std::size_t cell = 0; cell < 30 * 30; ++cell) {
      const float* x = m.values.data() + cell * 12;
      std::vector<std::uint32_t> nearest(4);
      words.nearest({x, 1, 12, 12}, 4, nearest);
      std::vector<const float*> rows;
      for (const auto w : nearest) rows.push_back(words.words().view().row(w));
      std::vector<float> weights(4), expected(40);
      llc_weights({x, 12}, rows, 1e-4, sum_to_one, weights);
      for (std::size_t k = 0; k < 4; ++k) expected[nearest[k]] = weights[k];
      CHECK(std::equal(expected.begin(), expected.end(), codes.values.begin() + cell * 40));
    }
  }
}

TEST_CASE("hard assignment gives one word the weight 1") {
  const FloatMatrix m = normal_rows(30, grid.size(), 1);
  auto quantizer = coder("normalizer/vector_quantization", {});
  learn(*quantizer, m);
  MemoryState state;
  quantizer->save(state);
  const Vocabulary words(state.floats("words"));
  const FloatMatrix codes = coded(*quantizer, m, 6 * 5 * 40);
  std::vector<std::uint32_t> nearest(900);
  words.nearest({m.values.data(), 900, 12, 12}, 1, nearest);
  for (std::size_t cell = 0; cell < 900; ++cell)
    for (std::uint32_t w = 0; w < 40; ++w)
      CHECK(codes.values[cell * 40 + w] == (w == nearest[cell] ? 1 : 0));
}

TEST_CASE("pooling at once gives what pooling afterwards gives") {
  const FloatMatrix m = normal_rows(30, grid.size(), 2);
  for (const char* pool : {"max", "sum"})
    for (const std::int64_t neighbours : {3, 32}) {
      auto all = coder("normalizer/llc", {{"neighbours", whole(neighbours)}, {"words", whole(32)}});
      auto direct = coder("normalizer/llc", {{"neighbours", whole(neighbours)},
                                             {"words", whole(32)},
                                             {"pool", std::string(pool)},
                                             {"whole", true}});
      CHECK(direct->bind(grid) == Layout::vector(96));
      learn(*all, m);
      learn(*direct, m);
      const FloatMatrix codes = coded(*all, m, 30 * 32), found = coded(*direct, m, 96);
      for (std::size_t i = 0; i < m.rows; ++i) {
        const auto expected = pooled(codes.view().row(i), std::string(pool) == "max", 32);
        CHECK(std::equal(expected.begin(), expected.end(), found.view().row(i)));
      }
    }
}

TEST_CASE("codes have the same bits on any number of threads, at any place, after loading") {
  const FloatMatrix m = normal_rows(300, grid.size(), 3);
  // A part of the descriptors, and all but a few of them.
  for (const std::int64_t sample : {700, 8990}) {
    auto one = coder("normalizer/llc", {{"sample", whole(sample)}});
    auto two = coder("normalizer/llc", {{"sample", whole(sample)}});
    auto loaded = coder("normalizer/llc", {{"sample", whole(sample)}});
    learn(*one, m, 1);
    learn(*two, m, 4);
    const FloatMatrix expected = coded(*one, m, 1200);
    CHECK(coded(*two, m, 1200).values == expected.values);
    MemoryState state;
    one->save(state);
    TestContext context;
    loaded->load(state, context);
    CHECK(coded(*loaded, m, 1200).values == expected.values);
    FloatMatrix tail(7, m.cols);
    std::copy_n(m.view().row(293), tail.values.size(), tail.values.begin());
    const FloatMatrix alone = coded(*one, tail, 1200);
    CHECK(std::memcmp(alone.values.data(), expected.view().row(293),
                      alone.values.size() * sizeof(float)) == 0);
  }
}

TEST_CASE("what cannot be coded is refused") {
  CHECK_THROWS_WITH_AS(make_component<Normalizer>("normalizer/llc")->bind(Layout::image(6, 5, 1)),
                       doctest::Contains("codes the cells of a grid, not a image"), Error);
  auto pooling = coder("normalizer/llc", {{"pool", std::string("max")}});
  CHECK_THROWS_WITH_AS(pooling->bind(Layout::grid(1, 9, 2)),
                       doctest::Contains("1 rows of cells cannot be split into 2 bands"), Error);
  auto llc = coder("normalizer/llc", {});
  CHECK_THROWS_WITH_AS(learn(*llc, FloatMatrix(0, grid.size())),
                       doctest::Contains("no training rows"), Error);
  CHECK_THROWS_WITH_AS(learn(*llc, FloatMatrix(1, grid.size())),
                       doctest::Contains("30 descriptors are too few for 40 words"), Error);
  FloatMatrix bad = normal_rows(3, grid.size(), 1);
  bad.values[2 * grid.size() + 7] = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_WITH_AS(learn(*llc, bad), doctest::Contains("training row 2"), Error);
  learn(*llc, normal_rows(3, grid.size(), 1));
  CHECK_THROWS_WITH_AS(coded(*llc, bad, 1200), doctest::Contains("row 2 of the block, column 7"),
                       Error);
  TestContext context;
  context.budget = 1000;
  const MemoryRows rows(normal_rows(3, grid.size(), 1));
  CHECK_THROWS_WITH_AS(llc->fit({rows, grid, {}, {}}, context),
                       doctest::Contains("raise --memory or lower 'sample'"), Error);
  MemoryState state;
  llc->save(state);
  auto more = coder("normalizer/llc", {{"words", whole(41)}});
  CHECK_THROWS_WITH_AS(more->load(state, context), doctest::Contains("has 40 words, not 41"),
                       Error);
}

}  // namespace llc_test

// SPDX-License-Identifier: MIT
#include <Eigen/Cholesky>
#include <algorithm>
#include <numeric>

#include "normalizer_testing.hpp"

namespace nystrom_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

/// A similarity map made by hand: points, and the values of `kernel` with the bases among them.
struct Map {
  std::vector<std::int64_t> bases;
  FloatMatrix values;
};

constexpr std::size_t dimension = 6;

std::vector<double> points(std::size_t count) {
  Random random(11);
  std::vector<double> x(count * dimension);
  for (double& v : x) v = random.normal();
  return x;
}

double gaussian(const double* a, const double* b) {
  double square = 0;
  for (std::size_t j = 0; j < dimension; ++j) square += (a[j] - b[j]) * (a[j] - b[j]);
  return std::exp(-square / 8);
}

template <class Kernel>
Map map_of(const std::vector<double>& x, std::vector<std::int64_t> bases, const Kernel& kernel) {
  const std::size_t rows = x.size() / dimension;
  Map map{std::move(bases), FloatMatrix(rows, 0)};
  map.values = FloatMatrix(rows, map.bases.size());
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < map.bases.size(); ++j)
      map.values.values[i * map.bases.size() + j] = static_cast<float>(kernel(
          x.data() + static_cast<std::size_t>(map.bases[j]) * dimension, x.data() + i * dimension));
  return map;
}

std::vector<std::int64_t> every(std::size_t step, std::size_t count) {
  std::vector<std::int64_t> bases;
  for (std::size_t i = 0; i < count; ++i) bases.push_back(static_cast<std::int64_t>(i * step));
  std::reverse(bases.begin(), bases.end());
  return bases;
}

std::unique_ptr<Normalizer> nystrom(const Parameters& values = {}) {
  return make_component<Normalizer>("normalizer/nystrom", values);
}

void fit(Normalizer& n, const Map& map, TestContext& context) {
  const MemoryRows rows(map.values);
  const std::vector<std::int32_t> labels(map.values.rows, 0);
  const std::vector<std::string> classes = {"a"};
  n.fit({rows, Layout::vector(map.values.cols), labels, classes, map.bases}, context);
}

FloatMatrix features(Normalizer& n, const Map& map) {
  TestContext context;
  CHECK(n.bind(Layout::vector(map.values.cols)) == Layout::vector(map.values.cols));
  fit(n, map, context);
  return apply(n, map.values);
}

double inner(const FloatMatrix& f, std::size_t i, std::size_t j) {
  double sum = 0;
  for (std::size_t k = 0; k < f.cols; ++k)
    sum += double{f.values[i * f.cols + k]} * double{f.values[j * f.cols + k]};
  return sum;
}

std::string fit_error(const Map& map, std::size_t budget = std::size_t{1} << 30) {
  TestContext context;
  context.budget = budget;
  const auto n = nystrom();
  n->bind(Layout::vector(map.values.cols));
  try {
    fit(*n, map, context);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("with all rows as bases the features' inner products are the kernel") {
  const std::vector<double> x = points(80);
  const Map map = map_of(x, every(1, 80), gaussian);
  const auto n = nystrom({{"threshold", 1e-9}});
  const FloatMatrix f = features(*n, map);
  for (std::size_t i = 0; i < 80; ++i)
    for (std::size_t j = 0; j < 80; ++j)
      REQUIRE(inner(f, i, j) ==
              doctest::Approx(gaussian(&x[i * dimension], &x[j * dimension])).epsilon(2e-4));
}

TEST_CASE("with some rows as bases they are K_nm K_mm^-1 K_mn, exact on the bases") {
  const std::vector<double> x = points(200);
  const Map map = map_of(x, every(5, 40), gaussian);
  const auto n = nystrom();
  const FloatMatrix f = features(*n, map);
  constexpr std::size_t m = 40, rows = 200;
  const Eigen::MatrixXd all =
      Eigen::Map<const Eigen::Matrix<float, rows, m, Eigen::RowMajor>>(map.values.values.data())
          .cast<double>();
  const Eigen::MatrixXd of_bases = all(map.bases, Eigen::all);
  const Eigen::MatrixXd expected = all * of_bases.ldlt().solve(all.transpose());
  double worst = 0;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < rows; ++j)
      worst =
          std::max(worst, std::abs(inner(f, i, j) - expected(Eigen::Index(i), Eigen::Index(j))));
  CHECK(worst < 1e-4);
  for (std::size_t j = 0; j < m; ++j) {
    const auto base = static_cast<std::size_t>(map.bases[j]);
    for (std::size_t i = 0; i < rows; ++i)
      REQUIRE(inner(f, i, base) ==
              doctest::Approx(double{map.values.values[i * m + j]}).epsilon(1e-4));
  }
}

TEST_CASE("equal bases are one: the directions in which they differ are dropped") {
  std::vector<double> x = points(60);
  std::copy_n(x.begin(), 10 * dimension, x.begin() + 10 * dimension);  // rows 10..19 as 0..9
  const Map map = map_of(x, every(1, 30), gaussian);
  const auto n = nystrom();
  const FloatMatrix f = features(*n, map);
  for (std::size_t i = 0; i < 30; ++i)
    for (std::size_t j = 0; j < 30; ++j)
      REQUIRE(inner(f, i, j) ==
              doctest::Approx(gaussian(&x[i * dimension], &x[j * dimension])).epsilon(1e-3));
  TestContext context;
  fit(*n, map, context);
  CHECK(context.lines.size() == 1);  // a symmetric similarity is no reason to warn
  CHECK(std::any_of(context.lines.begin(), context.lines.end(), [](const std::string& line) {
    return line.find("similarities of 30 bases") != std::string::npos &&
           line.find("; 10 dropped for not exceeding 1e-06 of the largest") != std::string::npos;
  }));
}

TEST_CASE("an indefinite similarity that is not symmetric is repaired, and a warning says so") {
  const std::vector<double> x = points(90);
  const auto skew = [](const double* a, const double* b) {
    return std::tanh(a[0] * b[1] + a[2] * b[2] - a[3] * b[3]);
  };
  const Map map = map_of(x, every(2, 30), skew);
  std::vector<FloatMatrix> all;
  for (const char* repair : {"clip", "flip", "shift", "square"}) {
    TestContext context;
    const auto n = nystrom({{"repair", std::string(repair)}});
    all.push_back(features(*n, map));
    for (const float v : all.back().values) REQUIRE(std::isfinite(v));
    fit(*n, map, context);
    const std::string& line = context.lines.front();
    CHECK(line.find(" 0 negative") == std::string::npos);
    CHECK(line.find(std::string("repair: ") + repair) != std::string::npos);
    REQUIRE(context.lines.size() == 2);
    CHECK(context.lines[1].find("approximate the symmetric part") != std::string::npos);
  }
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < i; ++j) CHECK(all[i].values != all[j].values);
}

TEST_CASE("the same bits with one and two threads, at any place of a block and after loading") {
  const Map map = map_of(points(500), every(3, 50), gaussian);
  TestContext one(1), two(2);
  const auto first = nystrom(), second = nystrom(), loaded = nystrom();
  for (Normalizer* n : {first.get(), second.get(), loaded.get()}) n->bind(Layout::vector(50));
  fit(*first, map, one);
  fit(*second, map, two);
  const FloatMatrix expected = apply(*first, map.values);
  CHECK(apply(*second, map.values).values == expected.values);
  MemoryState state;
  first->save(state);
  loaded->load(state, one);
  CHECK(apply(*loaded, map.values).values == expected.values);
  FloatMatrix tail(77, 50);
  std::copy_n(map.values.view().row(423), tail.values.size(), tail.values.begin());
  const FloatMatrix alone = apply(*first, tail);
  CHECK(std::equal(alone.values.begin(), alone.values.end(), expected.view().row(423)));
  const auto narrow = nystrom();
  narrow->bind(Layout::vector(49));
  CHECK_THROWS_WITH_AS(narrow->load(state, one), doctest::Contains("49 values"), Error);
}

TEST_CASE("what it cannot work with is named") {
  Map map = map_of(points(40), every(1, 20), gaussian);
  CHECK(fit_error(map) == "");
  CHECK(fit_error({{}, FloatMatrix(1, 32767)}) ==
        "the eigenvectors of 32767 bases are more than LAPACK's integers can count; use at most "
        "32766 bases");
  CHECK(fit_error(map, 10000) ==
        "the eigenvalues of 20 bases take 12800 bytes, but the memory budget is 10000 bytes; raise "
        "--memory or use fewer bases");
  Map other = map;
  other.bases.clear();
  CHECK(fit_error(other) ==
        "it needs the rows of a similarity map; connect it to a similarity node directly");
  other.bases = {1, 2, 3};
  CHECK(fit_error(other) == "3 bases for 20 columns; connect it to a similarity node directly");
  other = map;
  other.bases[4] = 40;
  CHECK(fit_error(other) ==
        "the basis 40 is not one of the 40 training rows; choose bases from the training rows");
  other = map;
  other.values.values[static_cast<std::size_t>(map.bases[2]) * 20 + 7] = std::nanf("");
  CHECK(fit_error(other).find("training row 17, column 7") != std::string::npos);
  const auto n = nystrom();
  features(*n, map);
  CHECK_THROWS_WITH_AS(apply(*n, FloatMatrix(other.values)),
                       doctest::Contains("row 17 of the block, column 7"), Error);
  TestContext stopped;
  stopped.stop = StopReason::cancelled;
  CHECK_THROWS_AS(fit(*n, map, stopped), Cancelled);
}

TEST_CASE("similarities that are large beside what the bases differ by are refused") {
  const auto product = [](const double* a, const double* b) {
    return std::inner_product(a, a + dimension, b, 0.0);
  };
  std::vector<double> x = points(80);
  CHECK(fit_error(map_of(x, every(1, 80), product)) == "");
  for (double& value : x) value += 3000;
  const std::string message = fit_error(map_of(x, every(1, 80), product));
  CAPTURE(message);
  CHECK(message.find("the eigenvalues that 'threshold: 1e-06' drops hold ") == 0);
  CHECK(message.find(" % of what the bases differ by, since their similarities are large") !=
        std::string::npos);
  CHECK(message.find("center the samples (normalizer/zscore)") != std::string::npos);
}

}  // namespace nystrom_test

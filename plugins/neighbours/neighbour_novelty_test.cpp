// SPDX-License-Identifier: MIT
// Compares the detector with loops over all pairs in double, and with figures of scikit-learn.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "saved_bits_testing.hpp"
#include "semblance/component_testing.hpp"
#include "semblance/novelty_detector.hpp"
#include "semblance/plugin_testing.hpp"
#include "semblance/random.hpp"

namespace neighbour_novelty_test {

using namespace semblance;
using namespace semblance::testing;
using common::testing::saved_bits;

namespace {

using PlainDistance = std::function<double(std::span<const float>, std::span<const float>)>;

double euclidean(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += std::pow(double{a[k]} - double{b[k]}, 2);
  return std::sqrt(sum);
}

struct Sampled {
  Layout layout;
  FloatMatrix rows;
  std::vector<double> weights = {};
};

Sampled vectors(std::vector<float> values, std::size_t cols) {
  Sampled made{Layout::vector(cols), FloatMatrix(values.size() / cols, cols)};
  made.rows.values = std::move(values);
  return made;
}

Sampled cloud(std::size_t rows, std::size_t cols, std::uint64_t seed = 1, double unit = 1) {
  Random random(seed);
  std::vector<float> values;
  for (std::size_t i = 0; i < rows * cols; ++i)
    values.push_back(static_cast<float>(unit * random.normal()));
  return vectors(std::move(values), cols);
}

std::unique_ptr<NoveltyDetector> made(const Parameters& parameters,
                                      const std::string& similarity = "similarity/euclidean",
                                      const Parameters& of_similarity = {}) {
  return make_component<NoveltyDetector>("solver/neighbour_novelty", parameters,
                                         {{"similarity", part(similarity, of_similarity)}});
}

MemoryReport train(NoveltyDetector& detector, const Sampled& data, Context& context,
                   std::vector<std::int32_t> labels = {}, std::vector<std::string> classes = {}) {
  if (labels.empty()) labels.assign(data.rows.rows, -1);
  const MemoryRows rows(data.rows);
  TrainingSet set{rows, data.layout, labels, classes};
  set.weights = data.weights;
  MemoryReport report;
  detector.bind(data.layout);
  detector.train(set, report, context);
  CHECK(report.texts.at("certificate") == "converged");
  return report;
}

std::vector<float> scores(const NoveltyDetector& detector, const FloatMatrix& rows) {
  TestContext context;
  FloatMatrix out(rows.rows, 1);
  detector.apply(rows.view(), out.view(), context);
  return out.values;
}

/// The threshold beside this oddness of a training row.
double raised(double odd) { return odd * (1 + 16 * double{std::numeric_limits<float>::epsilon()}); }

/// The definitions, row by row.
class Definition {
 public:
  Definition(const Sampled& data, PlainDistance distance, std::size_t k)
      : data_(data), distance_(std::move(distance)), k_(k) {
    for (std::size_t i = 0; i < data.rows.rows; ++i) {
      near_.push_back(nearest(data.rows.view().row_span(i), i));
      mean_ += near_.back().back().first / double(data.rows.rows);
    }
  }
  double odd(std::span<const float> x, const std::string& score) const {
    return odd(nearest(x, data_.rows.rows), score);
  }
  double odd(std::size_t row, const std::string& score) const { return odd(near_[row], score); }

 private:
  using Near = std::vector<std::pair<double, std::size_t>>;

  Near nearest(std::span<const float> x, std::size_t own) const {
    Near all;
    for (std::size_t j = 0; j < data_.rows.rows; ++j)
      if (j != own) all.emplace_back(distance_(data_.rows.view().row_span(j), x), j);
    std::ranges::sort(all);
    all.resize(k_);
    return all;
  }
  double density(const Near& near) const {
    double sum = 0;
    for (const auto& [d, j] : near) sum += std::max(d, near_[j].back().first);
    return 1 / (sum / double(k_) + 1e-10 * mean_);
  }
  double odd(const Near& near, const std::string& score) const {
    if (score == "kth") return near.back().first;
    double sum = 0;
    for (const auto& [d, j] : near) sum += score == "mean" ? d : density(near_[j]);
    return sum / double(k_) / (score == "mean" ? 1 : density(near));
  }

  const Sampled& data_;
  PlainDistance distance_;
  std::size_t k_;
  std::vector<Near> near_;
  double mean_ = 0;
};

/// Checks scores of the rows of `asked`, and the threshold.
void check_definition(const Sampled& data, const FloatMatrix& asked, const PlainDistance& distance,
                      const NoveltyDetector& detector, const MemoryReport& report,
                      const std::string& score, std::size_t k, double nu, double tolerance = 1e-5) {
  const Definition plain(data, distance, k);
  const std::vector<float> found = scores(detector, asked);
  const double threshold = -report.numbers.at("threshold");
  for (std::size_t i = 0; i < asked.rows; ++i) {
    const double odd = plain.odd(asked.view().row_span(i), score);
    CHECK(std::abs(double(found[i]) - (threshold - odd)) <= tolerance * (odd + threshold));
  }
  std::vector<double> train;
  for (std::size_t i = 0; i < data.rows.rows; ++i) train.push_back(plain.odd(i, score));
  std::ranges::sort(train, std::greater());
  const auto novel = static_cast<std::size_t>(nu * double(train.size()));
  CHECK(threshold == doctest::Approx(raised(train[novel])).epsilon(tolerance));
  CHECK(report.numbers.at("novel_share") <= nu);
}

}  // namespace

TEST_CASE("neighbour novelty: scores and thresholds are those of the definitions") {
  const FloatMatrix asked = cloud(40, 3, 2, 2).rows;
  Sampled data = cloud(150, 3);
  for (const bool copies : {false, true}) {
    if (copies)
      for (std::size_t i = 0; i < 20; ++i)
        copy_rows(data.rows.view().rows_range(i % 2, 1), data.rows.view().rows_range(i + 30, 1));
    for (const std::string score : {"kth", "mean", "lof"})
      for (const std::size_t k : {1, 4, 20})
        for (const double nu : {0.02, 0.3}) {
          CAPTURE(score);
          CAPTURE(k);
          TestContext context;
          const auto detector = made({{"score", score}, {"k", std::int64_t(k)}, {"nu", nu}});
          const MemoryReport report = train(*detector, data, context);
          check_definition(data, asked, euclidean, *detector, report, score, k, nu);
        }
  }
}

// scikit-learn 1.2.1: NearestNeighbors(n_neighbors=3) and LocalOutlierFactor(n_neighbors=3,
// novelty=True).
TEST_CASE("neighbour novelty: figures of scikit-learn") {
  std::vector<float> values;
  for (int i = 0; i < 12; ++i) {
    values.push_back(float(i * i * 7 % 13) + 0.25F * float(i));
    values.push_back(float(i * 5 % 11) + 0.125F * float(i * i * i % 17));
  }
  const Sampled data = vectors(values, 2), asked = vectors({2.5, 3.625, 20, 20, 6, 6}, 2);
  const auto check = [&](const std::string& score, double last_usual, std::vector<double> odd) {
    const double threshold = raised(last_usual);
    TestContext context;
    const auto detector = made({{"score", score}, {"k", std::int64_t{3}}, {"nu", 0.25}});
    CHECK(train(*detector, data, context).numbers.at("threshold") ==
          doctest::Approx(-threshold).epsilon(1e-6));
    const std::vector<float> found = scores(*detector, asked.rows);
    for (std::size_t i = 0; i < 3; ++i)
      CHECK(found[i] == doctest::Approx(threshold - odd[i]).epsilon(1e-6));
  };
  check("kth", 5.340002340823457, {4.430011286667337, 16.90044378115557, 2.57390753524675});
  check("mean", 3.8671661086127673, {4.194496675039823, 15.073723671933612, 2.152740756742538});
  check("lof", 1.1628983820326795, {1.2164770088392007, 3.2621953897657954, 0.9317727767931494});
}

TEST_CASE("neighbour novelty: k copies of a row have a large density, in any unit") {
  for (const float unit : {1.0F, 1e-12F, 1e12F}) {
    std::vector<float> values(10, 0.0F);
    for (const float x : {1, 0, 0, 1, 3, 3, 4, 4}) values.push_back(x * unit);
    TestContext context;
    const auto detector =
        made({{"score", std::string("lof")}, {"k", std::int64_t{2}}, {"nu", 0.25}});
    // That of the rows (3, 3) and (4, 4): the two rows beside the copies are novel.
    const auto report = train(*detector, vectors(values, 2), context);
    const double threshold = raised(2.651387818700859);
    CHECK(report.numbers.at("threshold") == doctest::Approx(-threshold).epsilon(1e-6));
    CHECK(report.numbers.at("novel_share") == 2.0 / 9);
    const auto found =
        scores(*detector, vectors({0, 0, 0.5F * unit, 0, 3.5F * unit, 3.5F * unit}, 2).rows);
    CHECK(found[0] == doctest::Approx(threshold - 1));
    CHECK(found[1] < -1e9F);
    CHECK(found[2] == doctest::Approx(threshold - 1).epsilon(1e-6));
  }
  TestContext context;
  const auto of_copies = made({{"score", std::string("lof")}});
  CHECK(train(*of_copies, vectors(std::vector<float>(40, 7.0F), 2), context)
            .numbers.at("novel_share") == 0);
  const auto found = scores(*of_copies, vectors({7, 7, 7, 8}, 2).rows);
  CHECK(found[0] == doctest::Approx(raised(1) - 1).epsilon(1e-2));
  CHECK(found[1] < 0);
}

TEST_CASE("neighbour novelty: rows as odd as the threshold are usual, however rounded") {
  // Both rows are the same three differences from the only other one, in another order.
  const float a = 0.1F, b = 0.7F, c = 1.3F;
  const float orders[][3] = {{a, b, c}, {a, c, b}, {b, a, c}, {b, c, a}, {c, a, b}, {c, b, a}};
  for (const auto& own : orders) {
    TestContext context;
    const auto detector = made({{"score", std::string("kth")}, {"k", std::int64_t{1}}});
    train(*detector, vectors({0, 0, 0, own[0], own[1], own[2]}, 3), context);
    std::vector<float> asked;
    for (const auto& other : orders) asked.insert(asked.end(), other, other + 3);
    for (float& x : asked) x = -x;
    for (const float score : scores(*detector, vectors(asked, 3).rows)) CHECK(score >= 0);
    for (float& x : asked) x *= 1.00001F;
    for (const float score : scores(*detector, vectors(asked, 3).rows)) CHECK(score < 0);
  }
}

TEST_CASE("neighbour novelty: weights are repetitions") {
  Sampled data = cloud(60, 2), repeated{data.layout, {}};
  std::vector<float> values;
  for (std::size_t i = 0; i < 60; ++i) {
    data.weights.push_back(double(i * 7 % 4));
    const auto row = data.rows.view().row_span(i);
    for (std::size_t n = 0; n < i * 7 % 4; ++n) values.insert(values.end(), row.begin(), row.end());
  }
  repeated = vectors(values, 2);
  const FloatMatrix asked = cloud(20, 2, 5, 2).rows;
  for (const std::string score : {"kth", "mean", "lof"})
    for (const std::int64_t k : {1, 3, 8}) {
      CAPTURE(score);
      TestContext context;
      const auto one = made({{"score", score}, {"k", k}}),
                 other = made({{"score", score}, {"k", k}});
      const auto a = train(*one, data, context), b = train(*other, repeated, context);
      CHECK(a.numbers.at("threshold") == doctest::Approx(b.numbers.at("threshold")).epsilon(1e-9));
      CHECK(a.numbers.at("novel_share") == doctest::Approx(b.numbers.at("novel_share")));
      const auto found = scores(*one, asked), expected = scores(*other, asked);
      for (std::size_t i = 0; i < found.size(); ++i)
        CHECK(found[i] == doctest::Approx(expected[i]).epsilon(1e-5));
    }
  data.weights.assign(60, 0.25);  // 15 rows
  TestContext context;
  const auto quarter = made({{"score", std::string("kth")}, {"k", std::int64_t{2}}}),
             whole = made({{"score", std::string("kth")}, {"k", std::int64_t{8}}});
  CHECK(train(*quarter, data, context).numbers.at("threshold") ==
        train(*whole, cloud(60, 2), context).numbers.at("threshold"));
}

TEST_CASE("neighbour novelty: other measures and samples") {
  const Sampled data = cloud(50, 4), asked = cloud(20, 4, 9, 2);
  TestContext context;
  for (const std::string score : {"kth", "mean", "lof"}) {
    const Parameters parameters{{"score", score}, {"k", std::int64_t{3}}};
    const auto of_kernel = made(parameters, "similarity/rbf", {{"gamma", 0.2}});
    const auto gaussian = [](auto a, auto b) {
      const double k = std::exp(-0.2 * std::pow(euclidean(a, b), 2));
      return std::sqrt(2 - 2 * k);
    };
    check_definition(data, asked.rows, gaussian, *of_kernel, train(*of_kernel, data, context),
                     score, 3, 0.1, 1e-4);
    const auto linear = made(parameters, "similarity/linear");
    check_definition(data, asked.rows, euclidean, *linear, train(*linear, data, context), score, 3,
                     0.1, 1e-4);
    // A distance counts as it is, in any form.
    const auto expected = made(parameters, "similarity/euclidean"),
               exponential =
                   made(parameters, "similarity/euclidean", {{"as", std::string("exponential")}});
    train(*expected, data, context);
    train(*exponential, data, context);
    CHECK(scores(*expected, asked.rows) == scores(*exponential, asked.rows));
  }
  // Strings: 30 that are close to each other, and others.
  const Layout text = Layout::string(8, "ab");
  const std::vector<std::size_t> sizes(30, 8), two{8, 4};
  Sampled strings{text, FloatMatrix::ragged(8, sizes)};
  for (std::size_t i = 0; i < 30; ++i) strings.rows.view().row(i)[i % 8] = 1;
  FloatMatrix others = FloatMatrix::ragged(8, two);
  others.view().row(0)[3] = 1;
  for (std::size_t k = 0; k < 4; ++k) others.view().row(1)[k] = 1;
  const auto of_strings = made({{"nu", 0.05}}, "similarity/edit");
  train(*of_strings, strings, context);
  const auto found = scores(*of_strings, others);
  CHECK(found[0] >= 0);
  CHECK(found[1] < 0);
  // Sets of two points of a plane, and one far from them.
  const std::vector<std::size_t> points(20, 4);
  Sampled sets{Layout::set(2, 2), FloatMatrix::ragged(4, points)};
  Random random(4);
  for (float& x : sets.rows.values) x = static_cast<float>(random.normal());
  const auto of_sets = made({{"nu", 0.2}}, "similarity/chamfer");
  train(*of_sets, sets, context);
  for (std::size_t k = 0; k < 4; ++k) sets.rows.view().row(7)[k] += 9;
  const auto moved = scores(*of_sets, sets.rows);
  CHECK(moved[7] < 0);
  CHECK(std::ranges::count_if(moved, [](float s) { return s < 0; }) <= 5);
}

TEST_CASE("neighbour novelty: at most a share nu of the training rows is novel") {
  Sampled copies = vectors({}, 2);  // three distinct rows, 20 copies each
  copies.rows = FloatMatrix(60, 2);
  for (std::size_t i = 0; i < 60; ++i) copies.rows.view().row(i)[0] = float(i % 3 * i % 3);
  for (const Sampled& data : {cloud(500, 3), copies})
    for (const std::string score : {"kth", "mean", "lof"})
      for (const double nu : {0.001, 0.05, 0.5, 1.0}) {
        TestContext context;
        const auto detector = made({{"score", score}, {"nu", nu}});
        const double share = train(*detector, data, context).numbers.at("novel_share");
        CHECK(share <= nu);
        if (&data.rows != &copies.rows && data.rows.rows == 500 && nu < 1)
          CHECK(share == doctest::Approx(std::floor(nu * 500) / 500));
        if (score == "lof") continue;  // a row among its neighbours changes their mean
        const auto found = scores(*detector, data.rows);
        CHECK(double(std::ranges::count_if(found, [](float s) { return s < 0; })) <=
              nu * double(data.rows.rows));
      }
}

TEST_CASE("neighbour novelty: the bits depend neither on threads nor on blocks, and are saved") {
  const Sampled data = cloud(700, 4), asked = cloud(300, 4, 3);
  for (const std::string score : {"kth", "mean", "lof"})
    for (const std::string measure : {"similarity/euclidean", "similarity/rbf"}) {
      TestContext one(1), three(3);
      const auto first = made({{"score", score}}, measure),
                 other = made({{"score", score}}, measure),
                 loaded = made({{"score", score}}, measure);
      train(*first, data, one);
      train(*other, data, three);
      CHECK(saved_bits(*first) == saved_bits(*other));
      MemoryState state;
      first->save(state);
      CHECK(loaded->bind(data.layout).size() == 0);
      loaded->load(state, one);
      CHECK(loaded->bind(data.layout) == Layout::vector(1));
      const auto expected = scores(*first, asked.rows);
      CHECK(scores(*loaded, asked.rows) == expected);
      FloatMatrix alone(1, 4);
      copy_rows(asked.rows.view().rows_range(299, 1), alone.view());
      CHECK(scores(*first, alone)[0] == expected[299]);
    }
}

TEST_CASE("neighbour novelty learns from one class if told so") {
  const Sampled data = cloud(90, 3);
  std::vector<std::int32_t> labels;
  FloatMatrix sound(60, 3);
  for (std::size_t i = 0; i < 90; ++i) {
    labels.push_back(i % 3 == 0 ? 0 : 1);
    if (i % 3 != 0)
      copy_rows(data.rows.view().rows_range(i, 1),
                sound.view().rows_range(i / 3 * 2 + i % 3 - 1, 1));
  }
  TestContext context;
  const auto named = made({{"normal", std::string("sound")}}), all = made({});
  train(*named, data, context, labels, {"broken", "sound"});
  train(*all, {data.layout, sound}, context);
  CHECK(named->learned_class() == "sound");
  CHECK(scores(*named, data.rows) == scores(*all, data.rows));
}

TEST_CASE("neighbour novelty says what is wrong") {
  const auto message = [](const Parameters& parameters, Sampled data,
                          const std::string& measure = "similarity/euclidean") {
    try {
      TestContext context;
      train(*made(parameters, measure), data, context);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string few =
      "5 neighbours (k) of each training sample cannot be found among the others: there ";
  const Parameters five{{"k", std::int64_t{5}}};
  CHECK(message(five, cloud(5, 2)) == few + "are 5 samples; lower k or use more samples");
  CHECK(message(five, cloud(1, 2)) == few + "is 1 sample; lower k or use more samples");
  Sampled light = cloud(20, 2);
  light.weights.assign(20, 0.25);
  CHECK(message(five, light) ==
        few + "are 20 samples that count as 5; lower k or use more samples");
  light.weights.assign(20, 0);
  CHECK(message({}, light) == "all training rows have weight 0, so there is nothing to learn from");
  Sampled products = vectors({1, 2, 3, 4, 5, 6, 7, 8, 9}, 3);
  CHECK(message({{"score", std::string("lof")}, {"k", std::int64_t{1}}}, products,
                "similarity/precomputed")
            .find("is above 0 and cannot be the negative of a distance, which 'lof' needs") !=
        std::string::npos);
  TestContext context;
  const auto of_products = made({{"k", std::int64_t{1}}}, "similarity/precomputed");
  train(*of_products, products, context);
  CHECK(scores(*of_products, products.rows).size() == 3);
}

}  // namespace neighbour_novelty_test

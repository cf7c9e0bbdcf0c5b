// SPDX-License-Identifier: MIT
#include <algorithm>

#include "semblance/learns_from_samples.hpp"
#include "semblance/similarity_testing.hpp"
#include "testing/pairs_testing.hpp"

namespace semblance::pairs::pair_similarity_test {

using namespace testing;

const Parts gaussians = {{"first", part("similarity/rbf", {{"gamma", 0.5}})},
                         {"second", part("similarity/rbf", {{"gamma", 0.25}})}};

std::unique_ptr<Similarity> measure(const std::string& id, const Parameters& parameters,
                                    const Parts& parts, const MadePairs& bases) {
  TestContext context;
  auto made = make_component<Similarity>(id, parameters, parts);
  made->bind(bases.layout);
  made->set_bases(std::as_const(bases.rows).view(), {}, context);
  return made;
}

/// Checks all values of a measure against `expected(basis, sample)`.
template <class Expected>
void check(const Similarity& measure, const MadePairs& samples, const Expected& expected) {
  TestContext context;
  FloatMatrix found(samples.count(), measure.bases());
  measure.apply(std::as_const(samples.rows).view(), found.view(), context);
  check_values(found, 1e-6, expected);
}

TEST_CASE("the Kronecker similarity is the product of both sides' similarities") {
  const MadePairs pairs = made_pairs(7, 5, 3, 2, 30);
  const auto kronecker = measure("similarity/kronecker", {}, gaussians, pairs);
  check(*kronecker, pairs, [&](std::size_t j, std::size_t i) {
    return gaussian(pairs.sample(0, j), pairs.sample(0, i), 0.5) *
           gaussian(pairs.sample(1, j), pairs.sample(1, i), 0.25);
  });
  CHECK(kronecker->positive_semidefinite());
}

TEST_CASE("without a second similarity the first is for both sides") {
  const MadePairs pairs = made_pairs(4, 4, 3, 2, 12);
  const auto kronecker = measure("similarity/kronecker", {},
                                 {{"first", part("similarity/rbf", {{"gamma", 0.5}})}}, pairs);
  check(*kronecker, pairs, [&](std::size_t j, std::size_t i) {
    return gaussian(pairs.sample(0, j), pairs.sample(0, i), 0.5) *
           gaussian(pairs.sample(1, j), pairs.sample(1, i), 0.5);
  });
}

TEST_CASE("pairs of one domain may have no order, or an opposite") {
  const MadePairs pairs = made_pairs(6, 6, 3, 3, 20);
  const Parts one = {{"first", part("similarity/rbf", {{"gamma", 0.5}})}};
  for (const char* sides : {"symmetric", "antisymmetric"}) {
    CAPTURE(sides);
    const double sign = sides == std::string("symmetric") ? 1 : -1;
    const auto kronecker = measure("similarity/kronecker", {{"sides", sides}}, one, pairs);
    check(*kronecker, pairs, [&](std::size_t j, std::size_t i) {
      const auto k = [&](std::size_t s, std::size_t t) {
        return gaussian(pairs.sample(s, j), pairs.sample(t, i), 0.5);
      };
      return k(0, 0) * k(1, 1) + sign * k(0, 1) * k(1, 0);
    });
    CHECK(kronecker->positive_semidefinite());
    CHECK_THROWS_AS(
        make_component<Similarity>("similarity/kronecker", {{"sides", sides}}, gaussians)
            ->bind(pairs.layout),
        Error);
    CHECK_THROWS_AS(make_component<Similarity>("similarity/kronecker", {{"sides", sides}}, one)
                        ->bind(Layout::pair(Layout::vector(3), Layout::vector(2))),
                    Error);
  }
}

TEST_CASE("the Cartesian similarity compares where the other samples are equal") {
  const MadePairs bases = made_pairs(7, 5, 3, 2, 30);
  MadePairs samples = bases;
  samples.samples[0][3][0] += 1;  // a new first sample
  for (std::size_t i = 0; i < samples.count(); ++i)
    write_pair({samples.pairs[i][0] + 90, samples.sample(0, i), {}},
               {samples.pairs[i][1] + 80, samples.sample(1, i), {}}, samples.layout,
               samples.rows.view().row_span(i));
  const auto cartesian = measure("similarity/cartesian", {}, gaussians, bases);
  check(*cartesian, samples, [&](std::size_t j, std::size_t i) {
    double value = 0;
    if (bases.sample(1, j) == samples.sample(1, i))
      value += gaussian(bases.sample(0, j), samples.sample(0, i), 0.5);
    if (bases.sample(0, j) == samples.sample(0, i))
      value += gaussian(bases.sample(1, j), samples.sample(1, i), 0.25);
    return value;
  });
}

TEST_CASE("a saved similarity of pairs gives the same bits, by any range of bases") {
  const MadePairs pairs = made_pairs(7, 5, 3, 3, 30);
  TestContext context;
  for (const auto& [id, sides] : {std::pair{"similarity/kronecker", "ordered"},
                                  std::pair{"similarity/kronecker", "symmetric"},
                                  std::pair{"similarity/cartesian", "ordered"}}) {
    CAPTURE(id);
    CAPTURE(sides);
    Parameters parameters;
    if (id == std::string("similarity/kronecker")) parameters = {{"sides", sides}};
    const Parts one = {{"first", part("similarity/rbf", {{"gamma", 0.5}})}};
    const auto made = measure(id, parameters, one, pairs);
    FloatMatrix all(30, 30);
    made->apply(std::as_const(pairs.rows).view(), all.view(), context);
    MemoryState state;
    made->save(state);
    const auto loaded = make_component<Similarity>(id, parameters, one);
    loaded->bind(pairs.layout);
    loaded->load(state, context);
    REQUIRE(loaded->bases() == 30);
    for (std::size_t i = 0; i < 30; ++i) {
      FloatMatrix some(1, 9);
      loaded->apply_range(std::as_const(pairs.rows).view().rows_range(i, 1), 11, some.view(),
                          context);
      CHECK(std::equal(some.values.begin(), some.values.end(), all.view().row(i) + 11));
    }
  }
}

TEST_CASE("widths are learned from the distinct samples of a side") {
  const MadePairs pairs = made_pairs(7, 5, 3, 2, 30);
  const Parts scaled = {{"first", part("similarity/rbf", {{"gamma", "scale"}})}};
  TestContext context;
  const auto made = make_component<Similarity>("similarity/kronecker", {}, scaled);
  made->bind(pairs.layout);
  CHECK(made->learns_from_bases());
  const MatrixRows rows(std::as_const(pairs.rows).view());
  dynamic_cast<LearnsFromSamples&>(*made).learn_from_samples(rows, {}, context);
  CHECK_FALSE(made->learns_from_bases());
  made->set_bases(std::as_const(pairs.rows).view(), {}, context);
  const auto gamma = [&](std::size_t side) {
    double sum = 0, squares = 0, count = 0;
    for (const Floats& sample : pairs.samples[side])
      for (const float x : sample) sum += x, squares += double{x} * x, ++count;
    const double variance = squares / count - sum / count * (sum / count);
    return 1 / (variance * static_cast<double>(pairs.samples[side].front().size()));
  };
  check(*made, pairs, [&](std::size_t j, std::size_t i) {
    return gaussian(pairs.sample(0, j), pairs.sample(0, i), gamma(0)) *
           gaussian(pairs.sample(1, j), pairs.sample(1, i), gamma(1));
  });
}

TEST_CASE("precomputed similarities are found by the samples' numbers") {
  MadePairs pairs = made_pairs(4, 3, 4, 3, 12);  // rows of a 4 x 4 and of a 3 x 3 matrix
  const auto kronecker =
      measure("similarity/kronecker", {}, {{"first", part("similarity/precomputed")}}, pairs);
  check(*kronecker, pairs, [&](std::size_t j, std::size_t i) {
    return double{pairs.sample(0, i)[pairs.pairs[j][0]]} * pairs.sample(1, i)[pairs.pairs[j][1]];
  });
}

TEST_CASE("a similarity of pairs may be bound again") {
  const MadePairs pairs = made_pairs(4, 4, 3, 2, 12);
  TestContext context;
  const auto made = make_component<Similarity>("similarity/kronecker", {}, gaussians);
  for (int times = 0; times < 2; ++times) made->bind(pairs.layout);
  made->set_bases(std::as_const(pairs.rows).view(), {}, context);
  check(*made, pairs, [&](std::size_t j, std::size_t i) {
    return gaussian(pairs.sample(0, j), pairs.sample(0, i), 0.5) *
           gaussian(pairs.sample(1, j), pairs.sample(1, i), 0.25);
  });
}

TEST_CASE("only pairs can be compared") {
  CHECK_THROWS_WITH_AS(
      make_component<Similarity>("similarity/kronecker", {}, gaussians)->bind(Layout::vector(3)),
      doctest::Contains("it compares pairs"), Error);
}

}  // namespace semblance::pairs::pair_similarity_test

// SPDX-License-Identifier: MIT
#include <cmath>
#include <map>
#include <set>

#include "tests/sources_testing.hpp"

namespace many_classes_test {

using namespace semblance;
using namespace semblance::sources;
using namespace semblance::testing;

namespace {

Value whole(std::int64_t x) { return x; }

Parameters with(Parameters all, const Parameters& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

const Parameters interexample = {{"task", std::string("interexample")}};
const Parameters interclass = {{"task", std::string("interclass")}};
const Parameters seven = {{"test_seed", whole(7)}};

/// The definition of section 6.2, read off an example.
std::string intervals_class(std::span<const float> x) {
  std::vector<std::size_t> begins, ends;
  for (std::size_t p = 0; p < x.size(); ++p) {
    REQUIRE((x[p] == 1 || x[p] == -1));
    if (x[p] == 1 && (p == 0 || x[p - 1] == -1)) begins.push_back(p + 1);
    if (x[p] == 1 && (p + 1 == x.size() || x[p + 1] == -1)) ends.push_back(p + 1);
  }
  REQUIRE(begins.size() == 2);
  REQUIRE(begins[0] >= 2);
  REQUIRE(ends[0] + 2 <= begins[1]);
  return "(" + std::to_string(begins[0]) + "," + std::to_string(begins[1]) + ")";
}

using Examples = std::map<std::string, std::multiset<std::vector<float>>>;

/// Examples of the rows [first, first + count) by their classes' names.
Examples examples(const Dataset& data, std::size_t first, std::size_t count) {
  Examples all;
  const FloatMatrix rows = all_rows(data);
  for (std::size_t i = first; i < first + count; ++i) {
    const auto row = rows.view().row_span(i);
    all[data.outline().classes[static_cast<std::size_t>(data.labels()[i])]].emplace(row.begin(),
                                                                                    row.end());
  }
  return all;
}
Examples train_of(const Dataset& data) { return examples(data, 0, data.outline().train_rows); }
Examples test_of(const Dataset& data) {
  return examples(data, data.outline().train_rows, data.outline().test_rows);
}

std::unique_ptr<Dataset> opened(const std::string& id, const Parameters& parameters) {
  TestContext context;
  return open_checked(*make_component<Source>(id, parameters), context);
}

}  // namespace

TEST_CASE("double intervals have the class that their examples show") {
  const auto data = opened("source/double_interval", with(interclass, {{"classes", whole(40)}}));
  CHECK(data->outline().train_rows == 600);
  CHECK(data->outline().test_rows == 600);
  CHECK(data->outline().classes.size() == 80);
  const FloatMatrix rows = all_rows(*data);
  for (std::size_t i = 0; i < rows.rows; ++i)
    CHECK(intervals_class(rows.view().row_span(i)) ==
          data->outline().classes[static_cast<std::size_t>(data->labels()[i])]);
  CHECK(class_counts(*data, 0, 600) == [] {
    std::vector<int> counts(80, 0);
    std::fill_n(counts.begin(), 40, 15);
    return counts;
  }());
}

TEST_CASE("all classes and examples of a small dimension are there") {
  // n = 6: (2,4) (2,5) (2,6) (3,5) (3,6) (4,6) with (k - 1 - i)(n - k + 1) examples each.
  std::set<std::vector<float>> seen;
  for (const auto& [name, room] : std::map<std::string, int>{
           {"(2,4)", 3}, {"(2,5)", 4}, {"(2,6)", 3}, {"(3,5)", 2}, {"(3,6)", 2}, {"(4,6)", 1}}) {
    const Parameters all = {{"dimension", whole(6)},
                            {"classes", whole(6)},
                            {"examples_per_class", whole(1)},
                            {"least_examples", whole(1)}};
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      TestContext context(1, seed);
      const auto data = make_component<Source>("source/double_interval", all)->open(context);
      CHECK(data->outline().classes ==
            std::vector<std::string>{"(2,4)", "(2,5)", "(2,6)", "(3,5)", "(3,6)", "(4,6)"});
      for (const auto& [own, vectors] : examples(*data, 0, 6))
        if (own == name) seen.insert(vectors.begin(), vectors.end());
    }
    CHECK(seen.size() == std::size_t(room));
    seen.clear();
  }
}

TEST_CASE("points of the checkerboard lie in the square of their class") {
  for (const std::int64_t side : {2, 25, 1000}) {
    const auto data =
        opened("source/checkerboard",
               {{"side", whole(side)}, {"classes", whole(4)}, {"examples_per_class", whole(2000)}});
    const FloatMatrix rows = all_rows(*data);
    std::map<std::string, double> sums;
    for (std::size_t i = 0; i < rows.rows; ++i) {
      const float *x = rows.view().row(i), low = std::floor(x[0]);
      const std::string name =
          "(" + std::to_string(int(low)) + "," + std::to_string(int(std::floor(x[1]))) + ")";
      CHECK(name == data->outline().classes[static_cast<std::size_t>(data->labels()[i])]);
      sums[name] += x[0] - low;
    }
    for (const auto& [name, sum] : sums) CHECK(sum / 2000 == doctest::Approx(0.5).epsilon(0.06));
  }
}

TEST_CASE("the test set of a test_seed is the pair task's set, beside any training set") {
  const Parameters size = {{"classes", whole(20)}, {"examples_per_class", whole(6)}};
  const Parameters tested = {{"test_classes", whole(20)}, {"test_examples_per_class", whole(6)}};
  const auto set = train_of(*opened("source/double_interval", with(size, seven)));
  for (const auto& task : {interexample, interclass})
    for (const std::int64_t classes : {20, 35}) {
      const auto data =
          opened("source/double_interval",
                 with(with(with(task, seven), tested),
                      {{"classes", whole(classes)}, {"examples_per_class", whole(25)}}));
      CHECK(test_of(*data) == set);
      const auto trained = train_of(*data);
      CHECK(trained.size() == std::size_t(classes));
      for (const auto& [name, vectors] : set) {
        const bool same = task == interexample;
        REQUIRE(trained.contains(name) == same);
        if (!same) continue;
        for (const auto& x : vectors) CHECK(!trained.at(name).contains(x));
      }
    }
}

TEST_CASE("without a test_seed the training set does not depend on what is tested") {
  const auto set = train_of(*opened("source/checkerboard", {}));
  CHECK(train_of(*opened("source/checkerboard", interexample)) == set);
  CHECK(train_of(*opened("source/checkerboard",
                         with(interclass, {{"test_classes", whole(7)},
                                           {"test_examples_per_class", whole(3)}}))) == set);
}

TEST_CASE("generated classes depend on the seed alone, not on threads") {
  check_seeded(*make_component<Source>("source/double_interval", interclass));
  check_seeded(*make_component<Source>("source/checkerboard", interexample));
}

TEST_CASE("more classes or examples than there are") {
  CHECK_THROWS_WITH_AS(
      make_component<Source>("source/checkerboard", {{"side", whole(5)}, {"classes", whole(26)}}),
      doctest::Contains("26 classes are requested, but there are only 25"), Error);
  CHECK_THROWS_WITH_AS(
      make_component<Source>("source/checkerboard",
                             with(interclass, {{"side", whole(5)}, {"classes", whole(13)}})),
      doctest::Contains("26 classes"), Error);
  CHECK_THROWS_WITH_AS(make_component<Source>("source/checkerboard",
                                              with(interexample, {{"test_classes", whole(51)}})),
                       doctest::Contains("must not exceed 'classes'"), Error);
  TestContext context;
  CHECK_THROWS_WITH_AS(make_component<Source>("source/double_interval",
                                              {{"dimension", whole(12)}, {"classes", whole(2)}})
                           ->outline(context),
                       doctest::Contains("lower 'least_examples'"), Error);
}

}  // namespace many_classes_test

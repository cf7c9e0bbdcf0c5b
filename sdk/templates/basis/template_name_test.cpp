#include <doctest/doctest.h>

#include "semblance/basis.hpp"
#include "semblance/plugin_testing.hpp"

using namespace semblance;

namespace {

std::vector<std::int64_t> chosen(std::int64_t count, std::size_t rows) {
  testing::TestContext context;
  const testing::MemoryRows values{FloatMatrix(rows, 1)};
  const std::vector<std::int32_t> labels(rows, 0);
  const std::vector<std::string> classes = {"a"};
  const auto basis = testing::make_component<Basis>("basis/template_name", {{"count", count}});
  return basis->select({values, Layout::vector(1), labels, classes}, context);
}

}  // namespace

TEST_CASE("rows are chosen at even distances") {
  CHECK(chosen(4, 8) == std::vector<std::int64_t>{0, 2, 4, 6});
  CHECK(chosen(3, 10) == std::vector<std::int64_t>{0, 3, 6});
  CHECK(chosen(2, 2) == std::vector<std::int64_t>{0, 1});
}

TEST_CASE("more bases than rows are refused") { CHECK_THROWS_AS(chosen(3, 2), Error); }

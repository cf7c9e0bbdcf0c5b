// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>

#include "runtime/explain/shares.hpp"

namespace sample_parts_test {

using namespace semblance;

TEST_CASE("each value of a sample belongs to one part") {
  const std::vector<std::string> names{"a", "b"};
  CHECK(parts_of(Layout::vector(2), 2, names).names == names);
  CHECK(parts_of(Layout::vector(2), 2, {}).names[1] == "column 1");
  const SampleParts steps = parts_of(Layout::sequence(100, 2), 100, {});
  CHECK(steps.size() == 24);
  CHECK(steps.names.front() == "steps 0 to 1");
  CHECK(steps.part_of.size() == 100);
  CHECK(steps.part_of.back() == 23);
  CHECK(std::ranges::is_sorted(steps.part_of));
  const SampleParts symbols = parts_of(Layout::string(9, "ab"), 5, {});
  CHECK(symbols.size() == 5);
  CHECK(symbols.names.back() == "symbol 4");
}

TEST_CASE("samples of many columns have no shares that are sampled") {
  CHECK(why_no_parts(Layout::vector(4096)) == "");
  CHECK(why_no_parts(Layout::vector(4097)) ==
        "a sample has 4097 columns, and shares of more than 4096 are not sampled");
}

TEST_CASE("cells of images are planar, those of grids adjacent") {
  const SampleParts image = parts_of(Layout::image(16, 16, 3), 768, {});
  CHECK(image.size() == 64);
  CHECK(image.names[9] == "rows 2 to 3, columns 2 to 3");
  CHECK(image.first[9] == 2 * 16 + 2);
  CHECK(image.count[9] == 4);
  for (std::size_t channel = 0; channel < 3; ++channel)
    CHECK(image.part_of[channel * 256 + 3 * 16 + 2] == 9);
  const SampleParts grid = parts_of(Layout::grid(2, 3, 4), 24, {});
  CHECK(grid.size() == 6);
  CHECK(grid.part_of[4 * 4 + 3] == 4);
}

TEST_CASE("samples of the background are made as long as the sample") {
  const Layout series = Layout::sequence(9, 2);
  const std::vector<float> two{0, 10, 4, 30};
  CHECK(stretched(series, two, 6) == std::vector<float>{0, 10, 2, 20, 4, 30});
  CHECK(stretched(series, two, 2) == std::vector<float>{2, 20});
  const std::vector<float> text{1, 2, 3};
  CHECK(stretched(Layout::string(9, "abcd"), text, 6) == std::vector<float>{1, 1, 2, 2, 3, 3});
  CHECK(stretched(Layout::vector(3), text, 3) == text);
  CHECK(why_no_parts(series).empty());
  CHECK_FALSE(why_no_parts(Layout::set(3, 2)).empty());
}

}  // namespace sample_parts_test

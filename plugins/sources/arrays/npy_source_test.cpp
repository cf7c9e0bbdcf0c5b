// SPDX-License-Identifier: MIT
#include "arrays/npy_source.hpp"

#include "sources_testing.hpp"

using namespace semblance;
using namespace semblance::testing;

namespace {

std::string array(const std::string& type, const std::string& shape, const std::string& bytes) {
  return npy("{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }",
             bytes);
}

}  // namespace

TEST_CASE("vectors of float64 with labels, test rows in a second file") {
  const TempFolder folder;
  const auto x =
      folder.write("x.npy", array("<f8", "2, 3", bytes_of<double>({1, 2, 3, 4, 5, 6.5})));
  const auto y = folder.write("y.npy", array("<i8", "2,", bytes_of<std::int64_t>({5, -1})));
  const auto t = folder.write("t.npy.gz", array("<f4", "1, 3", bytes_of<float>({7, 8, 9})));
  const auto l = folder.write("l.npy", array("|u1", "1,", std::string("\5")));
  TestContext context;
  const auto data = open_checked(
      make<Npy>({{"path", x}, {"labels", y}, {"test_path", t}, {"test_labels", l}}), context);
  CHECK(data->outline().layout == Layout::vector(3));
  CHECK(data->outline().classes == std::vector<std::string>{"-1", "5"});
  CHECK(labels(*data) == std::vector<std::int32_t>{1, 0, 1});
  CHECK(all_rows(*data).values == std::vector<float>{1, 2, 3, 4, 5, 6.5, 7, 8, 9});
}

TEST_CASE("without labels all rows are for testing") {
  const TempFolder folder;
  const auto x = folder.write("x.npy", array("<i2", "2, 2", bytes_of<std::int16_t>({1, -2, 3, 4})));
  TestContext context;
  const auto data = open_checked(make<Npy>({{"path", x}}), context);
  CHECK(data->outline().test_rows == 2);
  CHECK(data->outline().train_rows == 0);
  CHECK(all_rows(*data).values == std::vector<float>{1, -2, 3, 4});
}

TEST_CASE("byte images stay bytes and become planar, float cells stay cells") {
  const TempFolder folder;
  std::string pixels;
  for (int k = 0; k < 12; ++k) pixels += char(k + 250);  // 1 x 2 x 2 x 3, channels last
  const auto image = folder.write("i.npy", array("|u1", "1, 2, 2, 3", pixels));
  TestContext context;
  const auto data = open_checked(make<Npy>({{"path", image}}), context);
  CHECK(data->outline().layout == Layout::image(2, 2, 3));
  CHECK(data->bytes() < 24);
  CHECK(all_rows(*data).values ==
        std::vector<float>{250, 253, 0, 3, 251, 254, 1, 4, 252, 255, 2, 5});

  const auto grid =
      folder.write("g.npy", array("<f4", "1, 1, 2, 3", bytes_of<float>({1, 2, 3, 4, 5, 6})));
  const auto cells = open_checked(make<Npy>({{"path", grid}}), context);
  CHECK(cells->outline().layout == Layout::grid(1, 2, 3));
  CHECK(all_rows(*cells).values == std::vector<float>{1, 2, 3, 4, 5, 6});
  const auto flat = make<Npy>({{"path", grid}, {"layout", std::string("vector")}}).open(context);
  CHECK(flat->outline().layout == Layout::vector(6));
}

TEST_CASE("a stratified split of an array is known from headers and labels alone") {
  const TempFolder folder;
  std::vector<float> x(40);
  std::vector<std::int32_t> y(40);
  for (int i = 0; i < 40; ++i) x[i] = float(i), y[i] = i % 2;
  const auto source =
      make<Npy>({{"path", folder.write("x.npy", array("<f4", "40,", bytes_of(x)))},
                 {"labels", folder.write("y.npy", array("<i4", "40,", bytes_of(y)))},
                 {"test_fraction", 0.1}});
  TestContext context;
  const auto data = open_checked(source, context);
  CHECK(class_counts(*data, 36, 4) == std::vector<int>{2, 2});
  check_seeded(source);
}

TEST_CASE("labels need their arrays") {
  const Value a = std::string("a");
  CHECK_THROWS_WITH_AS(make<Npy>({{"path", a}, {"labels", a}, {"test_labels", a}}),
                       doctest::Contains("needs 'test_path'"), Error);
  CHECK_THROWS_WITH_AS(make<Npy>({{"path", a}, {"test_path", a}, {"test_labels", a}}),
                       doctest::Contains("needs 'labels'"), Error);
}

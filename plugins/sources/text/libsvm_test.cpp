// SPDX-License-Identifier: MIT
#include "text/libsvm.hpp"

#include "sources_testing.hpp"

using namespace semblance;
using namespace semblance::testing;

TEST_CASE("sparse rows become dense, labels classes") {
  const TempFolder folder;
  const auto file =
      folder.write("a.txt.gz", "+1 1:0.5 3:-2 # a comment\n\n-1\n1.0 2:1e-3  4:7 \n# only this\n");
  TestContext context;
  const auto data = open_checked(make<LibsvmFile>({{"path", file}}), context);
  CHECK(data->outline().layout == Layout::vector(4));
  CHECK(data->outline().classes == std::vector<std::string>{"-1", "1"});
  CHECK(labels(*data) == std::vector<std::int32_t>{1, 0, 1});
  CHECK(all_rows(*data).values == std::vector<float>{0.5f, 0, -2, 0, 0, 0, 0, 0, 0, 1e-3f, 0, 7});
}

TEST_CASE("the test file may know more columns, and the dimension may be given") {
  const TempFolder folder;
  const auto a = folder.write("a", "1 1:1\n2 2:1\n"), b = folder.write("b", "2 5:1\n");
  TestContext context;
  const auto both = open_checked(make<LibsvmFile>({{"path", a}, {"test_path", b}}), context);
  CHECK(both->outline().layout == Layout::vector(5));
  CHECK(both->outline().train_rows == 2);
  const auto wide = make<LibsvmFile>({{"path", a}, {"dimension", std::int64_t{9}}}).open(context);
  CHECK(wide->outline().layout == Layout::vector(9));
}

TEST_CASE("rows without labels are read for testing") {
  const TempFolder folder;
  const auto file = folder.write("a", "1:1 2:2\n2:3\n");
  TestContext context;
  const auto data =
      open_checked(make<LibsvmFile>({{"path", file}, {"role", std::string("test")}}), context);
  CHECK(data->outline().test_rows == 2);
  CHECK(data->outline().classes.empty());
  CHECK(all_rows(*data).values == std::vector<float>{1, 2, 0, 3});
}

// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include "tests/sources_testing.hpp"

namespace npy_sequences_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

Value text(const std::string& t) { return t; }
const Value sequence = std::string("sequence");
constexpr float missing = std::numeric_limits<float>::quiet_NaN();

std::string array(const std::string& type, const std::string& shape, const std::string& bytes) {
  return npy("{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }",
             bytes);
}

std::string floats(const std::string& shape, const Floats& values) {
  return array("<f4", shape, bytes_of(values));
}

}  // namespace

TEST_CASE("three axes are rows, steps and channels where that is said") {
  const TempFolder folder;
  const auto x = folder.write("x.npy", floats("2, 3, 2", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
  TestContext context;
  const auto data = open_checked(
      *make_component<Source>("source/npy", {{"path", x}, {"layout", sequence}}), context);
  CHECK(data->outline().layout == Layout::sequence(3, 2));
  CHECK(row_of(*data, 1) == Floats{7, 8, 9, 10, 11, 12});
  // Without it, as before: grey images.
  CHECK(make_component<Source>("source/npy", {{"path", x}})->open(context)->outline().layout ==
        Layout::image(3, 2, 1));
  const auto flat = folder.write("f.npy", array("|u1", "2, 3", "\1\2\3\4\5\6"));
  const auto one = open_checked(
      *make_component<Source>("source/npy",
                              {{"path", flat}, {"layout", sequence}, {"longest", std::int64_t{8}}}),
      context);
  CHECK(one->outline().layout == Layout::sequence(8, 1));
  CHECK(row_of(*one, 1) == Floats{4, 5, 6});
}

TEST_CASE("missing values of sequences are retained, if wanted") {
  const TempFolder folder;
  const auto x = folder.write("x.npy", floats("2, 3, 1", {1, missing, 3, missing, 5, 6}));
  TestContext context;
  const Parameters refuse = {{"path", x}, {"layout", sequence}};
  CHECK(message_of(*make_component<Source>("source/npy", refuse), context) != "");
  Parameters keep = refuse;
  keep.emplace_back("missing", std::string("keep"));
  const auto source = make_component<Source>("source/npy", keep);
  CHECK(source->keeps_missing());
  const auto data = source->open(context);
  Floats first = row_of(*data, 0);
  CHECK(std::isnan(first[1]));
  first[1] = 2;
  CHECK(first == Floats{1, 2, 3});
}

TEST_CASE("lengths: what stands behind them is ignored, whatever it is") {
  const TempFolder folder;
  const auto x = folder.write(
      "x.npy", array("<f8", "3, 2, 2",
                     bytes_of<double>({1, 2, missing, 1e300, 3, 4, 5, 6, 7, 8, missing, missing})));
  const auto n = folder.write("n.npy", array("<i4", "3,", bytes_of<int>({1, 2, 1})));
  const auto t = folder.write("t.npy.gz", floats("1, 5, 2", Floats(10, 9)));
  const auto m = folder.write("m.npy", array("|u1", "1,", "\3"));
  const auto y = folder.write("y.npy", array("<i4", "3,", bytes_of<int>({0, 1, 0})));
  TestContext context;
  const auto data = open_checked(
      *make_component<Source>(
          "source/npy",
          {{"path", x}, {"lengths", n}, {"label", y}, {"test_path", t}, {"test_lengths", m}}),
      context);
  CHECK(data->outline().layout == Layout::sequence(3, 2));
  CHECK(data->outline().train_rows == 3);
  CHECK(row_of(*data, 0) == Floats{1, 2});
  CHECK(row_of(*data, 1) == Floats{3, 4, 5, 6});
  CHECK(row_of(*data, 2) == Floats{7, 8});
  CHECK(row_of(*data, 3) == Floats(6, 9));
}

TEST_CASE("a sequence that float32 cannot hold at its own level is refused, with its row") {
  const TempFolder folder;
  TestContext context;
  const std::size_t rows = 3, steps = 10, channels = 2;
  const auto value = [](std::size_t row, std::size_t step, std::size_t channel) {
    return channel == 0 ? 1e8 * double(row) : 1e8 * double(row) + double(step % 2);
  };
  std::vector<double> by_rows, by_columns;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t t = 0; t < steps; ++t)
      for (std::size_t c = 0; c < channels; ++c) by_rows.push_back(value(i, t, c));
  for (std::size_t c = 0; c < channels; ++c)
    for (std::size_t t = 0; t < steps; ++t)
      for (std::size_t i = 0; i < rows; ++i) by_columns.push_back(value(i, t, c));
  const std::string shape = "3, 10, 2";
  const auto x = folder.write("x.npy", array("<f8", shape, bytes_of(by_rows)));
  const auto f = folder.write(
      "f.npy", npy("{'descr': '<f8', 'fortran_order': True, 'shape': (" + shape + "), }",
                   bytes_of(by_columns)));
  for (const auto& file : {x, f})
    CHECK(message_of(*make_component<Source>("source/npy", {{"path", file}, {"layout", sequence}}),
                     context) ==
          file +
              ": row 1 (from 0): the values of the series in channel 2 differ by 1, but would be "
              "rounded by up to 1, since float32 has 24 bits; subtract a constant, such as "
              "100000000, from it first");
  // Each has its own level, which float32 can hold.
  for (double& v : by_rows) v = std::fmod(v, 1e7) + 1000;
  const auto low = folder.write("low.npy", array("<f8", shape, bytes_of(by_rows)));
  CHECK_NOTHROW(
      make_component<Source>("source/npy", {{"path", low}, {"layout", sequence}})->open(context));
}

TEST_CASE("sequences are split as the rows of any array") {
  const TempFolder folder;
  std::vector<float> x(120);
  std::vector<std::int32_t> y(40), n(40);
  for (int i = 0; i < 40; ++i) x[3 * i] = float(i), y[i] = i % 2, n[i] = 1 + i % 3;
  const auto source = make_component<Source>(
      "source/npy", {{"path", folder.write("x.npy", floats("40, 3, 1", x))},
                     {"label", folder.write("y.npy", array("<i4", "40,", bytes_of(y)))},
                     {"lengths", folder.write("n.npy", array("<i4", "40,", bytes_of(n)))},
                     {"test_fraction", 0.1}});
  TestContext context;
  const auto data = open_checked(*source, context);
  CHECK(class_counts(*data, 36, 4) == std::vector<int>{2, 2});
  for (std::size_t i = 0; i < 40; ++i) {
    CHECK(row_of(*data, i)[0] == float(data->number(i)));
    CHECK(data->values(i) == std::size_t(1 + data->number(i) % 3));
  }
  check_seeded(*source);
}

TEST_CASE("broken arrays of sequences") {
  const TempFolder folder;
  const auto x = folder.write("x.npy", floats("2, 2, 1", {1, 2, missing, 4}));
  TestContext context;
  const auto message = [&](const Parameters& more, const std::string& path) {
    Parameters all = {{"path", path}, {"layout", sequence}};
    all.insert(all.end(), more.begin(), more.end());
    return message_of(*make_component<Source>("source/npy", all), context);
  };
  CHECK(message({}, x) ==
        x + ": row 1, value 0 (both from 0): the value is not a number; correct the array");
  const auto four = folder.write("four.npy", floats("1, 1, 1, 1", {1}));
  CHECK(message({}, four) ==
        four +
            ": header: an array of 4 dimensions cannot be read as 'sequence'; one has 3 (rows, "
            "steps, channels), or 2 with one channel");
  const auto flat = folder.write("flat.npy", floats("2,", {1, 2}));
  CHECK(message({}, flat) ==
        flat +
            ": header: an array of 1 dimensions cannot be read as 'sequence'; one has 3 (rows, "
            "steps, channels), or 2 with one channel");
  CHECK(message({{"longest", std::int64_t{1}}}, x) ==
        x + ": row 0 (from 0): the sequence has 2 steps, more than 'longest: 1' allows; raise it "
            "or cut the sequence");
  const auto other = folder.write("other.npy", floats("1, 2, 2", {1, 2, 3, 4}));
  CHECK(message({{"test_path", text(other)}}, x) ==
        other +
            ": header: holds sequences of 2 channels, but the training file's have 1; use "
            "arrays of the same data set");
  const auto claims = folder.write("claims.npy.gz", floats("900000000, 2, 1", {1}));
  CHECK(message({}, claims) ==
        claims +
            ": 900000000 sequences need 13733 MiB, more than the 1024 MiB of memory left; "
            "allow more with --memory, or use fewer rows");
}

TEST_CASE("lengths that do not fit their array") {
  const TempFolder folder;
  const auto x = folder.write("x.npy", floats("2, 2, 1", {1, 2, 3, 4}));
  const auto check = [&](const std::string& content, const std::string& message) {
    const auto n = folder.write("n.npy", content);
    TestContext context;
    CHECK(message_of(*make_component<Source>("source/npy", {{"path", x}, {"lengths", n}}),
                     context) == n + ": " + message);
  };
  check(array("<i4", "3,", bytes_of<int>({1, 2, 2})),
        "header: holds 3 lengths, but " + x + " holds 2 rows; use files that belong together");
  check(array("<f4", "2,", bytes_of<float>({1, 2})),
        "header: lengths must be integers, not float32; store them with lengths.astype('int64')");
  check(array("<i4", "2, 2", bytes_of<int>({1, 2, 1, 2})),
        "header: lengths must be one number per row, not 2; store a one-dimensional array");
  check(array("<i4", "2,", bytes_of<int>({1, 3})),
        "row 1 (from 0): the length is 3, but the rows of " + x + " have 1 to 2 steps; correct it");
  check(array("<i4", "2,", bytes_of<int>({0, 2})),
        "row 0 (from 0): the length is 0, but the rows of " + x + " have 1 to 2 steps; correct it");
}

TEST_CASE("lengths belong to sequences") {
  const Value a = std::string("a");
  CHECK_THROWS_WITH_AS(make_component<Source>(
                           "source/npy", {{"path", a}, {"lengths", a}, {"layout", text("image")}}),
                       "only sequences have 'lengths', 'test_lengths' and 'longest'; set 'layout: "
                       "sequence', or remove them",
                       Error);
  CHECK_THROWS_WITH_AS(
      make_component<Source>("source/npy", {{"path", a}, {"lengths", a}, {"test_lengths", a}}),
      "'test_lengths' needs 'test_path'; give both or none", Error);
}

}  // namespace npy_sequences_test

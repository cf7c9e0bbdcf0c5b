// SPDX-License-Identifier: MIT
#include "rows/column_precision.hpp"

#include "tests/sources_testing.hpp"

namespace column_precision_test {

using namespace semblance;
using namespace semblance::sources;
using namespace semblance::testing;

// float32 has 24 bits: values that it cannot represent are refused or reported, never rounded
// silently.

namespace {

std::string array(const std::string& type, const std::string& shape, const std::string& bytes) {
  return npy("{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }",
             bytes);
}

/// Rows of two values, the second large.
template <class T>
std::string rows(const std::string& type, T offset) {
  std::vector<T> values;
  for (int i = 0; i < 12; ++i) {
    values.push_back(T(i));
    values.push_back(offset + T(i % 5));
  }
  return array(type, "12, 2", bytes_of(values));
}

std::string table(long long offset, int spread) {
  std::string text = "size,time,class\n";
  for (int i = 0; i < 12; ++i)
    text += std::to_string(i) + "," + std::to_string(offset + (i * 7) % spread) + "," +
            (i % 2 ? "a" : "b") + "\n";
  return text;
}

}  // namespace

TEST_CASE("columns that would lose what tells their values apart are refused, by name") {
  const TempFolder folder;
  TestContext context;
  const auto csv = folder.write("t.csv", table(1LL << 40, 5));
  check_message(message_of(*make_component<Source>("source/csv", {{"path", csv}}), context), csv,
                "the values in column 2 (time) differ by 4, but would be rounded by up to");
  check_message(message_of(*make_component<Source>("source/csv", {{"path", csv}}), context), csv,
                "since float32 has 24 bits; subtract a constant, such as 1099511627776, from the "
                "column first");
  const auto sparse = folder.write("t.libsvm", "1 3:1099511627776\n2 3:1099511627779\n");
  check_message(message_of(*make_component<Source>("source/libsvm", {{"path", sparse}}), context),
                sparse, "the values in index 3 differ by 3");
  for (const auto& [name, content] :
       {std::pair{"i8.npy", rows<std::int64_t>("<i8", std::int64_t{1} << 40)},
        {"u8.npy", rows<std::uint64_t>("<u8", std::uint64_t{1} << 62)},
        {"u4.npy", rows<std::uint32_t>("<u4", 3'000'000'000u)},
        {"i4.npy", rows<std::int32_t>("<i4", -2'000'000'000)},
        {"f8.npy", rows<double>("<f8", 0x1p40)}}) {
    CAPTURE(std::string(name));
    const auto file = folder.write(name, content);
    check_message(message_of(*make_component<Source>("source/npy", {{"path", file}}), context),
                  file, "the values in column 1 (from 0) differ by 4");
  }
}

TEST_CASE("columns of values under float32's range are refused, by name") {
  const TempFolder folder;
  TestContext context;
  for (const char* text : {"p,q,y\n0,1e-50,u\n0,2e-50,v\n0,3e-50,u\n", "p,q,y\n0,1e-400,u\n0,0,v\n",
                           "p,q,y\n0,-2e-45,u\n0,1e-45,v\n0,2e-45,v\n"}) {
    const auto csv = folder.write("t.csv", text);
    check_message(
        message_of(*make_component<Source>("source/csv", {{"path", csv}}), context), csv,
        "float32 has nothing between 0 and 1e-45, and few digits below 1e-38; multiply the "
        "column by a constant first");
    check_message(message_of(*make_component<Source>("source/csv", {{"path", csv}}), context), csv,
                  "the values in column 2 (q)");
  }
  const auto sparse = folder.write("t.libsvm", "1 1:1 3:1e-60\n2 1:2\n");
  check_message(message_of(*make_component<Source>("source/libsvm", {{"path", sparse}}), context),
                sparse, "the values in index 3 differ by 1e-60");
  std::vector<double> values;
  for (int i = 0; i < 12; ++i) values.insert(values.end(), {double(i), i * 1e-60});
  const auto file = folder.write("t.npy", array("<f8", "12, 2", bytes_of(values)));
  check_message(message_of(*make_component<Source>("source/npy", {{"path", file}}), context), file,
                "the values in column 1 (from 0) differ by 1.1e-59");
  // A value that is negligible compared with others may become 0.
  const auto mixed = folder.write("t.csv", "1e-50,a\n2,b\n3,a\n");
  CHECK(make_component<Source>("source/csv", {{"path", mixed}})
            ->open(context)
            ->outline()
            .train_rows == 3);
  CHECK(context.lines.empty());
}

TEST_CASE("fractions beside a large offset count as well as whole numbers") {
  const TempFolder folder;
  TestContext context;
  const auto file = folder.write("t.csv", "4000000.01,a\n4000000.13,b\n4000000.27,a\n");
  check_message(message_of(*make_component<Source>("source/csv", {{"path", file}}), context), file,
                "most of the values in column 1 differ by 0.14");
}

TEST_CASE("whole numbers that are rounded by little are reported once, with the column") {
  const TempFolder folder;
  TestContext context;
  std::string days = "size,time,class\n";
  for (int i = 0; i < 12; ++i)
    days += "1," + std::to_string(1'600'000'000 + 86'401 * i) + (i % 2 ? ",a\n" : ",b\n");
  const auto csv = folder.write("t.csv", days);
  const auto data = make_component<Source>("source/csv", {{"path", csv}})->open(context);
  REQUIRE(context.lines.size() == 1);
  CHECK(context.lines[0].find("integers in column 2 (time) are rounded by up to") !=
        std::string::npos);
  CHECK(data->outline().train_rows == 12);
}

TEST_CASE("numbers that float32 holds, and constants, are neither refused nor told") {
  const TempFolder folder;
  TestContext context;
  const auto csv =
      folder.write("t.csv",
                   "16777216,20000000001,0.1,33554432,a\n16777215,20000000001,0.1,-33554432,b\n"
                   "0,20000000001,0.1,67108864,b\n");
  CHECK(make_component<Source>("source/csv", {{"path", csv}})
            ->open(context)
            ->outline()
            .layout.size() == 4);
  // The last column is sparse: its zeros count.
  const auto sparse = folder.write("t.libsvm", "1 1:1 9:16777217.25\n2 1:1\n1 1:1 9:16777219.5\n");
  make_component<Source>("source/libsvm", {{"path", sparse}})->open(context);
  for (const auto& [name, content] :
       {std::pair{"f4.npy", rows<float>("<f4", 0x1p30f)}, {"i2.npy", rows<short>("<i2", 30000)}}) {
    const auto file = folder.write(name, content);
    make_component<Source>("source/npy", {{"path", file}})->open(context);
  }
  CHECK(context.lines.empty());
}

TEST_CASE("a few values that are far away do not hide that the others are lost") {
  const TempFolder folder;
  TestContext context;
  for (const char* far : {"0", "-1e9", "3e38", "NA"}) {
    CAPTURE(far);
    std::string text = "size,place,class\n";
    for (int i = 0; i < 30; ++i) {
      char place[32];
      std::snprintf(place, sizeof place, "%.3f", 543210 + 0.001 * (i % 21));
      text += std::to_string(i) + "," + (i % 10 == 4 ? far : place) + (i % 2 ? ",a\n" : ",b\n");
    }
    const auto csv = folder.write("t.csv", text);
    check_message(
        message_of(*make_component<Source>("source/csv", {{"path", csv}, {"missing", "keep"}}),
                   context),
        csv,
        std::string(far) == "NA"
            ? "the values in column 2 (place) differ by 0.02, but would be rounded by up to 0.02"
            : "most of the values in column 2 (place) differ by 0.02, but would be rounded by up");
  }
  std::vector<double> values;
  for (int i = 0; i < 40; ++i) values.insert(values.end(), {double(i), i == 7 ? 0 : 1.7e9 + i});
  const auto file = folder.write("t.npy", array("<f8", "40, 2", bytes_of(values)));
  check_message(message_of(*make_component<Source>("source/npy", {{"path", file}}), context), file,
                "most of the values in column 1 (from 0) differ by 39");
  std::string sparse;
  for (int i = 0; i < 40; ++i)
    sparse +=
        (i % 2 ? "1 " : "2 ") + (i % 4 ? "5:" + std::to_string(1700000000 + i) : "1:1") + "\n";
  const auto libsvm = folder.write("t.libsvm", sparse);
  check_message(message_of(*make_component<Source>("source/libsvm", {{"path", libsvm}}), context),
                libsvm, "most of the values in index 5 differ by 38");
}

TEST_CASE("targets and series are judged by the same rule") {
  const TempFolder folder;
  TestContext context;
  std::string text = "x,time\n", series;
  for (int i = 0; i < 40; ++i)
    text += std::to_string(i) + "," + std::to_string(i == 3 ? 0 : 1700000000 + i * 2) + "\n";
  for (int i = 0; i < 40; ++i)
    series += i == 5 ? "\t0" : "\t" + std::to_string(20000000.25 + 0.5 * (i % 5));
  const auto csv = folder.write("t.csv", text);
  check_message(
      message_of(*make_component<Source>("source/csv", {{"path", csv}, {"target", Texts{"time"}}}),
                 context),
      csv, "most of the values in the target column 2 (time) differ by 78");
  const auto tsv = folder.write("t.tsv", "1" + series + "\n2" + series + "\n");
  check_message(message_of(*make_component<Source>("source/ucr", {{"path", tsv}}), context), tsv,
                "line 1: the values of the series differ by 2, but would be rounded by up to 0.75");
}

TEST_CASE("the values of an image are one column: no pixel is refused for being nearly constant") {
  const TempFolder folder;
  TestContext context;
  std::vector<double> values(2 * 3 * 3, 1e6);
  values[0] = 1e6 + 0.3;
  values[5] = 0;
  const auto file = folder.write("t.npy", array("<f8", "2, 3, 3", bytes_of(values)));
  CHECK(make_component<Source>("source/npy", {{"path", file}})->open(context)->outline().layout ==
        Layout::image(3, 3, 1));
  CHECK(context.lines.empty());
}

TEST_CASE("new rows for a model may be as close together as they are") {
  const TempFolder folder;
  TestContext context;
  const auto near = folder.write("near.csv", "time,class\n1600000001,a\n1600000004,b\n");
  const auto far =
      folder.write("far.csv", "time,class\n1600000001,a\n1500000000,b\n1400000000,a\n");
  check_message(message_of(*make_component<Source>("source/csv", {{"path", near}}), context), near,
                "column 1 (time)");
  auto source = make_component<Source>("source/csv", {{"path", near}});
  source->apply_model({near, Layout::vector(1), {"a", "b"}, {"time"}});
  CHECK(source->open(context)->outline().test_rows == 2);
  // Test samples are judged together with the training samples.
  CHECK(make_component<Source>("source/csv", {{"path", far}, {"test_path", near}})
            ->open(context)
            ->outline()
            .test_rows == 2);
}

}  // namespace column_precision_test

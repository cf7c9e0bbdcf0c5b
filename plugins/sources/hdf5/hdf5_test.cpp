// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "hdf5/hdf5_testing.hpp"
#include "tests/sources_testing.hpp"

namespace hdf5_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

Value text(const char* t) { return std::string(t); }

const Parameters x_and_y = {{"samples", text("/X")}, {"label", text("/y")}};

/// A file that `fill` writes.
std::string made(const TempFolder& folder, const std::function<void(Hdf5Writer&)>& fill,
                 const std::string& name = "t.h5") {
  const std::string path = folder.path() + "/" + name;
  Hdf5Writer file(path);
  fill(file);
  return path;
}

std::unique_ptr<Dataset> read(const std::function<void(Hdf5Writer&)>& fill,
                              Parameters more = x_and_y) {
  const TempFolder folder;
  more.emplace_back("path", made(folder, fill));
  TestContext context;
  return open_checked(*make_component<Source>("source/hdf5", more), context);
}

/// The message after the file's name.
std::string refused(const std::function<void(Hdf5Writer&)>& fill, Parameters more = x_and_y) {
  const TempFolder folder;
  const std::string path = made(folder, fill);
  more.emplace_back("path", path);
  TestContext context;
  context.budget = std::size_t{1} << 26;
  const std::string message = message_of(*make_component<Source>("source/hdf5", more), context);
  REQUIRE(message.starts_with(path + ": "));
  return message.substr(path.size() + 2);
}

void labels_of_two(Hdf5Writer& file) {
  file.write<std::int64_t>("/y", {2}, H5T_NATIVE_INT64, {0, 1});
}

}  // namespace

TEST_CASE("matrices of every type of numbers, in groups, chunked and compressed") {
  const Floats wanted = {1, 2, 3, 4, 5, 250};
  const std::vector<double> values(wanted.begin(), wanted.end());
  for (const hid_t stored :
       {H5T_IEEE_F32LE, H5T_IEEE_F32BE, H5T_IEEE_F64LE, H5T_IEEE_F64BE, H5T_STD_I16BE, H5T_STD_U8LE,
        H5T_STD_U32BE, H5T_STD_I64LE, H5T_STD_U64LE})
    for (const hsize_t chunk : {0, 1, 2}) {
      const auto data = read(
          [&](Hdf5Writer& file) {
            file.write("/deep/X", {2, 3}, stored, H5T_NATIVE_DOUBLE, values.data(), chunk);
            labels_of_two(file);
          },
          {{"samples", text("/deep/X")}, {"label", text("y")}});
      CHECK(all_rows(*data).values == wanted);
      CHECK(data->outline().classes == Texts{"0", "1"});
    }
}

TEST_CASE("many rows, more than are read at a time") {
  std::vector<double> values(300000 * 3);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = double(i % 1000) / 8;
  std::vector<std::uint8_t> classes(300000);
  for (std::size_t i = 0; i < classes.size(); ++i) classes[i] = i % 3;
  const auto data = read([&](Hdf5Writer& file) {
    file.write("/X", {300000, 3}, H5T_NATIVE_DOUBLE, values, 1000);
    file.write("/y", {300000, 1}, H5T_NATIVE_UINT8, classes);
  });
  const auto rows = all_rows(*data).values;
  CHECK(std::equal(rows.begin(), rows.end(), values.begin(), values.end(),
                   [](float a, double b) { return a == static_cast<float>(b); }));
  CHECK(class_counts(*data, 0, 300000) == std::vector<int>{100000, 100000, 100000});
}

TEST_CASE("labels of every form") {
  const auto of = [](const std::function<void(Hdf5Writer&)>& write_labels) {
    return read([&](Hdf5Writer& file) {
      file.write<float>("/X", {2, 1}, H5T_NATIVE_FLOAT, {1, 2});
      write_labels(file);
    });
  };
  const auto texts = of([](Hdf5Writer& file) {
    file.write_texts("/y", {"Z\xc3\xbcrich", "Bern"});
  });
  CHECK(texts->outline().classes == Texts{"Bern", "Z\xc3\xbcrich"});
  CHECK(labels(*texts) == Labels{1, 0});
  for (const auto& [bytes, padding] :
       {std::pair{std::string("ab\0cde", 6), H5T_STR_NULLPAD}, {"ab cde", H5T_STR_SPACEPAD}})
    CHECK(of([&](Hdf5Writer& file) { file.write_fixed_texts("/y", 3, bytes, padding); })
              ->outline()
              .classes == Texts{"ab", "cde"});
  CHECK(of([](Hdf5Writer& file) {
          file.write<double>("/y", {2}, H5T_NATIVE_DOUBLE, {-1, 1});
        })
            ->outline()
            .classes == Texts{"-1", "1"});
  const auto named = of([](Hdf5Writer& file) {
    const sources::hdf5::TypeHandle type(H5Tenum_create(H5T_NATIVE_INT8));
    std::int8_t value = 0;
    H5Tenum_insert(type.id(), "FALSE", &value);
    value = 1;
    H5Tenum_insert(type.id(), "TRUE", &value);
    file.write<std::int8_t>("/y", {2}, type.id(), {1, 0});
  });
  CHECK(named->outline().classes == Texts{"FALSE", "TRUE"});
  CHECK(labels(*named) == Labels{1, 0});
}

TEST_CASE("booleans are 0 and 1, a list is a column") {
  const auto data = read(
      [](Hdf5Writer& file) {
        const sources::hdf5::TypeHandle type(H5Tenum_create(H5T_NATIVE_INT8));
        std::int8_t value = 0;
        H5Tenum_insert(type.id(), "FALSE", &value);
        value = 1;
        H5Tenum_insert(type.id(), "TRUE", &value);
        file.write<std::int8_t>("/X", {3}, type.id(), {1, 0, 1});
      },
      {{"samples", text("/X")}});
  CHECK(all_rows(*data).values == Floats{1, 0, 1});
  CHECK(data->outline().train_rows == 3);
  CHECK(labels(*data) == Labels{-1, -1, -1});
}

TEST_CASE("test rows of the same file, of another one, and of new data") {
  const TempFolder folder;
  TestContext context;
  const auto path = made(folder, [](Hdf5Writer& file) {
    file.write<float>("/train/X", {2, 1}, H5T_NATIVE_FLOAT, {1, 2});
    file.write<int>("/train/y", {2}, H5T_NATIVE_INT, {5, 6});
    file.write<float>("/test/X", {1, 1}, H5T_NATIVE_FLOAT, {3});
    file.write<int>("/test/y", {1}, H5T_NATIVE_INT, {6});
  });
  const Parameters train = {
      {"path", path}, {"samples", text("/train/X")}, {"label", text("/train/y")}};
  auto both = train;
  both.emplace_back("test_samples", text("/test/X"));
  both.emplace_back("test_label", text("/test/y"));
  const auto one = open_checked(*make_component<Source>("source/hdf5", both), context);
  CHECK(all_rows(*one).values == Floats{1, 2, 3});
  CHECK(one->outline().train_rows == 2);
  CHECK(labels(*one) == Labels{0, 1, 1});

  const auto second = made(
      folder,
      [](Hdf5Writer& file) {
        file.write<float>("/train/X", {1, 1}, H5T_NATIVE_FLOAT, {9});
        file.write<int>("/train/y", {1}, H5T_NATIVE_INT, {5});
      },
      "second.h5");
  auto other = train;
  other.emplace_back("test_path", second);
  const auto two = open_checked(*make_component<Source>("source/hdf5", other), context);
  CHECK(all_rows(*two).values == Floats{1, 2, 9});
  CHECK(labels(*two) == Labels{0, 1, 0});

  auto applied = make_component<Source>("source/hdf5", both);
  applied->apply_model({second, Layout::vector(1), {"5", "6"}, {}});
  const auto fresh = open_checked(*applied, context);
  CHECK(all_rows(*fresh).values == Floats{9});
  CHECK(labels(*fresh) == Labels{-1});
  auto labelled = make_component<Source>("source/hdf5", train);
  labelled->apply_model({second, Layout::vector(1), {"5", "6"}, {}, {}, {"label"}});
  CHECK(labels(*open_checked(*labelled, context)) == Labels{0});
}

TEST_CASE("missing values are refused, or kept: NaN and what _FillValue says") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto gaps = [&](Hdf5Writer& file) {
    file.write<float>("/X", {2, 2}, H5T_NATIVE_FLOAT, {1, nan, -999, 4});
    file.add_attribute("/X", "_FillValue", -999);
    labels_of_two(file);
  };
  const std::string remedy =
      " has no value; fill in or remove rows with missing values, or set 'missing: keep' and put "
      "normalizer/impute after the source";
  CHECK(refused(gaps) == "'/X': row 0, value 1 (both from 0)" + remedy);
  CHECK(refused([](Hdf5Writer& file) {
          file.write<int>("/X", {2, 2}, H5T_NATIVE_INT, {1, 2, -999, 4});
          file.add_attribute("/X", "_FillValue", -999);
          labels_of_two(file);
        }) == "'/X': row 1, value 0 (both from 0)" + remedy);
  auto keep = x_and_y;
  keep.emplace_back("missing", text("keep"));
  const auto values = all_rows(*read(gaps, keep)).values;
  CHECK(values[0] == 1);
  CHECK(std::isnan(values[1]));
  CHECK(std::isnan(values[2]));
  CHECK(values[3] == 4);
}

TEST_CASE("what float32 cannot hold") {
  CHECK(refused([](Hdf5Writer& file) {
          file.write<double>("/X", {2, 1}, H5T_NATIVE_DOUBLE, {1, 1e39});
          labels_of_two(file);
        }) == "'/X': row 1, value 0 (both from 0) is too large for float32; scale it");
  CHECK(refused([](Hdf5Writer& file) {
          file.write<double>("/X", {2, 1}, H5T_NATIVE_DOUBLE,
                             {1, -std::numeric_limits<double>::infinity()});
          labels_of_two(file);
        }) == "'/X': row 1, value 0 (both from 0) is not finite; correct it");
  CHECK(refused([](Hdf5Writer& file) {
          file.write<std::int64_t>("/X", {2, 1}, H5T_NATIVE_INT64, {1700000001, 1700000002});
          labels_of_two(file);
        }) ==
        "the values in column 0 (from 0) differ by 1, but would be rounded by up to 2, since "
        "float32 has 24 bits; subtract a constant, such as 1700000001, from the column first");
}

TEST_CASE("data sets that are not what they should be") {
  const auto x = [](Hdf5Writer& file) {
    file.write<float>("/X", {2, 1}, H5T_NATIVE_FLOAT, {1, 2});
  };
  CHECK(refused(labels_of_two) ==
        "'/X': there is no such data set; h5ls -r lists those that exist");
  CHECK(refused(x) == "'/y': there is no such data set; h5ls -r lists those that exist");
  CHECK(refused([&](Hdf5Writer& file) {
          x(file);
          file.write<int>("/y", {3}, H5T_NATIVE_INT, {1, 2, 3});
        }) == "'/y': holds 3 labels, but '/X' holds 2 rows; use those that belong together");
  CHECK(refused([&](Hdf5Writer& file) {
          x(file);
          file.write<int>("/y", {2, 2}, H5T_NATIVE_INT, {1, 2, 3, 4});
        }) ==
        "'/y': holds 2 values per row, but labels are one each; give a one-dimensional array");
  CHECK(refused([&](Hdf5Writer& file) {
          x(file);
          file.write<double>("/y", {2}, H5T_NATIVE_DOUBLE, {1, 1.5});
        }) ==
        "'/y', row 1 (from 0): the label is not a whole number, as labels must be; correct it, or "
        "name "
        "the array in 'target' if these are numbers to predict");
  CHECK(refused([&](Hdf5Writer& file) {
          x(file);
          file.write_texts("/y", {"a", ""});
        }) ==
        "'/y', row 1 (from 0): the label is empty; fill it in, or set 'missing_labels: drop' to "
        "drop such rows");
  CHECK(refused([&](Hdf5Writer& file) {
          x(file);
          file.write_texts("/y", {"\xff", "a"});
        }) == "'/y', row 0 (from 0): the label is not UTF-8 text; save the file as UTF-8");
  CHECK(refused([](Hdf5Writer& file) {
          file.write_texts("/X", {"a", "b"});
        }) == "'/X': holds texts; store a matrix of numbers of at most 64 bits");
  CHECK(refused([](Hdf5Writer& file) {
          file.write<float>("/X", {1, 2, 2}, H5T_NATIVE_FLOAT, {1, 2, 3, 4});
        }) == "'/X': has 3 dimensions; store a matrix with one sample per row");
  CHECK(refused([](Hdf5Writer& file) {
          file.write<float>("/X", {0, 2}, H5T_NATIVE_FLOAT, {});
        }) == "'/X': is empty; check that it is the right one");
  CHECK(refused([](Hdf5Writer& file) {
          file.leave_empty("/X", {4, 2}, 0, 0);
        }) == "'/X': has no values: it was made and never written; write it again");
  CHECK(refused([](Hdf5Writer& file) {
          file.leave_empty("/X", {4, 2}, 2, 2);
        }) == "'/X': is not complete: parts of it were never written; write it again");
  for (const char* attribute : {"scale_factor", "add_offset"})
    CHECK(refused([&](Hdf5Writer& file) {
            x(file);
            file.add_attribute("/X", attribute, 2);
          }) == "'/X': has the attribute '" + std::string(attribute) +
                    "', so its values stand for others; store the values themselves");
  CHECK(
      refused([&](Hdf5Writer& file) {
        x(file);
        file.add_attribute("/X", "MATLAB_class", 0);
      }) ==
      "'/X': is a matrix of MATLAB, whose rows and columns are exchanged here; store its transpose "
      "with h5create and h5write");
  CHECK(refused([](Hdf5Writer& file) {
          file.leave_empty("/X", {10000, 10000}, 10000, 0);
        }) == "'/X': has no values: it was made and never written; write it again");
}

TEST_CASE("values in other files, which a run would not know of") {
  const TempFolder folder;
  made(
      folder,
      [](Hdf5Writer& file) {
        file.write<float>("/X", {2}, H5T_NATIVE_FLOAT, {1, 2});
      },
      "other.h5");
  TestContext context;
  const auto linked = made(
      folder, [](Hdf5Writer& file) { file.link_elsewhere("/X", "other.h5", "/X"); }, "linked.h5");
  CHECK(message_of(
            *make_component<Source>("source/hdf5", {{"path", linked}, {"samples", text("/X")}}),
            context) ==
        linked + ": '/X': is in another file, which this one links to; name that file");
  const auto virtual_one = made(
      folder, [](Hdf5Writer& file) { file.make_virtual("/X", "other.h5", "/X", 2); }, "virtual.h5");
  CHECK(message_of(*make_component<Source>("source/hdf5",
                                           {{"path", virtual_one}, {"samples", text("/X")}}),
                   context) ==
        virtual_one +
            ": '/X': has its values in other files; copy them into one file, as h5repack does");
}

TEST_CASE("files that are none, cut off, or packed") {
  const TempFolder folder;
  TestContext context;
  const auto message = [&](const std::string& path) {
    const std::string all = message_of(
        *make_component<Source>("source/hdf5", {{"path", path}, {"samples", text("/X")}}), context);
    REQUIRE(all.starts_with(path + ": "));
    return all.substr(path.size() + 2);
  };
  const std::string none = "is not an HDF5 file; check the name, and decompress it if it is packed";
  CHECK(message(folder.write("text.h5", "1,2,3\n")) == none);
  const auto whole = made(
      folder,
      [](Hdf5Writer& file) {
        file.write("/X", {1000}, H5T_NATIVE_FLOAT, std::vector<float>(1000, 1.5f), 100);
      },
      "whole.h5");
  const std::string bytes = read_bytes(whole);
  CHECK(message(folder.write("packed.h5.gz", bytes)) == none);
  const std::string cut = message(folder.write("cut.h5", bytes.substr(0, bytes.size() / 2)));
  CHECK(cut.starts_with("cannot be opened: "));
  CHECK(cut.ends_with("; check that it is whole and closed"));
}

TEST_CASE("second data sets that do not fit, and parameters that exclude each other") {
  CHECK(refused(
            [](Hdf5Writer& file) {
              file.write<float>("/X", {2, 1}, H5T_NATIVE_FLOAT, {1, 2});
              labels_of_two(file);
              file.write<float>("/Z", {1, 2}, H5T_NATIVE_FLOAT, {1, 2});
            },
            {{"samples", text("/X")}, {"label", text("/y")}, {"test_samples", text("/Z")}}) ==
        "'/Z': has 2 values per row, but '/X' has 1; use data sets that belong together");
  const auto wrong = [](Parameters more) {
    more.emplace_back("path", text("t.h5"));
    more.emplace_back("samples", text("/X"));
    try {
      make_component<Source>("source/hdf5", more);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  CHECK(wrong({{"test_samples", text("/Z")}, {"test_fraction", 0.5}}) ==
        "'test_samples' names the test rows, so 'test_fraction', 'test_class_fraction' and "
        "'test_rows' have none to choose; remove one of them");
  CHECK(wrong({{"test_samples", text("/Z")}, {"role", text("test")}}) ==
        "with 'role: test' all rows are for testing; remove 'test_samples'");
  CHECK(wrong({{"label", text("/y")}, {"test_label", text("/w")}}) ==
        "'test_label' needs 'test_samples' or 'test_path'; give both, or remove it");
  CHECK(wrong({{"test_label", text("/w")}, {"test_samples", text("/Z")}}) ==
        "'test_label' needs 'label', that of the training rows; give both, or remove it");
  CHECK(wrong({{"test_samples", text("/X")}}) ==
        "'test_samples' and 'samples' name the same data set; name another, or omit it");
  auto source =
      make_component<Source>("source/hdf5", {{"path", text("t.h5")}, {"samples", text("/X")}});
  CHECK_THROWS_AS(source->apply_model({"new.h5", Layout::vector(1), {}, {}, {}, {"test_samples"}}),
                  Error);
}

TEST_CASE("weights of rows, in a data set of their own") {
  Parameters more = x_and_y;
  more.emplace_back("weight", std::string("/w"));
  const auto filled = [](const std::vector<double>& weights) {
    return [weights](Hdf5Writer& file) {
      file.write<float>("/X", {2, 1}, H5T_NATIVE_FLOAT, {5, 6});
      labels_of_two(file);
      file.write<double>("/w", {weights.size()}, H5T_NATIVE_DOUBLE, weights);
    };
  };
  const auto data = read(filled({0.25, 3}), more);
  CHECK(std::vector<double>(data->weights().begin(), data->weights().end()) ==
        std::vector<double>{0.25, 3});
  CHECK(refused(filled({1, -1}), more) ==
        "'/w', row 1 (from 0): the weight is -1; weights must be finite, and 0 or more");
  CHECK(refused(filled({std::nan(""), 1}), more) ==
        "'/w', row 0 (from 0): the weight is missing; fill it in: 0 for a row that is not to be "
        "learned from");
  CHECK(refused(filled({1, 1, 1}), more) ==
        "'/w': holds 3 weights, but '/X' holds 2 rows; use those that belong together");
}

TEST_CASE("groups of rows, and of test rows of the same file") {
  const auto fill = [](Hdf5Writer& file) {
    file.write<float>("/X", {2, 1}, H5T_NATIVE_FLOAT, {5, 6});
    labels_of_two(file);
    file.write<std::int64_t>("/who", {2}, H5T_NATIVE_INT64, {3, 4});
    file.write<float>("/T", {2, 1}, H5T_NATIVE_FLOAT, {7, 8});
    file.write<std::int64_t>("/others", {2}, H5T_NATIVE_INT64, {5, 5});
  };
  Parameters more = x_and_y;
  more.emplace_back("groups", std::string("/who"));
  more.emplace_back("test_samples", std::string("/T"));
  more.emplace_back("test_groups", std::string("/others"));
  const auto data = read(fill, more);
  CHECK(std::vector<std::int32_t>(data->groups().begin(), data->groups().end()) ==
        std::vector<std::int32_t>{0, 1, 2, 2});
}

TEST_CASE("numbers to predict, one or several per row, and those of test rows") {
  const auto fill = [](Hdf5Writer& file) {
    file.write<float>("/X", {3, 1}, H5T_NATIVE_FLOAT, {1, 2, 3});
    file.write<double>("/price", {3}, H5T_NATIVE_DOUBLE, {0.1, -1e-30, 1e30});
    file.write<std::int64_t>("/two", {3, 2}, H5T_NATIVE_INT64, {1, 2, 3, 4, 5, 6});
    file.write<double>("/gap", {3}, H5T_NATIVE_DOUBLE, {0.1, std::nan(""), 2});
    file.write<double>("/few", {2}, H5T_NATIVE_DOUBLE, {0.1, 0.2});
    file.write<double>("/close", {3}, H5T_NATIVE_DOUBLE, {1e9, 1e9 + 0.1, 1e9 + 0.2});
    file.write_texts("/names", {"a", "b", "c"});
    file.write<float>("/Z", {2, 1}, H5T_NATIVE_FLOAT, {4, 5});
  };
  const auto with = [](const char* targets, Parameters more = {}) {
    more.insert(more.end(), {{"samples", text("/X")}, {"target", text(targets)}});
    return more;
  };
  using Doubles = std::vector<double>;
  const auto targets = [](const Dataset& data) {
    return Doubles(data.targets().begin(), data.targets().end());
  };
  const auto one = read(fill, with("/price"));
  CHECK(one->outline().targets == Texts{"target"});
  CHECK(one->outline().train_rows == 3);
  CHECK(labels(*one) == Labels{-1, -1, -1});
  CHECK(targets(*one) == Doubles{0.1, -1e-30, 1e30});
  const auto two = read(fill, with("/two"));
  CHECK(two->outline().targets == Texts{"target 1", "target 2"});
  CHECK(targets(*two) == Doubles{1, 2, 3, 4, 5, 6});
  const auto tested =
      read(fill, with("/price", {{"test_samples", text("/Z")}, {"test_target", text("/few")}}));
  CHECK(targets(*tested) == Doubles{0.1, -1e-30, 1e30, 0.1, 0.2});
  CHECK(tested->outline().test_rows == 2);
  const auto unknown = read(fill, with("/price", {{"test_samples", text("/Z")}}));
  CHECK(std::isnan(unknown->targets()[4]));
  const auto dropped = read(fill, with("/gap", {{"missing_labels", text("drop")}}));
  CHECK(targets(*dropped) == Doubles{0.1, 2});
  CHECK(all_rows(*dropped).values == Floats{1, 3});
  CHECK(refused(fill, with("/gap"))
            .ends_with("row 1 (from 0): the target is missing; fill it in, "
                       "or set 'missing_labels: drop' to drop such rows"));
  CHECK(refused(fill, with("/few"))
            .ends_with("holds the targets of 2 rows, but '/X' holds 3 rows; "
                       "use those that belong together"));
  CHECK(refused(fill, with("/names"))
            .ends_with("holds no targets; store numbers of at "
                       "most 64 bits"));
  CHECK(refused(fill, with("/close"))
            .starts_with("the values in column 0 (from 0) of the targets differ by 0.2, "));
  CHECK_THROWS_WITH(make_component<Source>("source/hdf5", {{"path", text("t.h5")},
                                                           {"samples", text("/X")},
                                                           {"label", text("/y")},
                                                           {"target", text("/y")}}),
                    "'label' names a class and 'target' numbers to predict, but rows have one of "
                    "the two; remove one");
}

}  // namespace hdf5_test

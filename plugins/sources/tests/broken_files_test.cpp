// SPDX-License-Identifier: MIT
#include <limits>

#include "tests/sources_testing.hpp"

namespace broken_files_test {

using namespace semblance;
using namespace semblance::testing;

// Each case: the defect, the file, and the required parts of the one-line message after the file's
// name: place, problem and remedy.

namespace {

struct Broken {
  std::string name;
  std::string content;
  std::string message;
  Parameters more = {};
};

void check_all(const std::string& id, const std::vector<Broken>& table) {
  for (const Broken& b : table) {
    CAPTURE(b.name);
    const TempFolder folder;
    const std::string file = folder.write(b.name, b.content);
    auto parameters = b.more;
    parameters.emplace_back("path", file);
    TestContext context;
    context.budget = std::size_t{1} << 26;
    check_message(message_of(*make_component<Source>(id, parameters), context), file, b.message);
  }
}

std::string cut(const std::string& content, std::size_t bytes) { return content.substr(0, bytes); }

/// A compressed file's bytes, without its last ones.
std::string cut_compressed(const std::string& suffix, const std::string& content) {
  const TempFolder folder;
  const std::string file = folder.write("whole" + suffix, content);
  const std::string bytes = read_bytes(file);
  return cut(bytes, bytes.size() * 2 / 3);
}

std::string rows_of_text(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += std::to_string(i * i % 977) + ",a\n";
  return text;
}

std::string array(const std::string& type, const std::string& shape, const std::string& bytes) {
  return npy("{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }",
             bytes);
}

}  // namespace

TEST_CASE("broken text tables") {
  using Names = std::vector<std::string>;
  const auto label = [](const std::string& l) { return Parameters{{"label", l}}; };
  check_all(
      "source/csv",
      {
          {"empty.csv", "", "holds no rows"},
          {"blank.csv", "\n \n\r\n", "holds no rows"},
          {"header_only.csv", "x,y,class\n", "holds no rows"},
          {"ragged.csv", "1,2,a\n3,b\n", "line 2: has 2 fields, but line 1 has 3"},
          {"long.csv", "1,2,a\n3,4,5,b\n", "line 2: has 4 fields"},
          {"nan.csv", "1,2,a\nnan,4,b\n", "line 2: column 1 has no value"},
          {"inf.csv", "1,2,a\n3,-inf,b\n", "line 2: column 2 is '-inf', which is not finite"},
          {"word.csv", "1,2,a\n3,four,b\n", "line 2: column 2 is 'four', which is not a number"},
          {"half.csv", "1,2,a\n3,4x,b\n", "'4x', which is not a number"},
          {"large.csv", "1,2,a\n3,1e39,b\n", "'1e39', which is too large for float32"},
          {"missing.csv", "1,2,a\n3,,b\n", "line 2: column 2 has no value"},
          {"question.csv", "x,y,c\n1,2,a\n?,4,b\n", "line 3: column 1 (x) has no value"},
          {"no_label.csv", "1,2,a\n3,4,\n", "line 2: the label in column 3 is empty"},
          {"first_row.csv", "1,two,a\n3,4,b\n", "line 1: column 2 is 'two', not a number, though"},
          {"column.csv", "1,2,a\n", "line 1: no column 7", label("7")},
          {"zero.csv", "1,2,a\n", "columns count from 1", label("0")},
          {"name.csv", "x,y\n1,2\n", "no column 'z' for 'label'; columns are: x, y", label("z")},
          {"twice.csv", "x,x,c\n1,2,a\n", "two columns are named 'x'", label("x")},
          {"absent.csv",
           "1,2,a\n",
           "is a name, but the file is read without a header",
           {{"label", std::string("c")}, {"header", std::string("absent")}}},
          {"nothing.csv", "1,a\n", "no column with values is left", {{"ignore", Names{"1"}}}},
          {"quote.csv", "1,\"a\n2,b\n", "line 1: a quoted field is not closed"},
          {"binary.csv", std::string("1,2\0,3\n", 7), "line 1: holds a NUL byte"},
          {"few.csv", "1,a\n2,b\n", "leaves none to train on", {{"test_rows", std::int64_t{2}}}},
          {"unseen.csv",
           "1,a\n2,a\n3,b\n",
           "test row 1: its class 'b' has no training rows",
           {{"test_rows", std::int64_t{1}}}},
      });
}

TEST_CASE("cut off compressed files") {
  for (const char* suffix : {".gz", ".xz", ".bz2", ".zst"}) {
    CAPTURE(std::string(suffix));
    const TempFolder folder;
    const std::string file = folder.write("cut.csv", cut_compressed(suffix, rows_of_text(20000)));
    TestContext context;
    check_message(message_of(*make_component<Source>("source/csv", {{"path", file}}), context),
                  file, "cannot be decompressed");
  }
}

TEST_CASE("missing files and folders in the place of files") {
  const TempFolder folder;
  TestContext context;
  const std::string missing = folder.path() + "/none.csv";
  check_message(message_of(*make_component<Source>("source/csv", {{"path", missing}}), context),
                missing, "no such file");
  check_message(
      message_of(*make_component<Source>("source/csv", {{"path", folder.path()}}), context),
      folder.path(), "is a folder");
}

TEST_CASE("test files that do not fit the training file") {
  const TempFolder folder;
  const auto train = folder.write("train.csv", "1,2,a\n3,4,b\n");
  const auto wide = folder.write("wide.csv", "1,2,3,a\n"),
             other = folder.write("new.csv", "1,2,c\n");
  TestContext context;
  check_message(
      message_of(*make_component<Source>("source/csv", {{"path", train}, {"test_path", wide}}),
                 context),
      wide, "has 3 columns of values, but the training file 2");
  check_message(
      message_of(*make_component<Source>("source/csv", {{"path", train}, {"test_path", other}}),
                 context),
      other, "test row 1: its class 'c' has no training rows");
}

TEST_CASE("broken files in LIBSVM's format") {
  check_all("source/libsvm",
            {
                {"empty", "# nothing\n", "holds no rows"},
                {"descending", "1 1:1\n1 3:1 2:1\n", "line 2: index 2 comes after 3"},
                {"twice", "1 3:1 3:1\n", "index 3 comes after 3"},
                {"zero", "1 0:1\n",
                 "line 1: holds the index 0, but indices count from 1; set 'first_index: 0'"},
                {"word", "1 a:1\n", "'a' is not an index"},
                {"no_colon", "1 2\n", "'2' does not have the form index:value"},
                {"bad_value", "1 2:x\n", "the value of index 2, 'x', is not a number"},
                {"infinite", "1 2:inf\n", "is not finite"},
                {"query", "1 qid:3 1:1\n", "query number"},
                {"label", "1 1:1\n2:1\n", "line 2: has no label"},
                {"mixed",
                 "1:1\n5 2:1\n",
                 "line 2: has a label, but earlier rows have none",
                 {{"role", std::string("test")}}},
                {"huge", "1 2147483647:1\n2 1:1\n",
                 "MiB when dense, more than the 64 MiB allowed; the largest index, 2147483647, is "
                 "in line 1 "
                 "of"},
                {"several", "1,2 1:1\n", "its label '1,2' has a comma, as in multi-label data"},
                {"return", "1 1:1\r2 1:1\n", "line 1: holds a carriage return"},
                {"dimension",
                 "1 5:1\n2 1:1\n",
                 "line 1: holds the index 5, larger than the 'dimension' of 3 allows",
                 {{"dimension", std::int64_t{3}}}},
                {"no_values", "1\n2\n", "no row has a value"},
            });
}

TEST_CASE("broken arrays") {
  const std::string good = array("<f4", "2, 2", bytes_of<float>({1, 2, 3, 4}));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  check_all(
      "source/npy",
      {
          {"empty.npy", "", "byte 0: the magic number of .npy is missing"},
          {"magic.npy", "PK\3\4 something", "the magic number of .npy is missing"},
          {"version.npy", std::string("\x93NUMPY\x09\x00\x05\x00", 10), "format version 9"},
          {"header.npy", cut(good, 30), "the file ends within the header"},
          {"length.npy", std::string("\x93NUMPY\x02\x00\xff\xff\xff\x7f", 12),
           "claims a length of"},
          {"cut.npy", cut(good, good.size() - 3), "the file ends before the 2 rows"},
          {"more.npy", good + "x", "there are more data after the 2 rows"},
          {"claims.npy", array("<f4", "900000000000, 2", "abc"),
           "the file ends before the 900000000000"},
          {"wide.npy", array("<f4", "1, 900000000000", "abc"), "rows of more than"},
          {"overflow.npy", array("<f4", "1, 99999999999999999999", "abc"),
           "cannot read the header's shape"},
          {"fortran.npy", npy("{'descr': '<f4', 'fortran_order': Yes, 'shape': (1,), }", "abcd"),
           "fortran_order is neither True nor False"},
          {"long.npy", array("<U999999", "1,", "abcd"), "store shorter texts"},
          {"objects.npy", array("|O", "1,", "abcd"), "are Python objects, which are not read"},
          {"texts.npy", array("<U1", "1,", "abcd"), "holds texts, but numbers are needed here"},
          {"complex.npy", array("<c8", "1,", "abcdefgh"), "'<c8', is not supported"},
          {"records.npy",
           npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "abcd"),
           "the values are records"},
          {"scalar.npy", array("<f4", "", "abcd"), "a single number"},
          {"zero.npy", array("<f4", "0, 3", ""), "one of the dimensions is 0"},
          {"words.npy", npy("hello", ""), "not a dictionary"},
          {"keys.npy", npy("{'descr': '<f4', }", ""), "lacks descr, fortran_order or shape"},
          {"nan.npy", array("<f4", "2, 2", bytes_of<float>({1, 2, 3, nan})),
           "row 1, value 1 (both from 0): the value is not a number"},
          {"large.npy", array("<f8", "1, 1", bytes_of<double>({1e300})),
           "is too large for float32"},
          {"flat.npy", good, "cannot be read as 'image'", {{"layout", std::string("image")}}},
      });
}

TEST_CASE("labels that do not fit their array") {
  const TempFolder folder;
  const auto x = folder.write("x.npy", array("<f4", "2,", bytes_of<float>({1, 2})));
  const auto check = [&](const std::string& content, const std::string& message) {
    const auto y = folder.write("y.npy", content);
    TestContext context;
    check_message(
        message_of(*make_component<Source>("source/npy", {{"path", x}, {"label", y}}), context), y,
        message);
  };
  check(array("<i4", "3,", bytes_of<int>({1, 2, 3})), "holds 3 labels, but");
  check(array("<f4", "2,", bytes_of<float>({1, 2.5})),
        "row 1 (from 0): the label is not a whole number");
  check(array("<i4", "2, 2", bytes_of<int>({1, 2, 3, 4})),
        "holds 2 values per row, but labels are one each; give a one-dimensional array");
}

}  // namespace broken_files_test

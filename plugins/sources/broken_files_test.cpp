// SPDX-License-Identifier: MIT
#include <functional>

#include "cifar10.hpp"
#include "csv.hpp"
#include "idx.hpp"
#include "images.hpp"
#include "libsvm.hpp"
#include "npy.hpp"
#include "sources_testing.hpp"

using namespace semblance;
using namespace semblance::testing;

// Each case: what is wrong, the file, and what the one-line message must contain after the file's
// name: the place, the problem and the remedy.

namespace {

struct Broken {
  std::string name;
  std::string content;
  std::string message;
  Parameters more = {};
};

std::string message_of(const Source& source, TestContext& context) {
  try {
    source.open(context);
  } catch (const DataError& error) {
    return error.what();
  } catch (const std::exception& error) {
    return std::string("not a DataError: ") + error.what();
  }
  return "no error";
}

void check_message(const std::string& message, const std::string& file, const std::string& wanted) {
  CAPTURE(message);
  CHECK(message.starts_with(file + ": "));
  CHECK(message.find(wanted) != message.npos);
  CHECK(message.find('\n') == message.npos);
  CHECK(message.find(';') != message.npos);  // a remedy follows
}

template <class T>
void check_all(const std::vector<Broken>& table) {
  for (const Broken& b : table) {
    CAPTURE(b.name);
    const TempFolder folder;
    const std::string file = folder.write(b.name, b.content);
    auto parameters = b.more;
    parameters.emplace_back("path", file);
    TestContext context;
    context.budget = std::size_t{1} << 26;
    check_message(message_of(make<T>(parameters), context), file, b.message);
  }
}

std::string cut(const std::string& content, std::size_t bytes) { return content.substr(0, bytes); }

/// A compressed file's bytes, without its last ones.
std::string cut_compressed(const std::string& suffix, const std::string& content) {
  const TempFolder folder;
  const std::string file = folder.write("whole" + suffix, content);
  std::FILE* in = std::fopen(file.c_str(), "rb");
  std::string bytes(1 << 20, '\0');
  bytes.resize(std::fread(bytes.data(), 1, bytes.size(), in));
  std::fclose(in);
  return cut(bytes, bytes.size() * 2 / 3);
}

std::string rows_of_text(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += std::to_string(i * i % 977) + ",a\n";
  return text;
}

const Value text_none = std::string("none");

std::string array(const std::string& type, const std::string& shape, const std::string& bytes) {
  return npy("{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }",
             bytes);
}

}  // namespace

TEST_CASE("broken text tables") {
  using Names = std::vector<std::string>;
  const auto label = [](const std::string& l) { return Parameters{{"label", l}}; };
  check_all<Csv>({
      {"empty.csv", "", "holds no rows"},
      {"blank.csv", "\n \n\r\n", "holds no rows"},
      {"header_only.csv", "x,y,class\n", "holds no rows"},
      {"ragged.csv", "1,2,a\n3,b\n", "line 2: has 2 fields, but line 1 has 3"},
      {"long.csv", "1,2,a\n3,4,5,b\n", "line 2: has 4 fields"},
      {"nan.csv", "1,2,a\nnan,4,b\n", "line 2: column 1 is 'nan', which is not finite"},
      {"inf.csv", "1,2,a\n3,-inf,b\n", "line 2: column 2 is '-inf', which is not finite"},
      {"word.csv", "1,2,a\n3,four,b\n", "line 2: column 2 is 'four', which is not a number"},
      {"half.csv", "1,2,a\n3,4x,b\n", "'4x', which is not a number"},
      {"large.csv", "1,2,a\n3,1e39,b\n", "'1e39', which is too large for float32"},
      {"missing.csv", "1,2,a\n3,,b\n", "line 2: column 2 has no value"},
      {"question.csv", "x,y,c\n1,2,a\n?,4,b\n", "line 3: column 1 (x) has no value"},
      {"no_label.csv", "1,2,a\n3,4,\n", "line 2: the label in column 3 is empty"},
      {"first_row.csv", "1,two,a\n3,4,b\n", "line 1: column 2 is 'two', not a number, though"},
      {"column.csv", "1,2,a\n", "line 1: there is no column 7", label("7")},
      {"zero.csv", "1,2,a\n", "columns count from 1", label("0")},
      {"name.csv", "x,y\n1,2\n", "there is no column 'z' for 'label'; columns are: x, y",
       label("z")},
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
    check_message(message_of(make<Csv>({{"path", file}}), context), file, "cannot be decompressed");
  }
}

TEST_CASE("missing files and folders in the place of files") {
  const TempFolder folder;
  TestContext context;
  const std::string missing = folder.path() + "/none.csv";
  check_message(message_of(make<Csv>({{"path", missing}}), context), missing,
                "there is no such file");
  check_message(message_of(make<Csv>({{"path", folder.path()}}), context), folder.path(),
                "is a folder");
}

TEST_CASE("test files that do not fit the training file") {
  const TempFolder folder;
  const auto train = folder.write("train.csv", "1,2,a\n3,4,b\n");
  const auto wide = folder.write("wide.csv", "1,2,3,a\n"),
             other = folder.write("new.csv", "1,2,c\n");
  TestContext context;
  check_message(message_of(make<Csv>({{"path", train}, {"test_path", wide}}), context), wide,
                "has 3 columns of values, but the training file 2");
  check_message(message_of(make<Csv>({{"path", train}, {"test_path", other}}), context), other,
                "test row 1: its class 'c' has no training rows");
}

TEST_CASE("broken files in LIBSVM's format") {
  check_all<LibsvmFile>({
      {"empty", "# nothing\n", "holds no rows"},
      {"descending", "1 1:1\n1 3:1 2:1\n", "line 2: index 2 comes after 3"},
      {"twice", "1 3:1 3:1\n", "index 3 comes after 3"},
      {"zero", "1 0:1\n", "line 1: '0' is not an index"},
      {"word", "1 a:1\n", "'a' is not an index"},
      {"no_colon", "1 2\n", "'2' is not of the form index:value"},
      {"bad_value", "1 2:x\n", "the value of index 2, 'x', is not a number"},
      {"infinite", "1 2:inf\n", "is not finite"},
      {"query", "1 qid:3 1:1\n", "query number"},
      {"label", "1 1:1\n2:1\n", "line 2: has no label"},
      {"mixed",
       "1:1\n5 2:1\n",
       "line 2: has a label, but the rows before have none",
       {{"role", std::string("test")}}},
      {"huge", "1 2147483647:1\n2 1:1\n", "MiB when dense"},
      {"dimension",
       "1 5:1\n2 1:1\n",
       "holds index 5, but 'dimension' is 3",
       {{"dimension", std::int64_t{3}}}},
      {"no_values", "1\n2\n", "no row has a value"},
  });
}

TEST_CASE("broken arrays") {
  const std::string good = array("<f4", "2, 2", bytes_of<float>({1, 2, 3, 4}));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  check_all<Npy>({
      {"empty.npy", "", "byte 0: the magic number of .npy is missing"},
      {"magic.npy", "PK\3\4 something", "the magic number of .npy is missing"},
      {"version.npy", std::string("\x93NUMPY\x09\x00\x05\x00", 10), "format version 9"},
      {"header.npy", cut(good, 30), "the file ends within the header"},
      {"length.npy", std::string("\x93NUMPY\x02\x00\xff\xff\xff\x7f", 12), "claims a length of"},
      {"cut.npy", cut(good, good.size() - 3), "the file ends before the 2 rows"},
      {"more.npy", good + "x", "there are more data after the 2 rows"},
      {"claims.npy", array("<f4", "900000000000, 2", "abc"),
       "the file ends before the 900000000000"},
      {"wide.npy", array("<f4", "1, 900000000000", "abc"), "rows of more than"},
      {"overflow.npy", array("<f4", "1, 99999999999999999999", "abc"), "shape cannot be read"},
      {"fortran.npy", npy("{'descr': '<f4', 'fortran_order': True, 'shape': (1,), }", "abcd"),
       "store numpy.ascontiguousarray(array)"},
      {"big.npy", array(">f4", "1,", "abcd"), "big-endian"},
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
      {"large.npy", array("<f8", "1, 1", bytes_of<double>({1e300})), "is too large for float32"},
      {"flat.npy", good, "cannot be read as 'image'", {{"layout", std::string("image")}}},
  });
}

TEST_CASE("labels that do not fit their array") {
  const TempFolder folder;
  const auto x = folder.write("x.npy", array("<f4", "2,", bytes_of<float>({1, 2})));
  const auto check = [&](const std::string& content, const std::string& message) {
    const auto y = folder.write("y.npy", content);
    TestContext context;
    check_message(message_of(make<Npy>({{"path", x}, {"labels", y}}), context), y, message);
  };
  check(array("<i4", "3,", bytes_of<int>({1, 2, 3})), "holds 3 labels, but");
  check(array("<f4", "2,", bytes_of<float>({1, 2.5})),
        "row 1, value 0 (both from 0): the value is not a whole number");
  check(array("<i4", "2, 2", bytes_of<int>({1, 2, 3, 4})), "one number a row, not 2");
}

TEST_CASE("broken idx files") {
  const std::string images =
      big_endian(0x803) + big_endian(2) + big_endian(1) + big_endian(2) + "abcd";
  const std::string labels = big_endian(0x801) + big_endian(2) + std::string("\1\2");
  const auto check = [&](const std::string& i, const std::string& l, bool of_labels,
                         const std::string& message) {
    const TempFolder folder;
    const auto image_file = folder.write("images", i), label_file = folder.write("labels", l);
    TestContext context;
    check_message(
        message_of(make<Idx>({{"train_images", image_file}, {"train_labels", label_file}}),
                   context),
        of_labels ? label_file : image_file, message);
  };
  check("", labels, false, "byte 0: the file ends within the magic number");
  check("P5 something else", labels, false, "byte 0: the magic number is 1345658995");
  check(big_endian(0xd03) + "aaaaaaaaaaaaaa", labels, false, "type 13 instead of 8");
  check(labels, labels, false, "has 1 dimensions, but images have 3");
  check(images, images, true, "has 3 dimensions, but labels have 1");
  check(cut(images, 10), labels, false, "byte 10: the file ends within the header");
  check(cut(images, images.size() - 1), labels, false,
        "byte 19: the file ends after 1 of the 2 rows");
  check(images + "x", labels, false, "byte 20: there are more data after 2 rows");
  check(big_endian(0x803) + big_endian(0xffffffff) + big_endian(28) + big_endian(28) + "ab", labels,
        false, "the file ends after 0 of the 4294967295 rows");
  check(big_endian(0x803) + big_endian(1) + big_endian(0xffffffff) + big_endian(0xffffffff), labels,
        false, "rows of more than");
  check(big_endian(0x803) + big_endian(0) + big_endian(1) + big_endian(1), labels, false,
        "one of the dimensions is 0");
  check(images, big_endian(0x801) + big_endian(1) + "\1", true, "holds 1 labels, but");
}

TEST_CASE("idx files of two data sets") {
  const TempFolder folder;
  const auto a =
      folder.write("a", big_endian(0x803) + big_endian(1) + big_endian(1) + big_endian(1) + "x");
  const auto b =
      folder.write("b", big_endian(0x803) + big_endian(1) + big_endian(1) + big_endian(2) + "xy");
  const auto one = folder.write("one", big_endian(0x801) + big_endian(1) + "\1");
  const auto two = folder.write("two", big_endian(0x801) + big_endian(1) + "\2");
  TestContext context;
  check_message(
      message_of(make<Idx>({{"train_images", a}, {"train_labels", one}, {"test_images", b}}),
                 context),
      b, "but the training file's are each a image of 1x1x1");
  check_message(message_of(make<Idx>({{"train_images", a},
                                      {"train_labels", one},
                                      {"test_images", a},
                                      {"test_labels", two}}),
                           context),
                two, "test row 1: its class '2' has no training rows");
}

TEST_CASE("broken CIFAR-10 batches") {
  const auto check = [](const std::string& content, const std::string& message,
                        const std::string& names = "") {
    const TempFolder folder;
    const auto file = folder.write("test_batch.bin", content);
    std::string named = file;
    if (!names.empty()) named = folder.write("batches.meta.txt", names);
    TestContext context;
    check_message(message_of(make<Cifar10>({{"path", folder.path()},
                                            {"train_folds", std::vector<std::int64_t>{}}}),
                             context),
                  named, message);
  };
  check("", "byte 0: the file ends within record 1 of 10000");
  check(std::string(3073 * 700 + 5, '\0'), "byte 2151105: the file ends within record 701");
  check(std::string(3073 * 501, '\0') + "\x0b" + std::string(3073 * 9500, '\0'),
        "byte 1539573: the label is 11");
  check(std::string(3073 * 10000 + 1, '\0'), "byte 30730000: there are more data");
  check("x", "has 3 lines with class names, not 10", "a\nb\nc\n");
  check("x", "names class 'a' twice", "a\nb\nc\nd\ne\nf\ng\nh\na\nj\n");
  const TempFolder folder;
  TestContext context;
  check_message(message_of(make<Cifar10>({{"path", folder.path()}}), context),
                folder.path() + "/data_batch_1.bin", "there is no such file");
}

TEST_CASE("broken pictures") {
  const std::string good = "P5 2 1 255\nab";
  const auto check = [](const std::vector<std::pair<std::string, std::string>>& files,
                        const std::string& message) {
    const TempFolder folder;
    const std::string set = folder.path() + "/set";
    for (const auto& [name, content] : files) folder.write("set/" + name, content);
    TestContext context;
    check_message(message_of(make<Images>({{"path", set}}), context), set, message);
  };
  check({{"a/1.pgm", good}, {"b/1.pgm", "P5 1 2 255\nab"}},
        "b/1.pgm: is 1 wide and 2 high, but a/1.pgm");
  check({{"a/1.pgm", ""}}, "a/1.pgm: the picture's file is empty");
  check({{"a/1.pgm", "hello there"}}, "a/1.pgm: is neither a PNG nor");
  check({{"a/1.pgm", "P5 2 1 255\na"}}, "a/1.pgm: the PGM or PPM picture ends before");
  check({{"a/1.pgm", "P5 2 x 255\na"}}, "header is damaged");
  check({{"a/1.pgm", "P2 2 1 9 5 10"}}, "holds 10, above its own maximum of 9");
  check({{"a/1.pgm", "P4 2 1 \1"}}, "is a P4 picture");
  check({{"a/1.png", "\x89PNG\r\n\x1a\n and no more"}}, "the PNG picture cannot be decoded");
  check({{"a/1.jpg", "\xff\xd8\xff\xe0 and no more"}}, "the JPEG picture cannot be decoded");
  check({{"1.pgm", good}, {"2.pgm", good}}, "has no sub-folders for the classes");
  check({{"1.pgm", good}, {"a/2.pgm", good}}, "1.pgm: lies in no sub-folder");
  check({{"a/1.txt", good}}, "holds no pictures");
}

TEST_CASE("broken archives of pictures") {
  const TempFolder folder;
  TestContext context;
  const std::string good = "P5 200 100 255\n" + rows_of_text(4000).substr(0, 20000);
  const auto whole = folder.archive("whole.tar.gz", {{"a/1.pgm", good}, {"b/1.pgm", good}});
  REQUIRE(message_of(make<Images>({{"path", whole}}), context) == "no error");
  std::FILE* in = std::fopen(whole.c_str(), "rb");
  std::string bytes(1 << 20, '\0');
  bytes.resize(std::fread(bytes.data(), 1, bytes.size(), in));
  std::fclose(in);
  const auto half = folder.write("half.tar", cut(bytes, bytes.size() / 2));
  check_message(message_of(make<Images>({{"path", half}}), context), half, "cannot be read");
  const auto text = folder.write("text.tar", "this is no archive at all");
  check_message(message_of(make<Images>({{"path", text}}), context), text,
                "cannot be read as a folder or an archive");
  const auto empty = folder.write("empty.tar", "");
  check_message(message_of(make<Images>({{"path", empty}}), context), empty, "cannot be read as");
}

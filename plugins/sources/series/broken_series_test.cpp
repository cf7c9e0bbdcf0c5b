// SPDX-License-Identifier: MIT
#include "tests/sources_testing.hpp"

namespace broken_series_test {

using namespace semblance;
using namespace semblance::testing;

// Each case: the defect, the file, and the whole message after the file's name.

namespace {

Value text(const std::string& t) { return t; }

struct Broken {
  std::string name;
  std::string content;
  std::string message;
  Parameters more = {};
};

void check_all(const std::vector<Broken>& table) {
  for (const Broken& b : table) {
    CAPTURE(b.name);
    const TempFolder folder;
    const std::string file = folder.write(b.name, b.content);
    auto parameters = b.more;
    parameters.emplace_back("path", file);
    TestContext context;
    CHECK(message_of(*make_component<Source>("source/ucr", parameters), context) ==
          file + ": " + b.message);
  }
}

/// A .ts file with these tags, and data.
std::string ts(const std::string& tags, const std::string& data) {
  return "@problemName x\n@timeStamps false\n" + tags + "@data\n" + data;
}

std::string arff(const std::string& attributes, const std::string& data) {
  return "@relation x\n" + attributes + "@data\n" + data;
}

const std::string two_steps = "@attribute a numeric\n@attribute b numeric\n";
const std::string bag =
    "@attribute bag relational\n@attribute t1 numeric\n@attribute t2 numeric\n@end bag\n";

const Parameters interpolate = {{"missing", text("interpolate")}};

}  // namespace

TEST_CASE("broken series in .tsv") {
  check_all({
      {"empty.tsv", "\n \n", "holds no series; check that it is the right file"},
      {"no_values.tsv", "1\t2\t3\n2\n",
       "line 2: the series holds no values; fill it in or remove the row"},
      {"all_nan.tsv", "1\t2\t3\n2\tNaN\tnan\n",
       "line 2: the series holds only missing values; remove the row"},
      {"inner.tsv", "1\t2\tNaN\t4\n",
       "line 1: step 2 is missing; fill it in, or set 'missing: interpolate' to fill gaps "
       "linearly"},
      {"begin.tsv", "1\tNaN\t3\t4\n",
       "line 1: step 1 is missing; fill it in, or set 'missing: interpolate' to fill gaps "
       "linearly"},
      {"word.tsv", "1\t2\t3\n2\t4\tfour\n",
       "line 2: step 2 is 'four', which is not a number; correct it, or write NaN where a value is "
       "missing"},
      {"infinite.tsv", "1\t2\tinf\n",
       "line 1: step 2 is 'inf', which is not finite; correct it, or write NaN where a value is "
       "missing"},
      {"large.tsv", "1\t1e300\n",
       "line 1: step 1 is '1e300', which is too large for float32; correct it, or write NaN where "
       "a value is missing"},
      {"gap.tsv", "1\t2\t\t4\n",
       "line 1: step 2 is empty; write NaN or ? where a value is missing"},
      {"no_class.tsv", "\t2\t3\n",
       "line 1: the label is empty; fill it in, or set 'missing_labels: drop' to drop such rows"},
      {"encoding.tsv", "\xff\t2\t3\n",
       "line 1: the label is not UTF-8 text; save the file as UTF-8"},
      {"binary.tsv", std::string("1\t2\0\n", 6),
       "line 1: holds a NUL byte; this is not a text file"},
      {"long.tsv",
       "1\t2\t3\n1\t2\t3\t4\n",
       "line 2: the series has 3 steps, more than 'longest: 2' allows; raise it or cut the series",
       {{"longest", std::int64_t{2}}}},
      {"name.dat", "1\t2\n",
       "its name ends in none of .tsv, .ts and .arff; say which it is with 'format'"},
      {"name.zip", "PK", "is an archive; unpack it and name its folder, or a file of it"},
      {"close.tsv", "1\t100000001\n2\t100000003\n1\t100000005\n2\t100000004\n",
       "most of the values in channel 1 differ by 3, but would be rounded by up to 4, since "
       "float32 "
       "has 24 bits; subtract a constant, such as 100000001, from the column first"},
      {"level.tsv", "1\t100000001\t100000003\n2\t5\t4\n",
       "line 1: the values of the series differ by 2, but would be rounded by up to 3, since "
       "float32 has 24 bits; subtract a constant, such as 100000001, from it first"},
  });
}

TEST_CASE("broken series in .ts") {
  const std::string labelled = "@classLabel true a b\n";
  check_all({
      {"stamped.ts", ts(labelled, "(0,1),(1,2):a\n"),
       "line 5: the series has time stamps, but the tags do not say '@timeStamps true'; correct "
       "them"},
      {"no_data.ts", "@problemName x\n",
       "has no tag @data; the file is cut off or is no .ts file, check it"},
      {"no_tags.ts", "1,2,3:a\n",
       "line 1: holds data before the tag @data; a .ts file begins with its tags, such as "
       "'@classLabel true a b' and '@data'"},
      {"no_rows.ts", ts(labelled, ""), "holds no series; check that it is the right file"},
      {"truth.ts", "@univariate maybe\n",
       "line 1: the tag '@univariate' must say true or false; correct it"},
      {"number.ts", "@dimensions 0\n",
       "line 1: the tag '@dimensions' must give a whole number from 1 on; correct it"},
      {"classes.ts", "@classLabel true\n",
       "line 1: the tag @classLabel names no classes; write '@classLabel true' and all of them"},
      {"target.ts", "@targetLabel true\n@data\n1,2:3\n",
       "line 2: the series have numbers to predict (@targetLabel); set 'target: numbers', or use a "
       "file with @classLabel"},
      {"undeclared.ts", ts(labelled, "1,2:c\n"),
       "line 5: its class 'c' is not among those that @classLabel declares; correct one of them"},
      {"no_class.ts", ts(labelled, "1,2\n"),
       "line 5: has no ':' and so no class after the series; add it, or correct the tag "
       "@classLabel"},
      {"empty_class.ts", ts(labelled, "1,2:\n"),
       "line 5: the label is empty; fill it in, or set 'missing_labels: drop' to drop such rows"},
      {"mixed.ts", ts(labelled, "1,2:3,4:a\n1,2:a\n"),
       "line 6: the series has 1 channel, but those before it have 2; every series needs the same "
       "channels"},
      {"said.ts", ts(labelled + "@dimensions 3\n", "1,2:3,4:a\n"),
       "line 6: the series has 2 channels, but the tags say 3; correct one of them"},
      {"unequal.ts", ts(labelled, "1,2,3:4,5:a\n"),
       "line 5: channel 2 has 2 steps, but channel 1 has 3; the channels of a series must be "
       "equally long, so resample or pad with NaN"},
      {"length.ts", ts(labelled + "@equalLength true\n@seriesLength 3\n", "1,2:a\n"),
       "line 7: channel 1 has 2 steps, but by '@equalLength true' all have 3; correct it, or say "
       "'@equalLength false' and omit @seriesLength"},
      {"equal.ts", ts(labelled + "@equalLength true\n", "1,2:a\n1,2,3:b\n"),
       "line 7: channel 1 has 3 steps, but by '@equalLength true' all have 2; correct it, or say "
       "'@equalLength false' and omit @seriesLength"},
      {"step.ts", ts(labelled, "1,2:3,x:a\n"),
       "line 5: step 2 of channel 2 is 'x', which is not a number; correct it, or write NaN where "
       "a value is missing"},
      {"comma.ts", ts(labelled, "1,2,:a\n"),
       "line 5: step 3 is empty; write NaN or ? where a value is missing"},
      {"missing.ts", ts(labelled, "1,2:3,?:a\n"),
       "line 5: step 2 of channel 2 is missing; fill it in, or set 'missing: interpolate' to fill "
       "gaps linearly"},
      {"all_missing.ts", ts(labelled, "1,2:?,NaN:a\n"),
       "line 5: channel 2 holds only missing values, so there is nothing to interpolate between; "
       "remove the row, or set 'missing: keep' and fill it in with normalizer/impute_series",
       interpolate},
      {"no_value.ts", ts(labelled, "1,2:a\n?,NaN:a\n"),
       "line 6: the series holds only missing values; remove the row", interpolate},
      {"no_value_kept.ts",
       ts(labelled, "1,2:3,4:a\n?,NaN:?,?:a\n"),
       "line 6: the series holds only missing values; remove the row",
       {{"missing", text("keep")}}},
      {"nothing.ts", ts(labelled, ":a\n"),
       "line 5: the series holds no values; fill it in or remove the row"},
      {"both.ts", ts("@univariate true\n@dimensions 2\n", "1,2:3,4\n"),
       "line 5: the tags say '@univariate true' and more than one dimension; correct one"},
  });
}

TEST_CASE("broken series in .arff") {
  const std::string target = "@attribute t {a,b}\n";
  check_all({
      {"no_data.arff", "@relation x\n",
       "has no line @data; the file is cut off or is no .arff file, check it"},
      {"no_header.arff", "1,2,a\n",
       "line 1: holds data before the line @data; an .arff file begins with its attributes"},
      {"no_steps.arff", arff(target, "a\n"),
       "line 3: has no numeric attributes, so there are no series; check that it is the right "
       "file"},
      {"date.arff", arff("@attribute d date\n", ""),
       "line 2: the attribute 'd' has the type 'date', which is not supported; expected numeric, "
       "{classes} or relational"},
      {"two.arff", arff(target + "@attribute u {c}\n", ""),
       "line 3: the attribute 'u' is a second one with classes; keep the one that is the label"},
      {"open.arff", arff("@attribute t {a,b\n", ""),
       "line 2: the classes of 't' are not closed by '}'; add it"},
      {"few.arff", arff(two_steps + target, "1,a\n"),
       "line 6: step 2 is 'a', which is not a number; correct it, or write NaN where a value is "
       "missing"},
      {"fields.arff", arff(two_steps + target, "1,2\n"),
       "line 6: has 2 fields, but the header names 3 attributes; correct the row"},
      {"many.arff", arff(two_steps + target, "1,2,a,3\n"),
       "line 6: has more fields than the 3 attributes of the header; correct the row"},
      {"undeclared.arff", arff(two_steps + target, "1,2,c\n"),
       "line 6: its class 'c' is not among those that the header declares; correct one of them"},
      {"sparse.arff", arff(two_steps + target, "{0 1, 2 a}\n"),
       "line 6: is a sparse row, which is not supported; convert the file to .ts"},
      {"unended.arff", arff("@attribute bag relational\n@attribute t numeric\n", ""),
       "line 4: the relational attribute is not ended before @data; add its '@end' line"},
      {"beside.arff", arff(bag + two_steps, ""),
       "line 8: has numeric attributes beside the relational one, which is not supported; convert "
       "the file to .ts"},
      {"unquoted.arff", arff(bag + target, "1,2,a\n"),
       "line 8: the field of the series is not in quotes; write \"1,2,3\\n4,5,6\", or convert the "
       "file to .ts"},
      {"quote.arff", arff(bag + target, "\"1,2,a\n"), "line 8: a quote is not closed; correct it"},
      {"unequal.arff", arff(bag + target, "\"1,2\\n3\",a\n"),
       "line 8: channel 2 has 1 step, but channel 1 has 2; the channels of a series must be "
       "equally long, so resample or pad with NaN"},
  });
}

TEST_CASE("compressed series that are cut off") {
  std::string lines;
  for (int i = 0; i < 3000; ++i) lines += "1\t" + std::to_string(i * i % 977) + "\t3\n";
  for (const char* suffix : {".gz", ".xz"}) {
    const TempFolder folder;
    const std::string whole = read_bytes(folder.write(std::string("t.tsv") + suffix, lines));
    const auto file = folder.write("cut.tsv", whole.substr(0, whole.size() / 2));
    TestContext context;
    check_message(message_of(*make_component<Source>("source/ucr", {{"path", file}}), context),
                  file, "; the file is damaged or cut off, download it again");
  }
}

TEST_CASE("series of test files that do not belong to the training file") {
  const TempFolder folder;
  const auto train = folder.write("train.ts", ts("@classLabel true a b\n", "1,2:3,4:a\n5:6:b\n"));
  const auto check = [&](const std::string& content, const std::string& message) {
    const auto test = folder.write("test.ts", content);
    TestContext context;
    CHECK(message_of(*make_component<Source>("source/ucr", {{"path", train}, {"test_path", test}}),
                     context) == test + ": " + message);
  };
  check(ts("@classLabel true a c\n", "1:2:a\n"),
        "line 4: the tags declare the class 'c', which the training file does not; use files that "
        "belong together, or set 'new_test_classes: true'");
  check(ts("@classLabel true a\n", "1:a\n"),
        "line 5: the series has 1 channel, but those before it have 2; every series needs the same "
        "channels");
  const auto tsv = folder.write("train.tsv", "1\t2\t3\n");
  const auto other = folder.write("test.tsv", "1\t2\t3\n\n7\t2\t3\n");
  TestContext context;
  CHECK(message_of(*make_component<Source>("source/ucr", {{"path", tsv}, {"test_path", other}}),
                   context) ==
        other +
            ": line 3: its class '7' has no training rows; check the files, or set "
            "'new_test_classes: true'");
  const auto both = make_component<Source>(
      "source/ucr", {{"path", tsv}, {"test_path", other}, {"new_test_classes", true}});
  CHECK(both->open(context)->outline().classes.size() == 2);
}

TEST_CASE("a folder has its own test rows") {
  const TempFolder folder;
  folder.write("S/S_TRAIN.ts", ts("@classLabel true a b\n", "1,2:a\n"));
  const std::string path = folder.path() + "/S";
  CHECK_THROWS_WITH_AS(
      make_component<Source>("source/ucr", {{"path", path}, {"test_fraction", 0.5}}),
      "'path' names a folder, whose _TEST file has the test rows; name its _TRAIN "
      "file in 'path' to choose them otherwise",
      Error);
  TestContext context;
  CHECK(message_of(*make_component<Source>("source/ucr", {{"path", path}}), context) ==
        path + "/S_TEST.tsv: no such file; check the path and the data folder");
  const std::string empty = folder.path() + "/E";
  folder.write("E/other", "");
  CHECK(message_of(*make_component<Source>("source/ucr", {{"path", empty}}), context) ==
        empty + "/E_TRAIN.tsv: no such file; check the path and the data folder");
}

TEST_CASE("series that are more than memory") {
  std::string lines;
  for (int i = 0; i < 3000; ++i) lines += "1\t1\t2\t3\t4\t5\t6\t7\t8\t9\t10\n";
  const TempFolder folder;
  const auto file = folder.write("bomb.tsv.gz", lines);
  TestContext context;
  context.budget = std::size_t{100} << 10;
  check_message(message_of(*make_component<Source>("source/ucr", {{"path", file}}), context), file,
                "the series so far need 1 MiB, more than the 1 MiB of memory left; allow more with "
                "--memory, or use fewer rows");
}

}  // namespace broken_series_test

// SPDX-License-Identifier: MIT
#include "series/time_stamps.hpp"

#include "tests/sources_testing.hpp"

namespace time_stamps_test {

using namespace semblance;
using namespace semblance::sources;
using namespace semblance::testing;

namespace {

using Stamps = std::vector<std::string_view>;
using Steps = std::vector<std::size_t>;

Value text(const std::string& t) { return t; }

const std::string tags = "@timeStamps true\n@classLabel true a b\n@data\n";

std::string problem_of(TimeSteps& steps, const Stamps& stamps) {
  try {
    steps.of_channel(stamps, [](const std::string& problem) { throw Error(problem); });
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

std::string problem_of(const Stamps& stamps) {
  TimeSteps steps;
  return problem_of(steps, stamps);
}

Steps steps_of(TimeSteps& steps, const Stamps& stamps) {
  return steps.of_channel(stamps, [](const std::string& problem) { throw Error(problem); });
}

Steps steps_of(const Stamps& stamps) {
  TimeSteps steps;
  return steps_of(steps, stamps);
}

void check_refused(const std::string& data, const std::string& message) {
  CAPTURE(data);
  const TempFolder folder;
  const std::string file = folder.write("x.ts", tags + data);
  TestContext context;
  CHECK(message_of(*make_component<Source>("source/ucr", {{"path", file}}), context) ==
        file + ": " + message);
}

const std::string remedy =
    "; series need equal steps: interpolate the values at such times first, for example by "
    "numpy.interp";

}  // namespace

TEST_CASE("time stamps are numbers or dates") {
  CHECK(time_of_stamp(" -2.5e1 ") == -25);
  CHECK(time_of_stamp("+3") == 3);
  CHECK(time_of_stamp("1970-01-02") == 86400);
  CHECK(time_of_stamp("1970/01/01 00:01") == 60);
  CHECK(time_of_stamp("1970-01-01T01:00:00.5Z") == 3600.5);
  CHECK(time_of_stamp("2000-03-01").value() - time_of_stamp("2000-02-28").value() == 2 * 86400);
  for (const char* bad :
       {"", "x", "1 2", "inf", "nan", "1e301", "2001-02-29", "2001-13-01", "1970-1-1",
        "1970-01-01 24:00", "1970-01-01 12:60", "1970-01-01 12:00:61",
        "1970-01-01 12:00:", "1970-01-01 12:00:-1", "1970-01-01x", "1970-01-01 12:00 "})
    CHECK_MESSAGE(time_of_stamp(bad).has_value() == (std::string_view(bad).ends_with("0 ")), bad);
}

TEST_CASE("equally spaced stamps number the steps; a stamp left out is a missing step") {
  CHECK(steps_of({"5"}) == Steps{0});
  CHECK(steps_of({}).empty());
  CHECK(steps_of({"0.5", "1", "1.5"}) == Steps{0, 1, 2});
  CHECK(steps_of({"0", "0.033", "0.067", "0.1"}) == Steps{0, 1, 2, 3});  // rounded
  CHECK(steps_of({"0", "10", "40", "50"}) == Steps{0, 1, 4, 5});
  CHECK(steps_of({"2024-12-31 23:00", "2025-01-01 00:00", "2025-01-01 01:00"}) == Steps{0, 1, 2});
  TimeSteps all;
  CHECK(steps_of(all, {"0", "1", "2"}) == Steps{0, 1, 2});
  CHECK(steps_of(all, {"0", "2"}) == Steps{0, 2});  // the length of a step is that of all series
  all.begin_series();
  CHECK(steps_of(all, {"107", "108"}) == Steps{0, 1});
}

TEST_CASE("stamps that are not equally spaced are refused") {
  CHECK(problem_of({"0", "1", "2.4", "3"}) ==
        "time stamp 2 ('1') is not a whole number of steps of 0.6 after the first" + remedy);
  CHECK(problem_of({"0", "1", "2.1"}) ==
        "time stamp 2 ('1') is not a whole number of steps of 1.05 after the first" + remedy);
  CHECK(problem_of({"0", "1", "1"}) ==
        "time stamp 3 ('1') is not later than the one before; sort the steps by time");
  CHECK(problem_of({"0", "1", "1e300"}) ==
        "more time stamps are left out than there are, beside the step of 1" + remedy);
  CHECK(problem_of({"0", "monday"}) ==
        "time stamp 2 ('monday') is neither a number nor a date such as 2024-05-31 12:30:00; "
        "correct it");
  TimeSteps all;
  CHECK(steps_of(all, {"0", "1", "2"}) == Steps{0, 1, 2});
  CHECK(problem_of(all, {"1", "2", "3"}) ==
        "time stamp 1 ('1') is not that of the first channel; the channels of a series need the "
        "same time stamps");
  all.begin_series();
  CHECK(problem_of(all, {"1", "1.5", "2"}) ==
        "the time stamps are 0.5 apart, but those before are 1 apart" + remedy);
}

TEST_CASE("the .ts format with time stamps") {
  const TempFolder folder;
  const auto file = folder.write(
      "stamped.ts", tags +
                        "(2007-01-01 00:00:00,1),(2007-01-01 00:01:00, 2):(2007-01-01 00:00:00,3), "
                        "(2007-01-01 00:01:00,4):a\n"
                        "(0,5),(60,6),(180,8):(0,7),(60,?),(180,9):b\n");
  TestContext context;
  const auto data = open_checked(
      *make_component<Source>("source/ucr", {{"path", file}, {"missing", text("interpolate")}}),
      context);
  CHECK(data->outline().layout == Layout::sequence(4, 2));
  CHECK(labels(*data) == Labels{0, 1});
  CHECK(row_of(*data, 0) == Floats{1, 3, 2, 4});
  // 5, 6, left out, 8 and 7, missing, left out, 9.
  const Floats filled = row_of(*data, 1);
  REQUIRE(filled.size() == 8);
  const Floats expected = {5, 7, 6, 7 + 2.F / 3, 7, 7 + 4.F / 3, 8, 9};
  for (std::size_t k = 0; k < 8; ++k) CHECK(filled[k] == doctest::Approx(expected[k]));
}

TEST_CASE("broken time stamps in a file") {
  check_refused("(0,1),(1,2),(3,4):a\n",
                "line 4: step 3 is missing; fill it in, or set 'missing: interpolate' to fill "
                "gaps linearly");
  check_refused("(0,1),(1,2):a\n(0,1),(2,2),(3,1):b\n",
                "line 5: step 2 is missing; fill it in, or set 'missing: interpolate' to fill "
                "gaps linearly");
  check_refused(
      "(0,1),(1,2):(0,1),(1,2),(1.5,3):a\n",
      "line 4: channel 2: the time stamps are 0.75 apart, but those before are 1 apart" + remedy);
  check_refused("(0,1),(1,2):(0,1):a\n",
                "line 4: channel 2 has 1 step, but channel 1 has 2; the channels of a series must "
                "be equally long, so resample or pad with NaN");
  check_refused("1,2:a\n",
                "line 4: step 1 is '1,2', not (time,value); correct it, or the tag '@timeStamps "
                "true'");
  check_refused("(0,1),(1:a\n",
                "line 4: step 2 is '(1', not (time,value); correct it, or the tag '@timeStamps "
                "true'");
  check_refused("(0,1),:a\n",
                "line 4: step 1 is followed by ',', not by a comma and the next step; correct it");
  check_refused("(0,1)(1,2):a\n",
                "line 4: step 1 is followed by '(1,2)', not by a comma and the next step; correct "
                "it");
  check_refused("(0,1),(1,x):a\n",
                "line 4: step 2 is 'x', which is not a number; correct it, or write NaN where a "
                "value is missing");
  check_refused(":a\n", "line 4: the series holds no values; fill it in or remove the row");
}

TEST_CASE("test series keep the steps of the training file") {
  const TempFolder folder;
  const auto train = folder.write("train.ts", tags + "(0,1),(1,2):a\n(0,1),(1,2):b\n");
  const auto test = folder.write("test.ts", tags + "(0,1),(5,2),(10,2):a\n");
  TestContext context;
  CHECK(message_of(*make_component<Source>("source/ucr", {{"path", train}, {"test_path", test}}),
                   context) ==
        test + ": line 4: more time stamps are left out than there are, beside the step of 1" +
            remedy);
}

}  // namespace time_stamps_test

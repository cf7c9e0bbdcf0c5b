// SPDX-License-Identifier: MIT
#include "pictures/lfw_protocol.hpp"

#include "tests/sources_testing.hpp"

namespace lfw_protocol_test {

using namespace semblance;
using namespace semblance::sources;
using namespace semblance::testing;

namespace {

const std::string pairs = "2\t1\nAnn\t1\t3\nAnn\t2\tBob_Lee\t1\nCy\t1\t2\nCy\t1\tDee\t4\n";
const std::string people = "2\nAnn\t3\nBob_Lee\t1\n";

template <class Read>
void check_broken(const std::string& content, const std::string& wanted, Read read) {
  const TempFolder folder;
  const std::string file = folder.write("protocol.txt", content);
  std::string message = "no error";
  try {
    read(file);
  } catch (const DataError& problem) {
    message = problem.what();
  }
  check_message(message, file, wanted);
}

}  // namespace

TEST_CASE("the people of each fold, with their largest number") {
  const TempFolder folder;
  CHECK(read_pair_people(folder.write("pairs.txt", pairs)) ==
        std::vector<PeopleCounts>{{{"Ann", 3}, {"Bob_Lee", 1}}, {{"Cy", 2}, {"Dee", 4}}});
  CHECK(read_people(folder.write("people.txt", people)) ==
        PeopleCounts{{"Ann", 3}, {"Bob_Lee", 1}});
}

TEST_CASE("broken files of pairs") {
  const auto check = [](const std::string& content, const std::string& wanted) {
    check_broken(content, wanted, read_pair_people);
  };
  check("", "after line 0: the file ends, but the numbers of folds and pairs");
  check("300\n", "line 1: reads '300', but the numbers of folds and pairs");
  check("0\t300\n", "line 1: reads");
  check(pairs.substr(0, 20), "line 3: reads 'Ann?2?Bo', but 'NAME I OTHER J'");
  check(pairs.substr(0, 12), "after line 2: the file ends, but 'NAME I OTHER J'");
  check("1\t1\nAnn\t1\t2\t3\nAnn\t1\tBob\t1\n", "line 2: reads");
  check("1\t1\nAnn\t1\tx\nAnn\t1\tBob\t1\n", "but 'NAME I J' was expected");
  check("1\t1\nAnn\t0\t1\nAnn\t1\tBob\t1\n", "line 2: reads");
  check(pairs + "Eve\t1\t2\n", "line 6: reads");
}

TEST_CASE("broken files of people") {
  const auto check = [](const std::string& content, const std::string& wanted) {
    check_broken(content, wanted, read_people);
  };
  check("Ann\t3\n", "line 1: reads 'Ann?3', but the number of people");
  check("3\nAnn\t3\nBob\t1\n", "after line 3: the file ends, but 'NAME IMAGES'");
  check("2\nAnn\t3\nAnn\t1\n", "line 3: reads 'Ann?1', but each person once");
  check("1\nAnn\t-3\n", "line 2: reads");
}

TEST_CASE("pictures are sorted out by their names") {
  const std::vector<std::string> names = {"lfwa/Bob_Lee/Bob_Lee_0001.jpg", "lfwa/Ann/Ann_0002.jpg",
                                          "lfwa/Ann/Ann_0001.jpg"};
  const auto all = people_pictures("x.tar", names);
  CHECK(all == PeoplePictures{{"Ann", {2, 1}}, {"Bob_Lee", {0}}});
  CHECK(face_name("x", "Ann/Ann_0012.png").number == 12);
  const auto check = [&](std::vector<std::string> more, const std::string& wanted) {
    more.insert(more.end(), names.begin(), names.end());
    CHECK_THROWS_WITH_AS(people_pictures("x.tar", more), doctest::Contains(wanted.c_str()),
                         DataError);
  };
  check({"lfwa/Ann_0003.jpg"}, "lfwa/Ann_0003.jpg: is not named like");
  check({"Ann_0003.jpg"}, "is not named like");
  check({"lfwa/Ann/Bob_0003.jpg"}, "is not named like");
  check({"lfwa/Ann/Ann_three.jpg"}, "is not named like");
  check({"lfwa/Ann/Ann_0000.jpg"}, "is not named like");
  check({"other/Ann/Ann_0001.jpg"}, "appears twice");
  check({"lfwa/Ann/Ann_0004.jpg"}, "Ann: its picture 3 is missing, but 4 exists");
}

}  // namespace lfw_protocol_test

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "pictures/lfw_protocol.hpp"
#include "tests/sources_testing.hpp"

namespace lfw_test {

using namespace semblance;
using namespace semblance::sources;
using namespace semblance::testing;

namespace {

using Files = std::vector<std::pair<std::string, std::string>>;

/// A picture 6 wide and 4 high; all pixels encode person and number.
std::string face(int person, int number) {
  return "P5 6 4 255\n" + std::string(24, char(10 * person + number));
}

/// Ann has 3 pictures, Bob 1, Cy 4, Dee 2, Eve 5; in an order of no meaning.
Files faces() {
  const std::vector<std::pair<std::string, int>> people = {
      {"Cy", 4}, {"Ann", 3}, {"Eve", 5}, {"Bob", 1}, {"Dee", 2}};
  Files files;
  for (const auto& [name, images] : people)
    for (int n = images; n >= 1; --n)
      files.emplace_back("lfwa/" + name + "/" + name + "_000" + std::to_string(n) + ".pgm",
                         face(name[0] - 'A', n));
  return files;
}

void write_protocol(const TempFolder& folder) {
  folder.write("pairs.txt", "2\t1\nAnn\t1\t3\nAnn\t2\tBob\t1\nCy\t1\t2\nCy\t4\tDee\t1\n");
  folder.write("peopleDevTrain.txt", "2\nAnn\t3\nEve\t5\n");
  folder.write("peopleDevTest.txt", "2\nCy\t4\nDee\t2\n");
}

Parameters at(const TempFolder& folder, const Parameters& more = {}) {
  Parameters all = {{"path", folder.path()}, {"images", std::string("faces.tar.gz")}};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}
Value whole(std::int64_t x) { return x; }

/// Name and number of each row, decoded from its pixels; also checks the label.
std::vector<std::string> shown(const Dataset& data) {
  std::vector<std::string> all;
  const FloatMatrix rows = all_rows(data);
  const std::map<char, std::string> names = {
      {'A', "Ann"}, {'B', "Bob"}, {'C', "Cy"}, {'D', "Dee"}, {'E', "Eve"}};
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const int value = int(rows.view().row(i)[0]);
    const std::string name = names.at(char('A' + value / 10));
    CHECK(data.outline().classes[static_cast<std::size_t>(data.labels()[i])] == name);
    all.push_back(name + std::to_string(value % 10));
  }
  return all;
}
using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("view 2 tests on the people of the fold's pairs and trains on all others") {
  const TempFolder folder;
  write_protocol(folder);
  folder.archive("faces.tar.gz", faces());
  TestContext context;
  const auto first = open_checked(*make_component<Source>("source/lfw", at(folder)), context);
  CHECK(first->outline().layout == Layout::image(4, 6, 1));
  CHECK(first->outline().train_rows == 11);
  CHECK(shown(*first) == Names{"Cy1", "Cy2", "Cy3", "Cy4", "Dee1", "Dee2", "Eve1", "Eve2", "Eve3",
                               "Eve4", "Eve5", "Ann1", "Ann2", "Ann3", "Bob1"});
  CHECK(first->name(3) == "lfwa/Cy/Cy_0004.pgm");
  CHECK(first->number(3) == 0);  // its place in the archive
  CHECK(first->name(14) == "lfwa/Bob/Bob_0001.pgm");
  CHECK(first->number(14) == 12);
  CHECK(first->outline().numbered_rows == 15);
  const auto second = open_checked(
      *make_component<Source>("source/lfw",
                              at(folder, {{"fold", whole(2)}, {"images_per_person", whole(2)}})),
      context);
  CHECK(second->outline().train_rows == 5);
  CHECK(shown(*second) ==
        Names{"Ann1", "Ann2", "Bob1", "Eve1", "Eve2", "Cy1", "Cy2", "Cy3", "Cy4", "Dee1", "Dee2"});
}

TEST_CASE("view 1 follows the lists of people; a folder serves as well as an archive") {
  const TempFolder folder;
  write_protocol(folder);
  for (const auto& [name, content] : faces()) folder.write(name, content);
  TestContext context;
  auto source = make_component<Source>(
      "source/lfw", at(folder, {{"view", whole(1)}, {"images", std::string("lfwa")}}));
  CHECK(source->files().size() == 17);
  const auto data = open_checked(*source, context);
  CHECK(shown(*data) == Names{"Ann1", "Ann2", "Ann3", "Eve1", "Eve2", "Eve3", "Eve4", "Eve5", "Cy1",
                              "Cy2", "Cy3", "Cy4", "Dee1", "Dee2"});
}

TEST_CASE("the centre of a picture") {
  const TempFolder folder;
  write_protocol(folder);
  std::string ramp;
  for (int p = 0; p < 24; ++p) ramp += char(p);
  folder.archive("faces.tar.gz", {{"Ann/Ann_0001.pgm", "P5 6 4 255\n" + ramp},
                                  {"Bob/Bob_0001.pgm", "P5 6 4 255\n" + ramp}});
  TestContext context;
  const auto data = open_checked(
      *make_component<Source>("source/lfw", at(folder, {{"task", std::string("interclass")},
                                                        {"classes", whole(1)},
                                                        {"examples_per_class", whole(1)},
                                                        {"crop_width", whole(3)},
                                                        {"crop_height", whole(2)}})),
      context);
  CHECK(data->outline().layout == Layout::image(2, 3, 1));
  CHECK(all_rows(*data).values == std::vector<float>{7, 8, 9, 13, 14, 15, 7, 8, 9, 13, 14, 15});
}

TEST_CASE("drawn tasks: people and images without repetition") {
  const TempFolder folder;
  folder.archive("faces.tar.gz", faces());
  const auto source = [&](const std::string& task, std::int64_t test_seed) {
    return make_component<Source>("source/lfw", at(folder, {{"task", task},
                                                            {"classes", whole(2)},
                                                            {"examples_per_class", whole(2)},
                                                            {"test_examples_per_class", whole(1)},
                                                            {"test_seed", whole(test_seed)}}));
  };
  std::set<Names> tests;
  for (std::uint64_t seed = 1; seed < 12; ++seed) {
    TestContext context(2, seed);
    const auto same = open_checked(*source("interexample", 0), context);
    CHECK(class_counts(*same, 0, 4) == std::vector<int>{2, 2});
    CHECK(class_counts(*same, 4, 2) == std::vector<int>{1, 1});
    const auto rows = shown(*same);
    CHECK(std::set<std::string>(rows.begin(), rows.end()).size() == 6);
    CHECK(std::is_sorted(rows.begin(), rows.begin() + 4));

    const auto other = open_checked(*source("interclass", 5), context);
    CHECK(class_counts(*other, 0, 6) != std::vector<int>{2, 2, 2, 0});
    CHECK(other->outline().classes.size() == 4);
    const auto all = shown(*other);
    tests.insert({all.begin() + 4, all.end()});
  }
  CHECK(tests.size() == 1);
  check_seeded(*source("interclass", 0));
}

TEST_CASE("people who are drawn have images enough") {
  const TempFolder folder;
  folder.archive("faces.tar.gz", faces());
  TestContext context;
  const Parameters drawn = {{"task", std::string("interexample")},
                            {"classes", whole(2)},
                            {"examples_per_class", whole(3)},
                            {"test_examples_per_class", whole(1)}};
  const auto data = open_checked(*make_component<Source>("source/lfw", at(folder, drawn)), context);
  CHECK(data->outline().classes == Names{"Cy", "Eve"});
  auto more = drawn;
  more[2].second = whole(4);
  CHECK_THROWS_WITH_AS(make_component<Source>("source/lfw", at(folder, more))->open(context),
                       doctest::Contains("only 1 sufficiently large classes"), Error);
  more.emplace_back("test_classes", whole(3));
  CHECK_THROWS_WITH_AS(make_component<Source>("source/lfw", at(folder, more)),
                       doctest::Contains("must not exceed"), Error);
}

TEST_CASE("broken data of LFW give one clear message") {
  const auto check = [](const Files& files, const Parameters& more, const std::string& wanted,
                        const std::string& of = "faces.tar.gz") {
    const TempFolder folder;
    write_protocol(folder);
    folder.archive("faces.tar.gz", files);
    TestContext context;
    check_message(message_of(*make_component<Source>("source/lfw", at(folder, more)), context),
                  folder.path() + "/" + of, wanted);
  };
  const auto with = [](const std::string& name, const std::string& content) {
    Files files = faces();
    files.emplace_back(name, content);
    return files;
  };
  check({{"readme.txt", "no picture"}}, {}, "holds no pictures");
  check(with("Ann/Ann_0004.jpg", "\xff\xd8\xff\xe0 and no more"), {{"fold", whole(2)}},
        "Ann/Ann_0004.jpg: cannot decode the JPEG picture");
  check(with("Ann/Ann_0004.pgm", "P5 1 2 255\nab"), {},
        "Ann/Ann_0004.pgm: is 1 wide and 2 high, but lfwa/Cy/Cy_0004.pgm is 6 wide and 4 high");
  check(faces(), {{"crop_width", whole(7)}}, "are 6 wide and 4 high; lower");
  check(faces(), {{"fold", whole(3)}}, "has 2 folds, but 'fold' is 3", "pairs.txt");
  Files files = faces();
  files.erase(files.begin());  // the last of Cy
  check(files, {{"fold", whole(2)}}, "holds 3 pictures of Cy, but");
  check(files, {{"view", whole(1)}}, "holds 3 pictures of Cy, but");

  const TempFolder empty;
  TestContext context;
  check_message(
      message_of(*make_component<Source>("source/lfw", {{"path", empty.path()}}), context),
      empty.path() + "/lfwa-crop112x152.tar.gz", "no such folder or archive");
  empty.archive("faces.tar.gz", faces());
  check_message(message_of(*make_component<Source>("source/lfw", at(empty)), context),
                empty.path() + "/pairs.txt", "no such file");
  context.stop = StopReason::cancelled;
  CHECK_THROWS_AS(make_component<Source>("source/lfw", at(empty))->open(context), Cancelled);
}

TEST_CASE("the real faces: both views, in seconds") {
  const std::string data = real_data();
  if (data.empty()) return;
  const std::string path = data + "/lfw-a";
  TestContext context;
  const auto begin = std::chrono::steady_clock::now();
  const auto first =
      make_component<Source>("source/lfw", {{"path", path}, {"view", whole(1)}})->open(context);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  MESSAGE("13,233 faces read and decoded by two threads in ", seconds.count(), " s");
  CHECK(first->outline().train_rows == 9525);
  CHECK(first->outline().test_rows == 3708);
  CHECK(first->outline().classes.size() == 4038 + 1711);
  CHECK(first->outline().layout == Layout::image(152, 112, 1));

  const auto folds = read_pair_people(path + "/pairs.txt");
  REQUIRE(folds.size() == 10);
  const auto source = make_component<Source>("source/lfw", {{"path", path},
                                                            {"fold", whole(10)},
                                                            {"crop_width", whole(80)},
                                                            {"crop_height", whole(150)}});
  const auto second = open_checked(*source, context);
  CHECK(second->outline().rows() == 13233);
  CHECK(second->outline().layout == Layout::image(150, 80, 1));
  const auto counts = class_counts(*second, 0, second->outline().train_rows);
  const auto tested =
      class_counts(*second, second->outline().train_rows, second->outline().test_rows);
  std::size_t people = 0;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    CHECK((counts[c] == 0) != (tested[c] == 0));
    const auto named = folds[9].find(second->outline().classes[c]);
    CHECK((tested[c] > 0) == (named != folds[9].end()));
    if (named != folds[9].end()) CHECK(std::size_t(tested[c]) >= named->second);
    people += tested[c] > 0;
  }
  CHECK(people == folds[9].size());
}

}  // namespace lfw_test

// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "testing/pairs_testing.hpp"

namespace semblance::pairs::listed_test {
namespace {

using namespace testing;

/// A file with this content, gone after the test.
class ProtocolFile {
 public:
  explicit ProtocolFile(const std::string& content) {
    static int number = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("semblance_pairs_" + std::to_string(::getpid()) + "_" + std::to_string(number++));
    std::ofstream(path_) << content;
  }
  ~ProtocolFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

/// Training pairs are chosen apart from the file.
const Parts all_pairs = {{"train", part("pairs/all")}};

std::unique_ptr<Pairs> listed(const ProtocolFile& file, std::int64_t fold, const Parts& parts = {},
                              const std::string& task = "automatic") {
  return make_component<Pairs>("pairs/listed",
                               {{"path", file.path()}, {"fold", fold}, {"task", task}}, parts);
}

/// a: rows 0 and 1, b: row 2; c: rows 3 and 5, d: row 4.
const LabelledRows people{{0, 0, 1, 2, 3, 2}, 3};

TEST_CASE("the pairs of a fold are found by name and number") {
  const ProtocolFile file("2\t1\na\t1\t2\na\t2\tb\t1\nc\t2\t1\nd\t1\tc\t2\n");
  TestContext context;
  const auto chosen = listed(file, 2)->select(people.view(), context);
  CHECK(chosen.test.expanded() == std::vector<Pair>{{5, 3, 1}, {4, 5, -1}});
  CHECK(chosen.train.expanded() == std::vector<Pair>{{0, 1, 1}, {1, 2, -1}});
}

TEST_CASE("training pairs may come from another choice") {
  const ProtocolFile file("1\nc 1 2\nd 1 c 1\n");
  TestContext context;
  const auto chosen = listed(file, 0, all_pairs)->select(people.view(), context);
  CHECK(chosen.test.expanded() == std::vector<Pair>{{3, 5, 1}, {4, 3, -1}});
  CHECK(chosen.train.size() == 6);
}

TEST_CASE("names count the rows of a class in the user's order, however the source divides them") {
  // a: rows 2 and 0 of the data in this order, b: 5 and 1; c: 4 and 3.
  const LabelledRows split{{0, 1, 2, 0, 1, 2}, 3};
  const std::vector<std::int64_t> numbers = {2, 5, 4, 0, 1, 3};
  const ProtocolFile file("1\na 1 2\nb 1 c 1\n");
  PairExamples examples = split.view();
  examples.numbers = numbers;
  TestContext context;
  auto pairs = listed(file, 0, all_pairs);
  CHECK(pairs->select(examples, context).test.expanded() ==
        std::vector<Pair>{{3, 0, 1}, {4, 5, -1}});
}

/// Three rows each of a, b and c, two of d, all for training.
const LabelledRows unsplit{{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2}, 11};

TEST_CASE("what is tested on is set aside, as much of it as the task says") {
  const ProtocolFile file("2 1\na 1 2\na 1 b 1\nc 1 2\nc 1 d 1\n");
  TestContext context;
  const auto aside = [&](const char* task, bool train = true) {
    auto pairs = listed(file, 1, train ? all_pairs : Parts{}, task);
    return pairs->set_aside(unsplit.view(), context);
  };
  const std::vector<std::int64_t> classes = {0, 1, 4, 5, 8, 9}, rows = {0, 1, 4};
  CHECK(aside("interclass") == classes);
  CHECK(aside("interexample") == rows);
  CHECK(aside("pair").empty());
  CHECK(aside("automatic") == classes);
  CHECK(aside("automatic", false) == classes);
  // Rows that the source tests on are no training samples anyway.
  LabelledRows divided = unsplit;
  divided.train = 5;
  CHECK(listed(file, 1, {}, "interexample")->set_aside(divided.view(), context) == rows);
  CHECK(listed(file, 1, {}, "interclass")->set_aside(divided.view(), context) ==
        std::vector<std::int64_t>{0, 1, 4});
}

TEST_CASE("where no class is left to train on, other rows of the classes are") {
  const ProtocolFile file("2 1\na 1 2\na 1 b 1\na 3 2\nc 1 d 1\n");
  TestContext context;
  const std::vector<std::int64_t> rows = {0, 1, 4};
  CHECK(listed(file, 1)->set_aside(unsplit.view(), context) == rows);
  const ProtocolFile every("1 2\na 1 2\nb 1 2\na 1 c 1\nb 2 d 1\n");
  auto pairs = listed(every, 1, all_pairs);
  CHECK(pairs->set_aside(unsplit.view(), context) == std::vector<std::int64_t>{0, 1, 2, 3, 4, 5});
  CHECK_THROWS_WITH_AS(
      listed(every, 1, all_pairs, "interclass")->set_aside(unsplit.view(), context),
      "the test pairs name every class that could be used for training; test on "
      "fewer with 'fold', or choose another 'task'",
      Error);
}

TEST_CASE("a listed pair that may not be trained on is refused with its line") {
  const ProtocolFile file("2 1\na 1 2\na 1 b 1\na 1 2\nc 1 d 1\n");
  TestContext context;
  auto pairs = listed(file, 1, {}, "interexample");
  REQUIRE(pairs->set_aside(unsplit.view(), context).size() == 3);
  // The same rows with test samples at the end.
  const LabelledRows divided{{2, 3, 1, 2, 3, 0, 1, 2, 0, 1, 0}, 8};
  const std::vector<std::int64_t> numbers = {2, 3, 5, 6, 7, 8, 9, 10, 0, 1, 4};
  PairExamples examples = divided.view();
  examples.numbers = numbers;
  CHECK_THROWS_WITH_AS(
      pairs->select(examples, context),
      doctest::Contains("line 4: the pair cannot be used for training: 'a 1' is a test row"),
      Error);
}

TEST_CASE("in the pair task the listed pairs alone are left out, whichever way round") {
  const ProtocolFile file("1\na 2 1\nb 1 a 1\n");
  TestContext context;
  const auto chosen = listed(file, 0, all_pairs, "pair")->select(unsplit.view(), context);
  CHECK(chosen.train.size() == 11 * 12 / 2 - 2);
  CHECK(!contains(chosen.train.expanded(), {0, 4, 1}));
  CHECK(!contains(chosen.train.expanded(), {0, 1, -1}));
  CHECK(chosen.test.expanded() == std::vector<Pair>{{4, 0, 1}, {1, 0, -1}});
}

TEST_CASE("a cross-validation sees no pair that is tested on in the end") {
  const ProtocolFile file("2 2\na 1 2\na 1 3\na 1 b 1\na 2 b 2\nc 1 2\nc 2 3\nc 1 d 1\nc 3 d 2\n");
  TestContext context;
  auto pairs = listed(file, 1);
  REQUIRE(pairs->set_aside(unsplit.view(), context).size() == 6);
  // A fold of the remaining rows, c 2, 6, 10 and d 3, 7: two rows are held out.
  const LabelledRows fold{{2, 2, 3, 2, 3}, 3};
  const std::vector<std::int64_t> numbers = {2, 6, 3, 10, 7};
  PairExamples examples = fold.view();
  examples.numbers = numbers;
  examples.validation = true;
  const auto chosen = pairs->select(examples, context);
  CHECK(chosen.train.expanded() == std::vector<Pair>{{0, 1, 1}, {0, 2, -1}});
  CHECK(chosen.test.expanded() == std::vector<Pair>{{3, 4, -1}});
  // With a separate choice of training pairs, that choice also selects test pairs.
  auto others = listed(file, 1, all_pairs);
  others->set_aside(unsplit.view(), context);
  CHECK(others->select(examples, context).test.expanded() == std::vector<Pair>{{3, 4, -1}});
}

TEST_CASE("new data are tested alone") {
  const ProtocolFile file("2 1\nc 1 2\nc 1 d 1\nnobody 1 2\nnobody 1 c 1\n");
  TestContext context;
  const auto chosen = listed(file, 1)->select(LabelledRows{{2, 2, 3}, 0}.view(), context);
  CHECK(chosen.train.size() == 0);
  CHECK(chosen.test.size() == 2);
}

TEST_CASE("what is wrong with a file is said with its line") {
  TestContext context;
  const auto problem = [&](const std::string& content, std::int64_t fold = 0) {
    const ProtocolFile file(content);
    try {
      listed(file, fold, all_pairs)->select(people.view(), context);
    } catch (const Error& error) {
      const std::string text = error.what();
      const auto at = text.find(file.path());
      return at == 0 ? text.substr(file.path().size() + 2) : text;
    }
    return std::string();
  };
  CHECK(problem("") == "line 1: the file ends before the number of pairs");
  CHECK(problem("many\n") ==
        "line 1: the first line must be 'FOLDS PAIRS' or 'PAIRS', positive integers");
  CHECK(problem("99999999 99999999\n") ==
        "line 1: the first line must be 'FOLDS PAIRS' or 'PAIRS', positive integers");
  CHECK(problem("1\na 1\n") == "line 2: a positive pair must be 'NAME NUMBER NUMBER'");
  CHECK(problem("1\na 1 2\na 1 2\n") ==
        "line 3: a negative pair must be 'NAME NUMBER NAME NUMBER'");
  CHECK(problem("1\na 0 2\n") == "line 2: '0' is not a sample's number; numbers count from 1");
  CHECK(problem("1\na 1 2\n") ==
        "line 3: the file ends before all pairs that its first line declares");
  CHECK(problem("1\na 1 2\na 1 b 1\na 1 2\n") ==
        "line 4: there are more lines than the first line declares");
  CHECK(problem("1\nz 1 2\na 1 b 1\n") == "line 2: the source has no row of class 'z'");
  CHECK(problem("1\na 1 3\na 1 b 1\n") ==
        "line 2: it names sample 3 of 'a', but the source has only 2 rows");
  CHECK(problem("1\na 1 2\na 1 b 1\n", 2).starts_with("fold is 2, but "));
}

TEST_CASE("without other folds there is nothing to train on") {
  const ProtocolFile file("1\na 1 2\na 1 b 1\n");
  TestContext context;
  CHECK_THROWS_WITH_AS(
      listed(file, 0)->select(people.view(), context),
      "there is no fold to train on; set 'train', for example train: {is: pairs/all}", Error);
}

TEST_CASE("the protocol of Labeled Faces in the Wild is read") {
  const char* data = std::getenv("SEMBLANCE_DATA");
  const std::string path = std::string(data ? data : "") + "/lfw-a/pairs.txt";
  if (!data || !std::filesystem::exists(path)) {
    MESSAGE("skipped: no lfw-a in $SEMBLANCE_DATA");
    return;
  }
  // All is read before the first name is looked up.
  const std::vector<std::string> nobody;
  const auto pairs = make_component<Pairs>("pairs/listed", {{"path", path}});
  TestContext context;
  CHECK_THROWS_WITH_AS(pairs->select({{}, 0, nobody}, context),
                       doctest::Contains("line 2: the source has no row of class 'Abel_Pacheco'"),
                       DataError);
}

}  // namespace
}  // namespace semblance::pairs::listed_test

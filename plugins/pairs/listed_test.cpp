// SPDX-License-Identifier: MIT
#include "listed.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "all.hpp"
#include "pairs_testing.hpp"

namespace semblance {
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

ListedPairs listed(const ProtocolFile& file, std::int64_t fold,
                   std::unique_ptr<Component> train = nullptr) {
  ListedPairs pairs;
  const ComponentEntry entry = ListedPairs::declare().entry();
  if (train) setter(entry, "train").component(pairs, std::move(train));
  assign(pairs, entry, {{"path", file.path()}, {"fold", fold}});
  return pairs;
}

/// a: rows 0 and 1, b: row 2; c: rows 3 and 5, d: row 4.
const Examples people{{0, 0, 1, 2, 3, 2}, 3};

TEST_CASE("the pairs of a fold are found by name and number") {
  const ProtocolFile file("2\t1\na\t1\t2\na\t2\tb\t1\nc\t2\t1\nd\t1\tc\t2\n");
  TestContext context;
  const auto chosen = listed(file, 2).select(people.view(), context);
  CHECK(chosen.test.expanded() == std::vector<Pair>{{5, 3, 1}, {4, 5, -1}});
  CHECK(chosen.train.expanded() == std::vector<Pair>{{0, 1, 1}, {1, 2, -1}});
}

TEST_CASE("training pairs may come from another choice") {
  const ProtocolFile file("1\nc 1 2\nd 1 c 1\n");
  TestContext context;
  const auto chosen = listed(file, 0, std::make_unique<AllPairs>()).select(people.view(), context);
  CHECK(chosen.test.expanded() == std::vector<Pair>{{3, 5, 1}, {4, 3, -1}});
  CHECK(chosen.train.size() == 6);
}

TEST_CASE("new data are tested alone") {
  const ProtocolFile file("2 1\nc 1 2\nc 1 d 1\nnobody 1 2\nnobody 1 c 1\n");
  TestContext context;
  const auto chosen = listed(file, 1).select(Examples{{2, 2, 3}, 0}.view(), context);
  CHECK(chosen.train.size() == 0);
  CHECK(chosen.test.size() == 2);
}

TEST_CASE("what is wrong with a file is said with its line") {
  TestContext context;
  const auto problem = [&](const std::string& content, std::int64_t fold = 0) {
    const ProtocolFile file(content);
    try {
      listed(file, fold, std::make_unique<AllPairs>()).select(people.view(), context);
    } catch (const Error& error) {
      const std::string text = error.what();
      const auto at = text.find(file.path());
      return at == 0 ? text.substr(file.path().size() + 2) : text;
    }
    return std::string();
  };
  CHECK(problem("") == "line 1: the file ends before the number of pairs");
  CHECK(problem("many\n") ==
        "line 1: the first line must be 'FOLDS PAIRS' or 'PAIRS', both whole numbers from 1");
  CHECK(problem("99999999 99999999\n") ==
        "line 1: the first line must be 'FOLDS PAIRS' or 'PAIRS', both whole numbers from 1");
  CHECK(problem("1\na 1\n") == "line 2: a positive pair must be 'NAME NUMBER NUMBER'");
  CHECK(problem("1\na 1 2\na 1 2\n") ==
        "line 3: a negative pair must be 'NAME NUMBER NAME NUMBER'");
  CHECK(problem("1\na 0 2\n") == "line 2: '0' is not a sample's number; numbers count from 1");
  CHECK(problem("1\na 1 2\n") ==
        "line 3: the file ends before all pairs that its first line announces");
  CHECK(problem("1\na 1 2\na 1 b 1\na 1 2\n") ==
        "line 4: there are more lines than the first line announces");
  CHECK(problem("1\nz 1 2\na 1 b 1\n") == "line 2: the source has no row of a class 'z'");
  CHECK(problem("1\na 1 3\na 1 b 1\n") ==
        "line 2: it names the sample 3 of 'a', of which the source has 2 rows");
  CHECK(problem("1\na 1 2\na 1 b 1\n", 2).starts_with("fold is 2, but "));
}

TEST_CASE("without other folds there is nothing to train on") {
  const ProtocolFile file("1\na 1 2\na 1 b 1\n");
  TestContext context;
  CHECK_THROWS_WITH_AS(listed(file, 0).select(people.view(), context),
                       "there is no fold to train on; give 'train', such as train: {is: pairs/all}",
                       Error);
}

TEST_CASE("the protocol of Labeled Faces in the Wild is read") {
  const char* data = std::getenv("SEMBLANCE_DATA");
  const std::string path = std::string(data ? data : "") + "/lfw-a/pairs.txt";
  if (!data || !std::filesystem::exists(path)) {
    MESSAGE("skipped: no lfw-a in $SEMBLANCE_DATA");
    return;
  }
  const auto folds = pairs::read_protocol(path, std::size_t{1} << 30);
  REQUIRE(folds.size() == 10);
  for (const auto& fold : folds) CHECK(fold.size() == 600);
  CHECK(folds[0][0].first.name == "Abel_Pacheco");
  CHECK(folds[0][0].second.number == 4);
}

}  // namespace
}  // namespace semblance

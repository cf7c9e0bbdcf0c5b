// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "semblance/named_pairs.hpp"
#include "semblance/two_parts.hpp"
#include "tests/sources_testing.hpp"

namespace pair_source_test {

using namespace semblance;
using namespace semblance::testing;

const std::string drugs = "drug,x,y\nasp,1,2\nibu,3,4\npar,5,6\n";
const std::string proteins = "protein\tp\nP1\t0.5\nP2\t1.5\n";

/// The files of a test, and a source of their pairs.
class Files {
 public:
  Files(const std::string& pairs, const std::string& first = drugs,
        const std::string& second = proteins)
      : pairs_(folder_.write("pairs.csv", pairs)),
        drugs_(folder_.write("drugs.csv", first)),
        proteins_(folder_.write("proteins.csv", second)) {}

  std::unique_ptr<Source> source(Parameters parameters) const {
    parameters.emplace_back("path", pairs_);
    const Parameters of_drugs = {{"path", drugs_}, {"label", "none"}, {"id", "drug"}};
    const Parameters of_proteins = {{"path", proteins_}, {"label", "none"}, {"id", "protein"}};
    return make_component<Source>(
        "source/pairs", parameters,
        {{"first", part("source/csv", of_drugs)}, {"second", part("source/csv", of_proteins)}});
  }

  /// The message of what the files have wrong.
  std::string refusal(const Parameters& parameters) const {
    TestContext context;
    return message_of(*source(parameters), context);
  }

  const TempFolder& folder() const { return folder_; }
  const std::string& pairs() const { return pairs_; }

 private:
  TempFolder folder_;
  std::string pairs_, drugs_, proteins_;
};

/// Every pair of `m` drugs and `q` proteins, with a label or target.
Files grid(std::size_t m, std::size_t q) {
  std::string pairs = "drug,protein,affinity,binds\n", first = "drug,x\n", second = "protein,p\n";
  for (std::size_t a = 0; a < m; ++a)
    first += "d" + std::to_string(a) + "," + std::to_string(a) + "\n";
  for (std::size_t b = 0; b < q; ++b)
    second += "p" + std::to_string(b) + "," + std::to_string(b) + "\n";
  for (std::size_t a = 0; a < m; ++a)
    for (std::size_t b = 0; b < q; ++b)
      pairs += "d" + std::to_string(a) + ",p" + std::to_string(b) + "," +
               std::to_string(a * b % 7) + ((a + b) % 3 == 0 ? ",yes\n" : ",no\n");
  return {pairs, first, second};
}

const Parameters affinity = {
    {"target", Texts{"affinity"}}, {"first_id", "drug"}, {"second_id", "protein"}};

Parameters with(Parameters parameters, const Parameters& more) {
  parameters.insert(parameters.end(), more.begin(), more.end());
  return parameters;
}

/// The samples of one side that the rows have.
std::set<std::uint32_t> samples(const Dataset& data, Side side, std::size_t first,
                                std::size_t count) {
  const FloatMatrix rows = all_rows(data);
  std::set<std::uint32_t> found;
  for (std::size_t i = first; i < first + count; ++i)
    found.insert(PairView(rows.view().row_span(i), data.outline().layout).part(side).number);
  return found;
}

bool overlap(const Dataset& data, Side side) {
  const Outline& outline = data.outline();
  const auto train = samples(data, side, 0, outline.train_rows);
  const auto test = samples(data, side, outline.train_rows, outline.test_rows);
  return std::ranges::any_of(test, [&](auto sample) { return train.contains(sample); });
}

TEST_CASE("a table of pairs names the samples of two sources") {
  TestContext context;
  const Files files("drug,protein,affinity\nibu,P2,7.5\nasp,P2,6\nibu,P1,5\n");
  const auto data = open_checked(*files.source(affinity), context);
  const Layout& layout = data->outline().layout;
  CHECK(layout == Layout::pair(Layout::vector(2), Layout::vector(1)));
  CHECK(data->outline().train_rows == 3);
  CHECK(data->outline().targets == Texts{"affinity"});
  CHECK(data->targets()[0] == 7.5);
  CHECK(data->name(0) == "ibu + P2");
  CHECK(row_of(*data, 0) == Floats{1, 1, 2, 3, 4, 1.5});
  CHECK(row_of(*data, 1) == Floats{0, 1, 2, 1, 2, 1.5});
  CHECK(data->outline().columns == Texts{"number of first", "number of second", "values of first",
                                         "first.x", "first.y", "second.p"});
}

TEST_CASE("samples may be named by their position") {
  TestContext context;
  const Files files("1,0,a\n3,1,b\n");
  const auto data = open_checked(
      *files.source({{"label", "3"}, {"first_named", "from_1"}, {"second_named", "from_0"}}),
      context);
  CHECK(data->outline().classes == Texts{"a", "b"});
  CHECK(row_of(*data, 1) == Floats{2, 1, 2, 5, 6, 1.5});
}

TEST_CASE("each setting tests on pairs that are new as it says") {
  const Files files = grid(10, 12);
  const auto open = [&](const char* setting) {
    TestContext context;
    return open_checked(
        *files.source(with(affinity, {{"setting", setting}, {"test_fraction", 0.3}})), context);
  };
  const auto pairs = open("new_pairs");
  CHECK(pairs->outline().test_rows == 36);
  CHECK(overlap(*pairs, Side::first));
  CHECK(overlap(*pairs, Side::second));
  CHECK(pairs->groups().empty());
  const auto first = open("new_first");
  CHECK_FALSE(overlap(*first, Side::first));
  CHECK(overlap(*first, Side::second));
  CHECK(first->outline().test_rows == 36);
  const auto second = open("new_second");
  CHECK(overlap(*second, Side::first));
  CHECK_FALSE(overlap(*second, Side::second));
  const auto both = open("both_new");
  CHECK_FALSE(overlap(*both, Side::first));
  CHECK_FALSE(overlap(*both, Side::second));
  CHECK(both->outline().train_rows == 7 * 8);
  CHECK(both->outline().test_rows == 3 * 4);
  check_seeded(*files.source(with(affinity, {{"setting", "both_new"}, {"test_fraction", 0.3}})));
}

TEST_CASE("groups are the samples that must be new") {
  const Files files = grid(4, 6);
  TestContext context;
  const auto group_of = [&](const char* setting) {
    const auto source = files.source(with(affinity, {{"setting", setting}}));
    CHECK(source->gives_groups());
    const auto data = source->open(context);
    std::vector<std::int32_t> groups(data->groups().begin(), data->groups().end());
    groups.resize(8);  // the first drug and 6 proteins, then the second
    return groups;
  };
  CHECK(group_of("new_first") == Labels{0, 0, 0, 0, 0, 0, 1, 1});
  CHECK(group_of("new_second") == Labels{0, 1, 2, 3, 4, 5, 0, 1});
  CHECK(group_of("both_new") == Labels{0, 0, 0, 0, 0, 0, 1, 1});  // there are fewer drugs
}

TEST_CASE("dropped pairs are counted") {
  const Files files = grid(10, 10);
  TestContext context;
  files.source(with(affinity, {{"setting", "both_new"}, {"test_fraction", 0.2}}))->open(context);
  REQUIRE(context.lines.size() >= 2);
  CHECK(context.lines[context.lines.size() - 2].find("32 of 100 pairs have one new sample") !=
        std::string::npos);
  CHECK(context.lines.back().find("intervals of figures hold the second samples fixed, so they are "
                                  "too narrow for pairs of two new samples") != std::string::npos);
}

TEST_CASE("a pair that repeats is used once") {
  const Files files("drug,protein,affinity\nibu,P2,7\nasp,P2,6\nibu,P2,7\n");
  TestContext context;
  const auto data = files.source(affinity)->open(context);
  CHECK(data->outline().rows() == 2);
  CHECK(context.lines.back().find("1 rows repeat a pair") != std::string::npos);
}

TEST_CASE("pairs without a label are refused, or dropped and counted") {
  const Files files("drug,protein,affinity\nibu,P2,7\nasp,P2,\npar,P1,3\n");
  CHECK(files.refusal(affinity).find("line 3: the target in column 3 is missing") !=
        std::string::npos);
  TestContext context;
  const auto data = files.source(with(affinity, {{"missing_labels", "drop"}}))->open(context);
  CHECK(data->outline().rows() == 2);
  CHECK(data->number(1) == 2);
  CHECK(context.lines.back().find("1 of 3 pairs") != std::string::npos);
}

TEST_CASE("a model predicts all pairs of a table, of new samples too") {
  const Files trained("drug,protein,affinity\nibu,P2,7\nasp,P2,6\n");
  TestContext context;
  const auto data = trained.source(affinity)->open(context);
  const Files fresh("drug,protein\nnew,P1\nnew,P1\n", "drug,y,x\nnew,8,9\n");
  const auto source = fresh.source(affinity);
  source->apply_model({fresh.pairs(),
                       data->outline().layout,
                       {},
                       data->outline().columns,
                       data->outline().targets,
                       {}});
  const auto predicted = source->open(context);
  CHECK(predicted->outline().test_rows == 2);
  CHECK(predicted->outline().columns == data->outline().columns);
  CHECK(row_of(*predicted, 0) == Floats{0, 0, 2, 9, 8, 0.5});
}

TEST_CASE("wrong pairs are refused, each by its message") {
  const auto wrong = [](const std::string& pairs, const std::string& wanted,
                        const Parameters& more = {}) {
    const Files files(pairs);
    check_message(files.refusal(with(affinity, more)), files.pairs(), wanted);
  };
  const std::string head = "drug,protein,affinity\n";
  wrong(head + "ibu,P2,7\nxyz,P2,6\n",
        "line 3: column 1 names the sample 'xyz', but none of the 3 of 'first' has this name");
  wrong(head + "ibu,P9,7\n", "line 2: column 2 names the sample 'P9'");
  wrong(head + "ibu,P2,7\nibu,P2,8\n",
        "line 3: has the pair 'ibu' and 'P2' of line 2 with another target");
  wrong(head + "ibu,P2,much\n", "line 2: the target in column 3 is 'much'");
  wrong(head + "ibu,P2\n", "line 2: has 2 fields, but the first line has 3");
  wrong("drug,protein,value\nibu,P2,7\n",
        "line 1: no column 'affinity' for 'target'; columns are: drug, protein, value");
  wrong(head, "has no pairs");
  wrong("", "is empty");
  wrong(head + "ibu,4,7\n", "is '4', but 'second' has 2 samples, numbered from 0",
        {{"second_named", "from_0"}});
  wrong("drug,protein,affinity\nibu,P2,7\n", "'first_id' and 'second_id' both name column 1",
        {{"second_id", "drug"}});
}

TEST_CASE("labels that look like numbers to predict are refused") {
  const Files files = grid(4, 6);
  std::string pairs = "drug,protein,affinity\n";
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 6; ++b)
      pairs += "d" + std::to_string(a) + ",p" + std::to_string(b) + "," +
               std::to_string(a * 6 + b) + ".5\n";
  files.folder().write("pairs.csv", pairs);
  const Parameters label = {{"label", "affinity"}, {"first_id", "drug"}, {"second_id", "protein"}};
  const std::string message = files.refusal(label);
  CHECK(message.find("'many_classes: true'") != std::string::npos);
  CHECK(message.find("'target'") != std::string::npos);
  CHECK(files.refusal(with(label, {{"many_classes", true}})) == "no error");
}

TEST_CASE("samples must be known by one name") {
  const std::string pairs = "drug,protein,affinity\nasp,P1,1\n";
  CHECK(Files(pairs, "drug,x\nasp,1\nasp,2\n")
            .refusal(affinity)
            .find("two samples of 'first' have the name 'asp'") != std::string::npos);
  const TempFolder folder;
  const auto source = make_component<Source>(
      "source/pairs", {{"path", folder.write("pairs.csv", pairs)}, {"first_id", "drug"}},
      {{"first", part("source/csv", {{"path", folder.write("d.csv", "1,2\n3,4\n")},
                                     {"label", "none"},
                                     {"header", "absent"}})},
       {"second", part("source/csv", {{"path", folder.write("p.csv", "1,2\n3,4\n")},
                                      {"label", "none"},
                                      {"header", "absent"}})}});
  TestContext context;
  CHECK(message_of(*source, context).find("the samples of 'first' have no names") !=
        std::string::npos);
}

TEST_CASE("a file of test pairs must be as new as the setting says") {
  const Files files("drug,protein,affinity\nibu,P2,7\nasp,P2,6\n");
  const auto tested = [&](const std::string& test, const char* setting) {
    const std::string file =
        files.folder().write("test.csv", "drug,protein,affinity\n" + test + "\n");
    return files.refusal(with(affinity, {{"test_path", file}, {"setting", setting}}));
  };
  CHECK(tested("par,P2,1", "new_first") == "no error");
  CHECK(
      tested("ibu,P1,1", "new_first").find("line 2: has a first sample that training pairs have") !=
      std::string::npos);
  CHECK(tested("par,P2,1", "both_new").find("has a second sample") != std::string::npos);
  CHECK(tested("ibu,P1,1", "new_pairs") == "no error");
}

TEST_CASE("parameters that exclude each other are refused") {
  const Files files("drug,protein,affinity\nibu,P2,7\n");
  CHECK_THROWS_AS(files.source({{"label", "3"}, {"target", Texts{"3"}}})->check_parameters(),
                  Error);
  CHECK_THROWS_AS(
      files.source({{"test_path", files.pairs()}, {"test_fraction", 0.5}})->check_parameters(),
      Error);
}

TEST_CASE("pairs are set aside like other rows, and must be new as the setting says") {
  const Files files = grid(4, 6);
  const auto opened = [&](const Parameters& more) {
    TestContext context;
    return files.source(with(affinity, more))->open(context);
  };
  CHECK(opened({{"test_rows", std::int64_t{5}}})->outline().test_rows == 5);
  CHECK(opened({{"role", "test"}})->outline().train_rows == 0);
  CHECK(files.refusal(with(affinity, {{"test_rows", std::int64_t{5}}, {"setting", "new_first"}}))
            .find("has a first sample that training pairs have") != std::string::npos);
}

TEST_CASE("pairs of named samples are the rows that a table of them gives") {
  const Files files("drug,protein,v\nasp,P1,1\nibu,P2,2\npar,P1,3\n");
  const Parameters parameters = {
      {"first_id", "drug"}, {"second_id", "protein"}, {"target", Texts{"v"}}};
  TestContext context;
  const auto source = files.source(parameters);
  const auto data = source->open(context);
  const auto pairs = source->open_samples(context);
  CHECK(pairs->layout() == data->outline().layout);
  CHECK(pairs->column(Side::first) == "drug");
  const std::array<std::uint32_t, 2> ibu = {pairs->find(Side::first, " ibu "),
                                            pairs->find(Side::second, "P2")},
                                     par = {pairs->find(Side::first, "par"),
                                            pairs->find(Side::second, "P1")};
  const FloatMatrix rows = pairs->rows(std::array{ibu, par});
  FloatMatrix read = room_for(data->outline().layout, std::array{data->values(1), data->values(2)});
  data->read(1, read.view());
  CHECK(rows.values == read.values);
  CHECK_THROWS_WITH_AS(
      pairs->find(Side::second, "asp"),
      "names the sample 'asp', but none of the 2 of 'second' has this name; add it "
      "there, or remove the pair",
      Error);
  const auto numbered = files.source({{"target", Texts{"v"}}, {"header", "present"}});
  CHECK(numbered->open_samples(context)->column(Side::second) == "second");
}

}  // namespace pair_source_test

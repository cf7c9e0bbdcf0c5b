// SPDX-License-Identifier: MIT
#include <map>
#include <string>
#include <vector>

#include "semblance/graph.hpp"
#include "tests/sources_testing.hpp"

namespace tudataset_test {

using namespace semblance;
using namespace semblance::testing;

using Files = std::map<std::string, std::string>;

/// A triangle of class 1 and a chain of two nodes of class -1, with node and edge labels.
const Files small = {{"A", "1, 2\n2, 1\n2,3\n3,2\n1,3\n3,1\n4,5\n5,4\n"},
                     {"graph_indicator", "1\n1\n1\n2\n2\n"},
                     {"graph_labels", "1\n-1\n"},
                     {"node_labels", "6\n6\n8\n10\n6\n"},
                     {"edge_labels", "0\n0\n1\n1\n0\n0\n1\n1\n"}};

Files with(Files files, const std::string& part, const std::string& text) {
  files[part] = text;
  return files;
}

std::string written(const TempFolder& folder, const Files& files) {
  for (const auto& [part, text] : files) folder.write("set/T_" + part + ".txt", text);
  return folder.path() + "/set";
}

std::unique_ptr<Source> source_of(const std::string& path, Parameters parameters = {}) {
  parameters.emplace_back("path", path);
  return make_component<Source>("source/tudataset", parameters);
}

std::string refusal(const Files& files, const Parameters& parameters = {}) {
  const TempFolder folder;
  TestContext context;
  std::string message = message_of(*source_of(written(folder, files), parameters), context);
  for (std::size_t at = 0; (at = message.find(folder.path() + "/", at)) != message.npos;)
    message.erase(at, folder.path().size() + 1);
  return message;
}

TEST_CASE("weights of graphs are in a table beside their files") {
  const TempFolder folder;
  CHECK_THROWS_WITH_AS(source_of(written(folder, small), {{"weight", std::string("w")}}),
                       "'weight' names a column, but these files have none; name a table with a "
                       "row for each of theirs in 'beside'",
                       Error);
}

TEST_CASE("a folder in TUDataset's format is read as graphs") {
  const TempFolder folder;
  TestContext context;
  const auto data = open_checked(*source_of(written(folder, small)), context);
  const Outline& outline = data->outline();
  CHECK(describe(outline.layout) ==
        "graph of up to 3 nodes and 3 edges, with 3 node labels and 2 edge labels");
  CHECK(outline.layout.shape.node_labels == Texts{"6", "8", "10"});
  CHECK(outline.classes == Texts{"-1", "1"});
  CHECK(labels(*data) == Labels{1, 0});
  const Floats first = row_of(*data, 0), second = row_of(*data, 1);
  const GraphView triangle(first, outline.layout.shape), chain(second, outline.layout.shape);
  CHECK(triangle.nodes() == 3);
  CHECK(triangle.edges() == 3);
  CHECK(triangle.node_label(2) == 1);
  CHECK(triangle.edge(1) == GraphEdge{1, 2, 1});
  CHECK(chain.nodes() == 2);
  CHECK(chain.edge(0) == GraphEdge{0, 1, 1});
  CHECK(chain.node_label(0) == 2);
}

// The directory at the end of a zip repeats what its entries say.
TEST_CASE("a cut archive is refused, or has lost nothing but its directory") {
  const TempFolder folder;
  TestContext context;
  std::vector<std::pair<std::string, std::string>> entries;
  for (const auto& [part, text] : small) entries.emplace_back("T/T_" + part + ".txt", text);
  for (const std::string name : {"T.zip", "T.tar", "T.tar.gz"}) {
    const std::string whole = read_bytes(folder.archive(name, entries));
    const auto expected = all_rows(*source_of(folder.path() + "/" + name)->open(context)).values;
    const std::size_t step = name == "T.tar" ? 64 : 1;  // its parts begin at multiples of 512
    for (std::size_t size = 0; size < whole.size(); size += step) {
      const auto source = source_of(folder.write("cut", whole.substr(0, size)));
      std::vector<float> values = expected;
      try {
        values = all_rows(*source->open(context)).values;
      } catch (const DataError&) {
      }
      CAPTURE(name);
      CAPTURE(size);
      CHECK(values == expected);
    }
  }
}

TEST_CASE("an archive holds the same as its folder") {
  const TempFolder folder;
  TestContext context;
  std::vector<std::pair<std::string, std::string>> entries = {{"T/README.txt", "about"}};
  for (const auto& [part, text] : small) entries.emplace_back("T/T_" + part + ".txt", text);
  const auto expected = open_checked(*source_of(written(folder, small)), context);
  for (const char* const name : {"T.zip", "T.tar.gz"}) {
    const auto data = open_checked(*source_of(folder.archive(name, entries)), context);
    CHECK(data->outline().layout == expected->outline().layout);
    CHECK(all_rows(*data).values == all_rows(*expected).values);
  }
}

TEST_CASE("edges are directed where the opposite direction is missing or differs") {
  const TempFolder folder;
  TestContext context;
  const auto shape = [&](const Files& files, const Parameters& parameters = {}) {
    return open_checked(*source_of(written(folder, files), parameters), context)
        ->outline()
        .layout.shape;
  };
  CHECK_FALSE(shape(small).directed);
  const Files differing = with(small, "edge_labels", "0\n1\n1\n1\n0\n0\n1\n1\n");
  CHECK(shape(differing).directed);
  CHECK(shape(differing).edges == 6);
  Files once = with(small, "A", "1,2\n2,3\n3,1\n4,5\n");
  once["edge_labels"] = "0\n1\n0\n1\n";
  CHECK(shape(once).directed);
  CHECK(shape(once, {{"edges", "undirected"}}) == shape(small));
  CHECK(shape(small, {{"edges", "directed"}}).edges == 6);

  // One edge of eight without its opposite is rather a mistake.
  context.lines.clear();
  Files lacking = with(small, "A", "1, 2\n2, 1\n2,3\n3,2\n1,3\n3,1\n4,5\n");
  lacking["edge_labels"] = "0\n0\n1\n1\n0\n0\n1\n";
  CHECK(shape(lacking).directed);
  REQUIRE_FALSE(context.lines.empty());
  CHECK(context.lines.front().find("1 of 7 edges lack the same edge in the opposite direction, so "
                                   "edges are taken as directed") != std::string::npos);
}

TEST_CASE("attributes are read unless they are not wanted") {
  const TempFolder folder;
  TestContext context;
  Files files = with(small, "node_attributes", "1.5, 2\n3,4\n5,6\n7,8\n9,-10\n");
  files["edge_attributes"] = "1\n1\n2\n2\n3\n3\n4\n4\n";
  const auto data = open_checked(*source_of(written(folder, files)), context);
  const GraphShape& shape = data->outline().layout.shape;
  CHECK(shape.node_attributes == 2);
  CHECK(shape.edge_attributes == 1);
  const Floats row = row_of(*data, 1);
  CHECK(GraphView(row, shape).node_attributes(1)[1] == -10);
  CHECK(GraphView(row, shape).edge_attributes(0)[0] == 4);
  const auto without =
      open_checked(*source_of(folder.path() + "/set", {{"attributes", false}}), context);
  CHECK(without->outline().layout.shape.node_attributes == 0);
}

TEST_CASE("numbers to predict are the attributes of graphs") {
  const TempFolder folder;
  TestContext context;
  const Files files = with(small, "graph_attributes", "0.5, 7\n-1, 8\n");
  const auto data =
      open_checked(*source_of(written(folder, files), {{"target", "numbers"}}), context);
  CHECK(data->outline().targets == Texts{"target 1", "target 2"});
  CHECK(data->targets()[2] == -1);
}

TEST_CASE("a table beside the files groups their graphs, and these need no labels") {
  const TempFolder folder;
  TestContext context;
  Files files = small;
  files.erase("graph_labels");
  const auto source = source_of(written(folder, files),
                                {{"label", "none"},
                                 {"beside", folder.write("about.csv", "who,name\nx,g1\ny,g2\n")},
                                 {"groups", "who"},
                                 {"id", "name"}});
  const auto data = open_checked(*source, context);
  CHECK(data->outline().train_rows == 2);
  CHECK(data->groups()[1] == 1);
  CHECK(data->name(1) == "g2");
}

TEST_CASE("a model's labels keep their numbers, and new ones come after them") {
  const TempFolder folder;
  TestContext context;
  const auto data = open_checked(*source_of(written(folder, small)), context);
  const auto source = source_of(folder.path() + "/set");
  const TempFolder fresh;
  Files files = with(small, "node_labels", "9\n8\n10\n6\n7\n");
  files.erase("graph_labels");
  source->apply_model({written(fresh, files), data->outline().layout, data->outline().classes, {}});
  const auto applied = open_checked(*source, context);
  CHECK(applied->outline().test_rows == 2);
  CHECK(applied->outline().layout == data->outline().layout);
  const Floats row = row_of(*applied, 0);
  const GraphView graph(row, data->outline().layout.shape);
  CHECK(graph.node_label(0) == 3);
  CHECK(graph.node_label(1) == 1);
}

TEST_CASE("every wrong file has its message") {
  CHECK(refusal(with(small, "A", "1, 2\n2, 9\n")) ==
        "set/T_A.txt: line 2: the edge ends at node 9, but there are 5 nodes, one per line of "
        "set/T_graph_indicator.txt; correct it");
  CHECK(refusal(with(small, "A", "1, 2\n3, 4\n")) ==
        "set/T_A.txt: line 2: the edge joins node 3 of graph 1 and node 4 of graph 2; correct it, "
        "or set/T_graph_indicator.txt");
  CHECK(refusal(with(small, "A", "1, 2\n1 2\n")) ==
        "set/T_A.txt: line 2: has 1 fields; expected the numbers of two nodes with a comma between "
        "them");
  CHECK(refusal(with(small, "A", "0, 2\n")) ==
        "set/T_A.txt: line 1: '0' is not the number of a node; expected a whole number from 1 on");
  Files twice = with(small, "A", "1,2\n2,1\n4,5\n1,2\n");
  twice["edge_labels"] = "0\n0\n0\n0\n";
  CHECK(refusal(twice) == "set/T_A.txt: line 4: the edge is listed twice; remove one of the two");
  CHECK(
      refusal(with(small, "edge_labels", "0\n1\n1\n1\n0\n0\n1\n1\n"), {{"edges", "undirected"}}) ==
      "set/T_A.txt: line 2: the edge has another label than in the opposite direction; correct one "
      "of them, or set 'edges: directed'");
  CHECK(
      refusal(with(small, "graph_indicator", "1\n1\n1\n2\n3\n")) ==
      "set/T_graph_indicator.txt: line 5: the node belongs to graph 3, but set/T_graph_labels.txt "
      "has 2 lines; give it one line per graph");
  CHECK(refusal(with(small, "graph_labels", "1\n-1\n1\n")) ==
        "set/T_graph_indicator.txt: no node belongs to graph 3, although there are 3 graphs; "
        "remove its line from the other files and number graphs without gaps, or set 'empty: "
        "drop'");
  CHECK(refusal(with(small, "graph_indicator", "1\n1\nx\n2\n2\n")) ==
        "set/T_graph_indicator.txt: line 3: 'x' is not the number of a graph; expected a whole "
        "number from 1 on");
  CHECK(refusal(with(small, "graph_indicator", "")) ==
        "set/T_graph_indicator.txt: is empty; give the number of each node's graph");
  CHECK(refusal(with(small, "node_labels", "6\n6\n8\n10\n")) ==
        "set/T_node_labels.txt: has 4 lines for 5 nodes; give it one line per node, in the order "
        "of set/T_graph_indicator.txt");
  CHECK(refusal(with(small, "edge_labels", "6\n")) ==
        "set/T_edge_labels.txt: has 1 lines for 8 edges; give it one line per edge, in the order "
        "of set/T_A.txt");
  CHECK(refusal(with(small, "node_labels", "6\n\n8\n10\n6\n")) ==
        "set/T_node_labels.txt: line 2: has no label; give one label per line");
  CHECK(refusal(with(small, "node_attributes", "1\n2\n3,4\n5\n6\n")) ==
        "set/T_node_attributes.txt: line 3: has 2 numbers, but the first line has 1; give each "
        "node the same number of attributes");
  CHECK(refusal(with(small, "node_attributes", "1\n2\nnan\n5\n6\n"))
            .starts_with("set/T_node_attributes.txt: line 3: 'nan' "));
  Files without = small;
  without.erase("graph_labels");
  CHECK(refusal(without) ==
        "set: lacks the file T_graph_labels.txt, which says the class of each graph; add it, or "
        "set 'label: none' if the graphs have no classes");
  CHECK(refusal(with(without, "graph_attributes", "1\n2\n")) ==
        "set: lacks the file T_graph_labels.txt of classes, but has T_graph_attributes.txt; set "
        "'target: numbers' to predict these");
  without.erase("graph_indicator");
  CHECK(refusal(without) ==
        "set: lacks the file T_graph_indicator.txt, which says which graph each node belongs to");
  CHECK(refusal({{"other", "1\n"}}) ==
        "set: holds no file whose name ends in _A.txt; name the folder of a data set in "
        "TUDataset's format, with the files NAME_A.txt and so on, or its archive");
}

TEST_CASE("new graphs must have the parts of those trained on") {
  const TempFolder folder, fresh;
  TestContext context;
  const auto data = open_checked(*source_of(written(folder, small)), context);
  const auto source = source_of(folder.path() + "/set");
  Files files = small;
  files.erase("edge_labels");
  source->apply_model({written(fresh, files), data->outline().layout, data->outline().classes, {}});
  check_message(message_of(*source, context), fresh.path() + "/set",
                "its graphs have node labels, but those trained on have node labels and edge "
                "labels; use graphs with the same parts");
}

TEST_CASE("byte order marks and the files of macOS are skipped") {
  const TempFolder folder;
  TestContext context;
  const auto expected = open_checked(*source_of(written(folder, small)), context);
  const TempFolder marked;
  Files files = small;
  std::vector<std::pair<std::string, std::string>> entries;
  for (auto& [part, text] : files) {
    text.insert(0, "\xef\xbb\xbf");
    marked.write("set/._T_" + part + ".txt", std::string("\0\x05\x16", 3));
    entries.emplace_back("T/T_" + part + ".txt", text);
    entries.emplace_back("__MACOSX/T/._T_" + part + ".txt", std::string("\0\x05\x16", 3));
    entries.emplace_back("T/__MACOSX/T_" + part + ".txt", "7\n");
  }
  for (const std::string& path : {written(marked, files), marked.archive("T.zip", entries)}) {
    const auto data = open_checked(*source_of(path), context);
    CHECK(data->outline().layout == expected->outline().layout);
    CHECK(all_rows(*data).values == all_rows(*expected).values);
    CHECK(labels(*data) == labels(*expected));
  }
}

TEST_CASE("graphs without nodes are dropped and counted where that is wanted") {
  Files files = with(small, "graph_indicator", "2\n2\n2\n4\n4\n");
  files["graph_labels"] = "7\n1\n8\n-1\n9\n";
  CHECK(refusal(files) ==
        "set/T_graph_indicator.txt: no node belongs to graph 1, although there are 5 graphs; "
        "remove its line from the other files and number graphs without gaps, or set 'empty: "
        "drop'");
  const TempFolder folder, plain;
  TestContext context;
  const auto expected = open_checked(*source_of(written(plain, small)), context);
  files["graph_attributes"] = "1\n2\n3\n4\n5\n";
  const auto data =
      open_checked(*source_of(written(folder, files), {{"empty", std::string("drop")}}), context);
  CHECK(all_rows(*data).values == all_rows(*expected).values);
  CHECK(data->outline().classes == Texts{"-1", "1"});
  CHECK(labels(*data) == labels(*expected));
  CHECK(data->number(0) == 1);
  CHECK(data->number(1) == 3);
  CHECK(context.lines.back().ends_with(
      "dropped by 'empty: drop': 3 of 5 graphs, which have no node"));
  const auto numbers = open_checked(
      *source_of(folder.path() + "/set", {{"empty", "drop"}, {"target", "numbers"}}), context);
  CHECK(std::vector<double>(numbers->targets().begin(), numbers->targets().end()) ==
        std::vector<double>{2, 4});
}

TEST_CASE("directions that differ in attributes alone are said with a remedy that works") {
  const TempFolder folder;
  TestContext context;
  const Files files = with(small, "edge_attributes", "1\n2\n3\n3\n4\n4\n5\n5\n");
  const std::string path = written(folder, files);
  CHECK(open_checked(*source_of(path), context)->outline().layout.shape.directed);
  CHECK(context.lines.front().ends_with(
      "2 of 8 edges lack the same edge in the opposite direction, so edges are taken as directed; "
      "if they are not, correct those that have other attributes there, or omit attributes by "
      "'attributes: false'"));
  const auto without = open_checked(*source_of(path, {{"attributes", false}}), context);
  CHECK_FALSE(without->outline().layout.shape.directed);
  CHECK(refusal(files, {{"edges", "undirected"}}) ==
        "set/T_A.txt: line 2: the edge has other attributes than in the opposite direction; "
        "correct one of them, or set 'edges: directed'");
}

TEST_CASE("texts and graphs that take more memory than there is are refused with the arithmetic") {
  const TempFolder folder;
  TestContext context;
  context.budget = 3 << 20;
  const std::string nodes(std::size_t{2} << 20, '\n');
  const std::string large =
      folder.archive("T.zip", {{"T_graph_indicator.txt", nodes}, {"T_A.txt", "1,1\n"}});
  check_message(message_of(*source_of(large), context), large,
                "T_graph_indicator.txt: the texts of the graphs, up to here, and what is made of "
                "them need 4 MiB, more than the 3 MiB of memory left; allow more with --memory");
  std::string each;
  for (int g = 1; g <= 20000; ++g) each += std::to_string(g) + "\n";
  const std::string many = folder.archive(
      "many.zip", {{"T_graph_indicator.txt", each}, {"T_graph_labels.txt", each}, {"T_A.txt", ""}});
  check_message(message_of(*source_of(many), context), many + "/T_graph_indicator.txt",
                "the graphs and their texts, up to here, need 6 MiB, more than the 3 MiB");
}

TEST_CASE("a file that an archive holds twice is refused") {
  const TempFolder folder;
  TestContext context;
  const std::string file =
      folder.archive("T.zip", {{"a/T_A.txt", "1,1\n"}, {"b/T_A.txt", "1,1\n"}});
  check_message(message_of(*source_of(file), context), file,
                "holds T_A.txt twice, as " + file + "/a/T_A.txt and " + file + "/b/T_A.txt");
}

}  // namespace tudataset_test

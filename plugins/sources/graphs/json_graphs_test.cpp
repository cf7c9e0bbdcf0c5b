// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "semblance/graph.hpp"
#include "tests/sources_testing.hpp"

namespace json_graphs_test {

using namespace semblance;
using namespace semblance::testing;

std::unique_ptr<Source> source_of(const std::string& path, Parameters parameters = {}) {
  parameters.emplace_back("path", path);
  return make_component<Source>("source/graphs", parameters);
}

std::string refusal(const std::string& text, const Parameters& parameters = {}) {
  const TempFolder folder;
  TestContext context;
  const std::string file = folder.write("g.jsonl", text);
  std::string message = message_of(*source_of(file, parameters), context);
  CHECK(message.starts_with(file + ": "));
  return message.substr(std::min(message.size(), file.size() + 2));
}

TEST_CASE("each line is a graph") {
  const TempFolder folder;
  TestContext context;
  const auto data = open_checked(
      *source_of(folder.write(
          "g.jsonl",
          R"({"nodes": ["N", "C", "C"], "edges": [[0, 1, "double"], [1, 2, "single"]], "label": "b", "name": "one"})"
          "\n\n"
          R"({"nodes": [{"label": "O"}, "C"], "edges": [{"to": 1, "from": 0, "label": "single"}, [1, 0, "single"]], "label": "a"})")),
      context);
  const GraphShape& shape = data->outline().layout.shape;
  CHECK(shape == GraphShape{.nodes = 3,
                            .edges = 2,
                            .node_labels = {"C", "N", "O"},
                            .edge_labels = {"double", "single"}});
  CHECK(data->outline().classes == Texts{"a", "b"});
  CHECK(labels(*data) == Labels{1, 0});
  CHECK(data->name(0) == "one");
  const Floats first = row_of(*data, 0), second = row_of(*data, 1);
  CHECK(GraphView(first, shape).node_label(0) == 1);
  CHECK(GraphView(first, shape).edge(1) == GraphEdge{1, 2, 1});
  CHECK(GraphView(second, shape).edges() == 1);
}

TEST_CASE("members name, weigh and group graphs, and others are refused") {
  const TempFolder folder;
  TestContext context;
  const std::string lines =
      R"({"nodes": 1, "edges": [], "label": "a", "who": "x", "times": 2, "key": "k1"})"
      "\n"
      R"({"nodes": 1, "edges": [], "label": "b", "who": "y", "times": 0.5, "key": "k2"})";
  const Parameters facts = {{"groups", "who"}, {"weight", "times"}, {"id", "key"}};
  const auto source = source_of(folder.write("g.jsonl", lines), facts);
  CHECK(source->gives_weights());
  const auto data = open_checked(*source, context);
  CHECK(Labels(data->groups().begin(), data->groups().end()) == Labels{0, 1});
  CHECK(data->weights()[0] == 2);
  CHECK(data->name(1) == "k2");
  CHECK(refusal(lines, {{"groups", "who"}}).starts_with("line 1: has 'key'; a graph has "));
  CHECK(refusal(R"({"nodes": 1, "edges": [], "label": "a", "who": null})", {{"groups", "who"}}) ==
        "line 1: the group is missing; fill it in, or remove the row");
}

TEST_CASE("graphs without labels train") {
  const TempFolder folder;
  TestContext context;
  const auto data =
      open_checked(*source_of(folder.write("g.jsonl", R"({"nodes": 1, "edges": [], "label": "a"})"
                                                      "\n"
                                                      R"({"nodes": 2, "edges": []})"),
                              {{"label", "none"}}),
                   context);
  CHECK(data->outline().train_rows == 2);
  CHECK(data->outline().classes.empty());
}

TEST_CASE("nodes may be a number, and have attributes") {
  const TempFolder folder;
  TestContext context;
  const auto plain = open_checked(
      *source_of(folder.write("plain.jsonl", R"({"nodes": 3, "edges": [[0, 1]], "target": 1.5}
{"nodes": 2, "edges": [], "target": [2]})"),
                 {{"target", "numbers"}}),
      context);
  CHECK(describe(plain->outline().layout) == "graph of up to 3 nodes and 1 edge");
  CHECK(plain->targets()[0] == 1.5);
  const auto numbers = open_checked(
      *source_of(folder.write("numbers.jsonl",
                              R"({"nodes": [{"attributes": [1, 2.5]}], "edges": [], "label": 0}
{"nodes": [{"attributes": [3, 4]}, {"attributes": [5, 6]}], "edges": [[0, 1, null, [7]]], "label": 1})"),
                 {{"edges", "directed"}}),
      context);
  const GraphShape& shape = numbers->outline().layout.shape;
  CHECK(shape ==
        GraphShape{
            .nodes = 2, .edges = 1, .directed = true, .node_attributes = 2, .edge_attributes = 1});
  const Floats row = row_of(*numbers, 1);
  CHECK(GraphView(row, shape).node_attributes(1)[0] == 5);
  CHECK(GraphView(row, shape).edge_attributes(0)[0] == 7);
}

TEST_CASE("attributes that float32 cannot distinguish are refused") {
  for (const double level : {1e8, 1.7e9}) {
    std::string text;
    for (int i = 0; i < 24; ++i)
      text += R"({"nodes": [{"attributes": [1, )" + std::to_string(i == 9 ? 0 : level + i % 6) +
              R"(]}, {"attributes": [2, )" + std::to_string(level + (i + 3) % 6) +
              R"(]}], "edges": [[0, 1, null, [0.5]]], "label": "a"})"
              "\n";
    INFO(refusal(text));
    CHECK(refusal(text).starts_with("most of the values in node attribute 2 differ by "));
  }
  std::string edges;
  for (int i = 0; i < 24; ++i)
    edges += R"({"nodes": 2, "edges": [[0, 1, null, [)" + std::to_string(1700000000 + i) +
             R"(]]], "label": "a"})"
             "\n";
  CHECK(refusal(edges).starts_with("the values in edge attribute 1 differ by 23"));
}

TEST_CASE("every wrong line has its message") {
  CHECK(refusal("") == "has no graphs; write one per line, as JSON");
  CHECK(refusal("{\"nodes\": 1") ==
        "line 1: is not JSON; write one graph per line, such as {\"nodes\": [\"C\", \"O\"], "
        "\"edges\": [[0, 1]], \"label\": \"yes\"}");
  CHECK(refusal("[1]") == "line 1: is no object; write {\"nodes\": ..., \"edges\": ...}");
  CHECK(refusal(R"({"node": 1})") ==
        "line 1: has 'node'; a graph has nodes, edges, label, target and name, nothing else");
  CHECK(refusal(R"({"edges": []})") ==
        "line 1: has no \"nodes\"; give their number, or a list of them");
  CHECK(refusal(R"({"nodes": 2})") ==
        "line 1: has no \"edges\"; give a list of them, [] if there are none");
  CHECK(refusal(R"({"nodes": [], "edges": []})") ==
        "line 1: has no node; remove the graph, give it nodes, or set 'empty: drop'");
  CHECK(refusal(R"({"nodes": 99999999, "edges": []})") ==
        "line 1: has 99999999 nodes; a graph has at most 16777215");
  CHECK(refusal(R"({"nodes": 2, "edges": [[0, 2]]})") ==
        "line 1: edge 0 (from 0) ends at node 2, but the graph has nodes 0 to 1; correct it");
  CHECK(refusal(R"({"nodes": 2, "edges": [[0, -1]]})") ==
        "line 1: edge 0 (from 0) ends at '-1', which is not the number of a node; nodes count from "
        "0");
  CHECK(refusal(R"({"nodes": 2, "edges": [[0]]})") ==
        "line 1: edge 0 (from 0) is '[0]'; write [from, to], [from, to, label] or [from, to, "
        "label, attributes]");
  CHECK(refusal(R"({"nodes": 2, "edges": [[0, 1], [0, 1]]})") ==
        "line 1: edge 1 (from 0) is listed twice; remove one of the two");
  CHECK(refusal(R"({"nodes": ["a", null], "edges": []})") ==
        "line 1: node 1 (from 0) has neither label nor attributes, but others have a label; give "
        "all the same");
  CHECK(refusal(R"({"nodes": [{"attributes": [1e99]}], "edges": []})") ==
        "line 1: node 0 (from 0) has the attribute '1e+99', which is no finite number of float32; "
        "correct it");
  CHECK(refusal(R"({"nodes": [{"lable": 1}], "edges": []})") ==
        "line 1: node 0 (from 0) has 'lable'; it may have label, attributes, nothing else");
  const std::string no_json =
      "line 1: is not JSON; write one graph per line, such as {\"nodes\": [\"C\", \"O\"], "
      "\"edges\": [[0, 1]], \"label\": \"yes\"}";
  CHECK(refusal(R"({"nodes": [{"attributes": [NaN]}], "edges": []})") == no_json);
  CHECK(refusal(R"({"nodes": ["C", "C"], "edges": [[0,)") == no_json);
  CHECK(refusal("[\n{\"nodes\": 1, \"edges\": []}\n]") == no_json);
  const std::string deep =
      "line 1: is nested more than 64 levels deep; write a graph as an object of lists";
  CHECK(refusal(std::string(5000, '[')) == deep);
  CHECK(refusal("{\"nodes\": 2, \"edges\": [], \"label\": " + std::string(100000, '[') +
                std::string(100000, ']') + "}") == deep);
  CHECK(refusal("{\"nodes\": [\"\xe9\"], \"edges\": []}") ==
        "line 1: is not UTF-8 text; save the file as UTF-8");
  CHECK(refusal(R"({"nodes": ["C"], "nodes": ["O"], "edges": []})") ==
        "line 1: gives 'nodes' twice; give it once");
  CHECK(refusal(R"({"nodes": [{"label": "C", "label": "O"}], "edges": []})") ==
        "line 1: gives 'label' twice; give it once");
  CHECK(refusal(R"({"nodes": -1, "edges": []})") ==
        "line 1: has \"nodes\" that are neither their number nor a list; give one of these");
  CHECK(refusal(R"({"nodes": 1, "edges": 0})") ==
        "line 1: has \"edges\" that are no list; give one, [] if there are none");
  CHECK(refusal(R"({"nodes": 0, "edges": []})") ==
        "line 1: has no node; remove the graph, give it nodes, or set 'empty: drop'");
  CHECK(
      refusal(R"({"nodes": 2, "edges": [[0, 1.5]]})") ==
      "line 1: edge 0 (from 0) ends at '1.5', which is not the number of a node; nodes count from "
      "0");
  CHECK(refusal(R"({"nodes": ["a", "b"], "edges": [["a", "b"]]})") ==
        "line 1: edge 0 (from 0) ends at '\"a\"', which is not the number of a node; nodes count "
        "from 0");
  CHECK(refusal(R"({"nodes": 1, "edges": [[0, 0], [0, 0]]})") ==
        "line 1: edge 1 (from 0) is listed twice; remove one of the two");
  CHECK(refusal(R"({"nodes": [{"attributes": [1]}, {"attributes": [null]}], "edges": []})") ==
        "line 1: node 1 (from 0) has the attribute 'null', which is no finite number of float32; "
        "correct it");
  CHECK(refusal(R"({"nodes": [{"attributes": [1]}, {"attributes": [1, 2]}], "edges": []})") ==
        "line 1: node 1 (from 0) has 2 attributes and no label, but others have 1 attribute and no "
        "label; give all the same");
  CHECK(refusal(R"({"nodes": 1, "edges": [], "label": ["a"]})") ==
        "line 1: the graph has a label that is neither text nor a number: '[\"a\"]'; correct it");
  const std::string good = R"({"nodes": ["C", "C"], "edges": [[0, 1]], "label": "a"})"
                           "\n";
  CHECK(refusal(good + R"({"nodes": 2, "edges": [[0, 1]], "label": "a"})") ==
        "line 2: node 0 (from 0) has neither label nor attributes, but others have a label; give "
        "all the same");
  CHECK(refusal(good + R"({"nodes": ["C", "C"], "edges": [[0, 1, "x"]], "label": "a"})") ==
        "line 2: edge 0 (from 0) has a label, but others have neither label nor attributes; give "
        "all the same");
  CHECK(refusal(R"({"nodes": 1, "edges": []})")
            .starts_with("line 1: the label is empty; fill it in"));
  CHECK(refusal(R"({"nodes": 1, "edges": [], "target": "x"})", {{"target", "numbers"}})
            .starts_with("line 1: the target is "));
}

TEST_CASE("graphs without nodes are dropped and counted where that is wanted") {
  const TempFolder folder;
  TestContext context;
  const auto data = open_checked(
      *source_of(folder.write("g.jsonl",
                              "\xef\xbb\xbf"
                              R"({"nodes": [], "edges": [], "label": "a", "name": "one"}
{"nodes": ["C"], "edges": [], "label": "b", "name": "two"}
{"nodes": 0, "edges": []}
{"nodes": ["N", "C"], "edges": [[0, 1]], "label": "c", "name": "four"})"),
                 {{"empty", std::string("drop")}}),
      context);
  CHECK(data->outline().classes == Texts{"b", "c"});
  CHECK(labels(*data) == Labels{0, 1});
  CHECK(data->number(0) == 1);
  CHECK(data->number(1) == 3);
  CHECK(data->outline().numbered_rows == 4);
  CHECK(data->name(1) == "four");
  CHECK(context.lines.front().ends_with(
      "dropped by 'empty: drop': 2 of 4 graphs, which have no node"));
}

TEST_CASE("labels are those of training graphs, to which others are new") {
  const TempFolder folder;
  TestContext context;
  const std::string train = folder.write("train.jsonl",
                                         R"({"nodes": ["2", "10"], "edges": [], "label": 1}
{"nodes": ["10"], "edges": [], "label": 2})"),
                    test = folder.write(
                        "test.jsonl",
                        R"({"nodes": ["x", "1", "10", "2"], "edges": [], "label": 2})");
  const auto data = open_checked(*source_of(train, {{"test_path", test}}), context);
  const Layout& layout = data->outline().layout;
  CHECK(layout.shape.node_labels == Texts{"2", "10"});
  const Floats row = row_of(*data, 2);
  const GraphView graph(row, layout.shape);
  CHECK(graph.node_label(2) == 1);
  CHECK(graph.node_label(3) == 0);
  CHECK(std::min(graph.node_label(0), graph.node_label(1)) == 2);
  CHECK(std::max(graph.node_label(0), graph.node_label(1)) == 3);
}

TEST_CASE("a line that takes more memory than there is is refused while it is read") {
  const TempFolder folder;
  TestContext context;
  context.budget = 1 << 20;
  std::string line = R"({"nodes": 2, "edges": [)";
  for (int i = 0; i < 10000; ++i) line += "[0,1],";
  line.back() = ']';
  const std::string file = folder.write("g.jsonl", line + "}\n");
  check_message(message_of(*source_of(file), context), file,
                "line 1: the graphs so far and what this line describes need 2 MiB, more than the "
                "1 MiB of memory left; allow more with --memory");
}

TEST_CASE("edges that differ in attributes alone") {
  const std::string line =
      R"({"nodes": 2, "edges": [[0, 1, "a", [1]], [1, 0, "a", [2]]], "label": 1})";
  CHECK(refusal(line) ==
        "line 1: edge 1 (from 0) has other attributes than in the opposite direction; correct one "
        "of them, or set 'edges: directed'");
  const TempFolder folder;
  TestContext context;
  const auto data = open_checked(
      *source_of(folder.write("g.jsonl", line + "\n" + line), {{"edges", std::string("directed")}}),
      context);
  CHECK(data->outline().layout.shape.edges == 2);
  const auto source = source_of("unused.jsonl");
  Layout undirected = data->outline().layout;
  undirected.shape.directed = false;
  const std::string fresh = folder.write("new.jsonl", line);
  source->apply_model({fresh, undirected, {"1"}, {}});
  check_message(message_of(*source, context), fresh,
                "line 1: edge 1 (from 0) has other attributes than in the opposite direction; "
                "correct one of them, since the model's edges are undirected");
}

}  // namespace json_graphs_test

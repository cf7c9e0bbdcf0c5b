// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "files/line_reader.hpp"
#include "graphs/graph_set.hpp"
#include "rows/memory_limit.hpp"
#include "semblance_tables/text_values.hpp"

namespace semblance::sources {
namespace {

using Json = nlohmann::json;

std::string counted(std::size_t number) { return std::to_string(number); }

/// What a node or an edge has, as far as it is known.
struct Parts {
  bool label = false;
  std::size_t attributes = 0;

  bool operator==(const Parts&) const = default;
};

std::string described(const Parts& parts) {
  const std::string numbers =
      counted(parts.attributes) + (parts.attributes == 1 ? " attribute" : " attributes");
  if (parts.attributes == 0) return parts.label ? "a label" : "neither label nor attributes";
  return parts.label ? "a label and " + numbers : numbers + " and no label";
}

/// Reads the graph of one line.
class LineOfGraph {
 public:
  /// `bytes`: of the graphs so far.
  LineOfGraph(GraphSet& set, std::optional<Parts>& nodes, std::optional<Parts>& edges,
              const LineReader& lines, double bytes, const Context& context)
      : set_(set), nodes_(nodes), edges_(edges), lines_(lines), bytes_(bytes), context_(context) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw DataError(lines_.path(), lines_.place(), what);
  }

  Json parsed(std::string_view line) const {
    if (!is_utf8(line)) fail("is not UTF-8 text; save the file as UTF-8");
    constexpr int most_levels = 64;
    constexpr double per_value = 64;  // of a value with its share of the list it is in
    double bytes = bytes_ + 2.0 * static_cast<double>(line.size());
    const auto free = static_cast<double>(context_.memory_budget());
    std::vector<std::set<std::string>> objects;  ///< the keys of those that are open
    std::string twice;
    const auto note_keys = [&](int depth, Json::parse_event_t event, const Json& value) {
      if (depth > most_levels)
        fail("is nested more than " + std::to_string(most_levels) +
             " levels deep; write a graph as an object of lists");
      if ((bytes += per_value) > free)
        check_fits(bytes, "the graphs so far and what this line describes", lines_.path(),
                   lines_.place(), context_);
      if (event == Json::parse_event_t::object_start) objects.emplace_back();
      if (event == Json::parse_event_t::object_end) objects.pop_back();
      if (event == Json::parse_event_t::key &&
          !objects.back().insert(value.get<std::string>()).second)
        twice = value.get<std::string>();
      return true;
    };
    Json json = Json::parse(line, note_keys, false);
    if (json.is_discarded())
      fail(
          "is not JSON; write one graph per line, such as {\"nodes\": [\"C\", \"O\"], "
          "\"edges\": [[0, 1]], \"label\": \"yes\"}");
    if (!twice.empty()) fail("gives " + in_quotes(twice) + " twice; give it once");
    if (!json.is_object()) fail("is no object; write {\"nodes\": ..., \"edges\": ...}");
    return json;
  }

  /// `remedy`: of edges that differ in the opposite direction.
  SampleGraph graph(const Json& json, const std::string& remedy,
                    std::span<const std::string> facts) {
    for (const auto& [key, value] : json.items())
      if (key != "nodes" && key != "edges" && key != "label" && key != "target" && key != "name" &&
          std::ranges::find(facts, key) == facts.end())
        fail("has " + in_quotes(key) +
             "; a graph has nodes, edges, label, target and name, nothing else");
    SampleGraph graph;
    if (!json.contains("nodes")) fail("has no \"nodes\"; give their number, or a list of them");
    read_nodes(json.at("nodes"), graph);
    if (graph.nodes == 0) return graph;
    if (!json.contains("edges"))
      fail("has no \"edges\"; give a list of them, [] if there are none");
    read_edges(json.at("edges"), graph);
    const auto refuse = [&](std::size_t edge, const std::string& what) {
      fail("edge " + counted(edge) + " (from 0) " + what);
    };
    const ListedEdges listed(graph, edges_ ? edges_->attributes : 0, refuse);
    return set_.directed ? graph : listed.joined(remedy, refuse);
  }

  /// The text of a label, which may also be a number.
  std::string label_of(const Json& value, const std::string& whose) const {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number() || value.is_boolean()) return value.dump();
    fail(whose + " has a label that is neither text nor a number: " + in_quotes(value.dump()) +
         "; correct it");
  }

 private:
  void read_nodes(const Json& json, SampleGraph& graph) {
    if (json.is_number_unsigned()) {
      graph.nodes = json.get<std::size_t>();
      if (graph.nodes > largest_graph_number)
        fail("has " + counted(graph.nodes) + " nodes; a graph has at most " +
             counted(largest_graph_number));
      if (graph.nodes > 0) check(nodes_, {}, "node 0");
    } else if (json.is_array()) {
      graph.nodes = json.size();
      for (std::size_t v = 0; v < json.size(); ++v) {
        const std::string whose = "node " + counted(v);
        const Json& node = json[v];
        const Json none;
        const bool object = node.is_object();
        if (object) check_keys(node, {"label", "attributes"}, whose);
        const Json& label = !object ? node : node.contains("label") ? node.at("label") : none;
        add(label, object && node.contains("attributes") ? node.at("attributes") : none, nodes_,
            whose, graph.node_attributes, set_.node_precision, [&](const std::string& name) {
              graph.node_labels.push_back(set_.node_labels.number(name));
            });
      }
    } else {
      fail("has \"nodes\" that are neither their number nor a list; give one of these");
    }
  }

  void read_edges(const Json& json, SampleGraph& graph) {
    if (!json.is_array()) fail("has \"edges\" that are no list; give one, [] if there are none");
    for (std::size_t e = 0; e < json.size(); ++e) {
      const std::string whose = "edge " + counted(e);
      const Json& edge = json[e];
      const Json none;
      const auto get = [&](const char* key, std::size_t place) -> const Json& {
        if (edge.is_object()) return edge.contains(key) ? edge.at(key) : none;
        return place < edge.size() ? edge[place] : none;
      };
      if (edge.is_object()) {
        check_keys(edge, {"from", "to", "label", "attributes"}, whose);
      } else if (!edge.is_array() || edge.size() < 2 || edge.size() > 4) {
        fail(whose + " (from 0) is " + in_quotes(edge.dump()) +
             "; write [from, to], [from, to, label] or [from, to, label, attributes]");
      }
      graph.edges.push_back(
          {end_of(get("from", 0), graph, whose), end_of(get("to", 1), graph, whose), 0});
      add(get("label", 2), get("attributes", 3), edges_, whose, graph.edge_attributes,
          set_.edge_precision, [&](const std::string& name) {
            graph.edges.back().label = set_.edge_labels.number(name);
          });
    }
  }

  void check_keys(const Json& json, std::initializer_list<const char*> known,
                  const std::string& whose) const {
    for (const auto& [key, value] : json.items()) {
      bool found = false;
      std::string all;
      for (const char* const name : known) {
        found = found || key == name;
        if (!all.empty()) all += ", ";
        all += name;
      }
      if (!found)
        fail(whose + " (from 0) has " + in_quotes(key) + "; it may have " + all + ", nothing else");
    }
  }

  std::uint32_t end_of(const Json& json, const SampleGraph& graph, const std::string& whose) const {
    if (!json.is_number_unsigned())
      fail(whose + " (from 0) ends at " + in_quotes(json.dump()) +
           ", which is not the number of a node; nodes count from 0");
    const auto node = json.get<std::size_t>();
    if (node >= graph.nodes)
      fail(whose + " (from 0) ends at node " + counted(node) + ", but the graph has nodes 0 to " +
           counted(graph.nodes - 1) + "; correct it");
    return static_cast<std::uint32_t>(node);
  }

  /// All nodes must have the same parts, and so must all edges.
  void check(std::optional<Parts>& all, const Parts& parts, const std::string& whose) const {
    if (!all) all = parts;
    if (*all != parts)
      fail(whose + " (from 0) has " + described(parts) + ", but others have " + described(*all) +
           "; give all the same");
  }

  template <class Label>
  void add(const Json& label, const Json& attributes, std::optional<Parts>& all,
           const std::string& whose, std::vector<float>& numbers, ColumnPrecision& precision,
           const Label& take) {
    if (!attributes.is_null() && !attributes.is_array())
      fail(whose + " (from 0) has attributes that are no list of numbers");
    check(all, {!label.is_null(), attributes.size()}, whose);
    if (!label.is_null()) take(label_of(label, whose + " (from 0)"));
    precision.resize(attributes.size());
    for (std::size_t k = 0; k < attributes.size(); ++k) {
      const Json& attribute = attributes[k];
      const double value = attribute.is_number() ? attribute.get<double>() : NAN;
      if (!std::isfinite(static_cast<float>(value)))
        fail(whose + " (from 0) has the attribute " + in_quotes(attribute.dump()) +
             ", which is no finite number of float32; correct it");
      numbers.push_back(static_cast<float>(value));
      if (attribute.is_number_integer())
        precision.add(k, attribute.get<std::int64_t>());
      else
        precision.add(k, value);
    }
  }

  GraphSet& set_;
  std::optional<Parts>& nodes_;
  std::optional<Parts>& edges_;
  const LineReader& lines_;
  double bytes_;
  const Context& context_;
};

/// Reads what a line says of its graph besides nodes and edges.
class LineOfFacts {
 public:
  /// `names`: of the members that hold the name, the weight and the group; empty: none.
  LineOfFacts(GraphSet& set, const FactRules& rules, std::span<const std::string> names,
              const LineOfGraph& line)
      : set_(set), rules_(rules), names_(names), line_(line) {}

  void read(const Json& json) {
    FactTexts texts;
    if (rules_.numbers)
      take_targets(json, texts);
    else
      texts.label = text(json, "label").value_or("");
    texts.id = text(json, names_[0]);
    texts.weight = text(json, names_[1]);
    texts.group = text(json, names_[2]);
    set_.append(texts, rules_, [&](const std::string& what) { line_.fail(what); });
  }

 private:
  std::string_view owned(std::string text) { return owned_.emplace_back(std::move(text)); }

  std::optional<std::string_view> text(const Json& json, const std::string& name) {
    if (name.empty() || !json.contains(name)) return std::nullopt;
    const Json& value = json.at(name);
    return value.is_null() ? std::string_view() : owned(line_.label_of(value, "the graph"));
  }

  void take_targets(const Json& json, FactTexts& texts) {
    const Json value = json.contains("target") ? json.at("target") : Json();
    const Json all = value.is_array() ? value : Json::array({value});
    if (set_.targets.empty()) set_.targets.set_names(numbered_targets(all.size()));
    const std::size_t wanted = set_.targets.names().size();
    if (value.is_null() && rules_.labels.missing == MissingLabels::unknown) return;
    if (all.size() != wanted)
      line_.fail("has " + counted(all.size()) + " targets, but the first graph has " +
                 counted(wanted) + "; give each graph the same number of targets");
    for (const Json& number : all)
      texts.targets.emplace_back(number.is_null() ? "" : owned(number.dump()));
  }

  GraphSet& set_;
  const FactRules& rules_;
  std::span<const std::string> names_;
  const LineOfGraph& line_;
  std::deque<std::string> owned_;
};

/// Graphs as lines of JSON, one graph per line.
class JsonGraphs final : public GraphSource {
 public:
  void apply_model(const NewData& data) override {
    refuse_fixed(data, {"edges", "target"});
    TableSource::apply_model(data);
  }

  static Declaration<JsonGraphs> declare() {
    Declaration<JsonGraphs> declaration("source/graphs", "Graphs as lines of JSON");
    declare_text_file(declaration, "text file with one graph per line");
    declaration.parameter("edges", &JsonGraphs::edges_,
                          "whether an edge leads from its first node to its second; undirected "
                          "edges may be listed once or in both directions",
                          choices({"undirected", "directed"}));
    declare_empty(declaration);
    declare_rows(
        declaration,
        {.label_place = "the \"label\" of each graph",
         .target_word =
             "what graphs are predicted as: classes, by \"label\", or numbers, by \"target\"",
         .facts = "the member of a line's object"});
    return declaration.gives(LayoutKind::graph)
        .random()
        .documentation(
            "A line is an object such as {\"nodes\": [\"C\", \"C\", \"O\"], \"edges\": [[0, 1, "
            "\"single\"], [1, 2, \"double\"]], \"label\": \"yes\"}. \"nodes\" is the number of "
            "nodes or a list: a node is its label, null if it has none, or {\"label\": ..., "
            "\"attributes\": [numbers]}. An edge is [from, to], [from, to, label], [from, to, "
            "label, [numbers]] or {\"from\": ..., \"to\": ..., \"label\": ..., \"attributes\": "
            "[...]}, where nodes count from 0. All nodes have the same parts, and so have all "
            "edges. Labels are texts or numbers. Each graph has a \"label\", or a \"target\" for "
            "regression: a number or a list of them; and it may have a \"name\", or another member "
            "that `id` names, and what `weight` and `groups` name.")
        .complexity(
            "memory: 4 bytes per node and attribute, 12 per edge and 300 per graph; of one line, "
            "64 bytes per value while it is read")
        .example(R"(
        graphs: {is: source/graphs, path: graphs.jsonl, test_fraction: 0.3}
        wl:     {is: normalizer/weisfeiler_lehman, from: graphs}
        svm:    {is: solver/linear_svm, from: wl}
        test:   {is: evaluator/classification, from: svm})");
  }

 protected:
  void read(const std::string& file, const FactRules& rules, GraphSet& set,
            Context& context) const override {
    set.directed = edges_ == "directed";
    std::optional<Parts> nodes, edges;
    if (set.parts) {
      nodes = {set.parts->node_labels, set.parts->node_attributes};
      edges = {set.parts->edge_labels, set.parts->edge_attributes};
    }
    FactRules own = rules;
    if (rules.may_lack_labels && rules.labels.missing == MissingLabels::refuse)
      own.labels.missing = MissingLabels::unknown;
    const std::vector<std::string> names =
        has_beside() ? std::vector<std::string>{"name", "", ""}
                     : std::vector<std::string>{id_.empty() ? "name" : id_, weight_, groups_};
    LineReader lines(file);
    std::string_view line;
    double bytes = set.bytes();
    while (lines.next(line)) {
      if (trimmed(line).empty()) continue;
      context.check_stop();
      LineOfGraph reader(set, nodes, edges, lines, bytes, context);
      const Json json = reader.parsed(line);
      SampleGraph graph = reader.graph(json, remedy_of_directions(), names);
      const auto number = static_cast<std::int64_t>(set.read++);
      if (graph.nodes == 0 && drops_empty()) continue;
      if (graph.nodes == 0)
        reader.fail("has no node; remove the graph, give it nodes, or set 'empty: drop'");
      set.numbers.push_back(number);
      LineOfFacts(set, own, names, reader).read(json);
      graph.node_labels.shrink_to_fit();
      graph.edges.shrink_to_fit();
      graph.node_attributes.shrink_to_fit();
      graph.edge_attributes.shrink_to_fit();
      bytes += 2 * sizeof graph + bytes_of(graph);  // the list of graphs grows by doubling
      check_fits(bytes, "the graphs so far", file, lines.place(), context);
      set.graphs.push_back(std::move(graph));
    }
    if (set.graphs.empty()) throw DataError(file, "", "has no graphs; write one per line, as JSON");
    set.parts = {nodes && nodes->label, edges && edges->label, nodes ? nodes->attributes : 0,
                 edges ? edges->attributes : 0};
  }

 private:
  std::string edges_ = "undirected";
};

}  // namespace

ComponentEntry declare_json_graphs() { return JsonGraphs::declare().entry(); }

}  // namespace semblance::sources

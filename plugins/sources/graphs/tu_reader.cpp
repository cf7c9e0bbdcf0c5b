// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "graphs/tu_files.hpp"
#include "rows/memory_limit.hpp"
#include "semblance/table_fields.hpp"
#include "semblance_tables/text_values.hpp"

namespace semblance::sources {
namespace {

std::string text(std::size_t number) { return std::to_string(number); }

[[noreturn]] void fail(const TuFile& file, std::size_t line, const std::string& what) {
  throw DataError(file.name, TuFile::place(line), what);
}

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  split_plain(line, ',', fields);
  return fields;
}

/// A node's or a graph's number, which counts from 1.
std::size_t number_from(const TuFile& file, std::size_t line, std::string_view field,
                        const char* of) {
  const auto number = parse_integer(field);
  if (!number || *number < 1)
    fail(
        file, line,
        in_quotes(field) + " is not the number of a " + of + "; expected a whole number from 1 on");
  return static_cast<std::size_t>(*number);
}

/// A line of several numbers is one label: "1,0".
std::string label_from(const TuFile& file, std::size_t line, std::string_view content) {
  std::string label;
  for (const std::string_view field : fields_of(content)) {
    if (field.empty()) fail(file, line, "has no label; give one label per line");
    if (!is_utf8(field)) fail(file, line, "is not UTF-8 text; save it as UTF-8");
    label += (label.empty() ? "" : ",") + std::string(field);
  }
  return label;
}

/// The files of one data set and what is read from them.
class TuReader {
 public:
  TuReader(const TuFiles& files, const TuForm& form, GraphSet& set, Context& context)
      : files_(files),
        form_(form),
        set_(set),
        context_(context),
        bytes_(static_cast<double>(files.bytes()) + set.bytes()),
        indicator_(files.at("graph_indicator", "which graph each node belongs to")),
        edges_(files.at("A", "which nodes each edge joins")) {}

  void read(const FactRules& rules) {
    read_nodes();
    read_facts(rules);
    check_every_graph();
    decide_parts();
    read_node_labels();
    read_attributes("node_attributes", nodes_.size(), "node", &SampleGraph::node_attributes,
                    set_.node_precision, [&](std::size_t v) { return nodes_[v].graph; });
    read_edges();
    read_edge_labels();
    read_attributes("edge_attributes", edge_graphs_.size(), "edge", &SampleGraph::edge_attributes,
                    set_.edge_precision, [&](std::size_t e) { return edge_graphs_[e]; });
    join_directions();
    const auto first = static_cast<std::int64_t>(set_.read);
    set_.read += graphs_.size();
    for (std::size_t g = 0; g < graphs_.size(); ++g) {
      if (graphs_[g].nodes == 0) continue;
      set_.graphs.push_back(std::move(graphs_[g]));
      set_.numbers.push_back(first + static_cast<std::int64_t>(g));
    }
  }

 private:
  struct Node {
    std::size_t graph = 0;
    std::uint32_t number = 0;  ///< in its graph, from 0
  };

  /// Counts the memory of things that are read next, and throws DataError if there is too little.
  void need(std::size_t count, std::size_t bytes, const TuFile& of) {
    bytes_ += static_cast<double>(count) * static_cast<double>(bytes);
    check_fits(bytes_, "the graphs and their texts, up to here,", of.name, "", context_);
  }

  void resize(std::size_t graphs, const TuFile& of) {
    if (graphs <= graphs_.size()) return;
    // A graph, its four parts and its place in the set.
    need(graphs, 2 * sizeof(SampleGraph) + 4 * 16 + sizeof(std::size_t), of);
    graphs_.resize(graphs);
    first_lines_.resize(graphs);
  }

  void read_nodes() {
    const std::size_t lines = indicator_.lines();
    need(lines, sizeof(Node), indicator_);
    nodes_.reserve(lines);
    std::size_t graphs = 0;
    indicator_.each_line([&](std::string_view line, std::size_t number) {
      const std::size_t graph = number_from(indicator_, number, line, "graph");
      if (graph > largest_graph_number)
        fail(indicator_, number,
             "the graph " + text(graph) + " is beyond the largest number, " +
                 text(largest_graph_number) + "; number graphs from 1 without gaps");
      graphs = std::max(graphs, graph);
      nodes_.push_back({graph - 1, 0});
    });
    if (nodes_.empty())
      throw DataError(indicator_.name, "", "is empty; give the number of each node's graph");
    resize(graphs, indicator_);
    for (std::size_t v = 0; v < nodes_.size(); ++v) {
      SampleGraph& graph = graphs_[nodes_[v].graph];
      if (graph.nodes == 0) first_lines_[nodes_[v].graph] = v + 1;
      nodes_[v].number = static_cast<std::uint32_t>(graph.nodes++);
    }
  }

  /// The lines of a file that has one per graph.
  template <class Take>
  void each_graph(const TuFile& file, const Take& take) {
    const std::size_t lines = file.lines();
    if (lines < graphs_.size())
      fail(indicator_, first_lines_.back(),
           "the node belongs to graph " + text(graphs_.size()) + ", but " + file.name + " has " +
               text(lines) + " lines; give it one line per graph");
    resize(lines, file);
    file.each_line([&](std::string_view line, std::size_t number) {
      if (graphs_[number - 1].nodes > 0) take(line, number);
    });
  }

  /// The class of each graph, or the numbers to predict.
  void read_facts(const FactRules& rules) {
    const bool numbers = rules.numbers;
    const TuFile* const file = files_.find(numbers ? "graph_attributes" : "graph_labels");
    if (!file && rules.may_lack_labels) {
      const auto refuse = [&](const std::string& what) {
        throw DataError(files_.path(), "", what);
      };
      for (const SampleGraph& graph : graphs_)
        if (graph.nodes > 0) set_.append({}, rules, refuse);
      return;
    }
    if (!file && !numbers && files_.find("graph_attributes"))
      throw DataError(files_.path(), "",
                      "lacks the file " + files_.name_of("graph_labels") + " of classes, but has " +
                          files_.name_of("graph_attributes") +
                          "; set 'target: numbers' to predict these");
    if (!file)
      files_.at(numbers ? "graph_attributes" : "graph_labels",
                numbers ? "the numbers to predict of each graph; add it, or remove 'target'"
                        : "the class of each graph; add it, or set 'label: none' if the graphs "
                          "have no classes");
    each_graph(*file, [&](std::string_view line, std::size_t number) {
      FactTexts facts;
      std::string label;
      if (numbers)
        facts.targets = targets_of(*file, line, number);
      else if (rules.labels.is_missing(line))
        facts.label = line;
      else
        facts.label = label = label_from(*file, number, line);
      set_.append(facts, rules, [&](const std::string& what) { fail(*file, number, what); });
    });
  }

  std::vector<std::optional<std::string_view>> targets_of(const TuFile& file, std::string_view line,
                                                          std::size_t number) {
    const auto fields = fields_of(line);
    if (set_.targets.empty()) set_.targets.set_names(numbered_targets(fields.size()));
    const std::size_t wanted = set_.targets.names().size();
    if (fields.size() != wanted)
      fail(file, number,
           "has " + text(fields.size()) + " numbers, but the first line has " + text(wanted) +
               "; give each graph the same number of targets");
    return {fields.begin(), fields.end()};
  }

  void check_every_graph() const {
    if (form_.drops_empty) return;
    for (std::size_t g = 0; g < graphs_.size(); ++g)
      if (graphs_[g].nodes == 0)
        throw DataError(indicator_.name, "",
                        "no node belongs to graph " + text(g + 1) + ", although there are " +
                            text(graphs_.size()) +
                            " graphs; remove its line from the other files and number graphs "
                            "without gaps, or set 'empty: drop'");
  }

  std::size_t columns_of(const char* part) const {
    const TuFile* const file = files_.find(part);
    std::size_t count = 0;
    if (file) {
      const std::string_view all = file->text();
      count = fields_of(all.substr(0, all.find('\n'))).size();
    }
    return count;
  }

  void decide_parts() {
    const GraphParts parts{files_.find("node_labels") != nullptr,
                           files_.find("edge_labels") != nullptr, columns_of("node_attributes"),
                           columns_of("edge_attributes")};
    if (set_.parts && *set_.parts != parts)
      throw DataError(files_.path(), "",
                      "its graphs have " + describe(parts) + ", but those trained on have " +
                          describe(*set_.parts) + "; use graphs with the same parts");
    set_.parts = parts;
  }

  void check_lines(const TuFile& file, std::size_t wanted, const char* each,
                   const TuFile& other) const {
    const std::size_t lines = file.lines();
    if (lines != wanted)
      throw DataError(file.name, "",
                      "has " + text(lines) + " lines for " + text(wanted) + " " + each +
                          "s; give it one line per " + each + ", in the order of " + other.name);
  }

  void read_node_labels() {
    const TuFile* const file = files_.find("node_labels");
    if (!file) return;
    check_lines(*file, nodes_.size(), "node", indicator_);
    need(nodes_.size(), sizeof(std::uint32_t), *file);
    for (SampleGraph& graph : graphs_) graph.node_labels.reserve(graph.nodes);
    file->each_line([&](std::string_view line, std::size_t number) {
      graphs_[nodes_[number - 1].graph].node_labels.push_back(
          set_.node_labels.number(label_from(*file, number, line)));
    });
  }

  void read_edges() {
    const std::size_t lines = edges_.lines();
    need(lines, 2 * sizeof(GraphEdge) + sizeof(std::size_t), edges_);  // edges grow by doubling
    edge_graphs_.reserve(lines);
    edges_.each_line([&](std::string_view line, std::size_t number) {
      const auto fields = fields_of(line);
      if (fields.size() != 2)
        fail(edges_, number,
             "has " + text(fields.size()) +
                 " fields; expected the numbers of two nodes with a comma between them");
      const Node from = end_of_edge(fields[0], number), to = end_of_edge(fields[1], number);
      if (from.graph != to.graph)
        fail(edges_, number,
             "the edge joins node " + std::string(fields[0]) + " of graph " + text(from.graph + 1) +
                 " and node " + std::string(fields[1]) + " of graph " + text(to.graph + 1) +
                 "; correct it, or " + indicator_.name);
      graphs_[from.graph].edges.push_back({from.number, to.number, 0});
      edge_graphs_.push_back(from.graph);
    });
  }

  Node end_of_edge(std::string_view field, std::size_t line) const {
    const std::size_t number = number_from(edges_, line, field, "node");
    if (number > nodes_.size())
      fail(edges_, line,
           "the edge ends at node " + text(number) + ", but there are " + text(nodes_.size()) +
               " nodes, one per line of " + indicator_.name + "; correct it");
    return nodes_[number - 1];
  }

  void read_edge_labels() {
    const TuFile* const file = files_.find("edge_labels");
    if (!file) return;
    check_lines(*file, edge_graphs_.size(), "edge", edges_);
    std::vector<std::size_t> next(graphs_.size());
    file->each_line([&](std::string_view line, std::size_t number) {
      const std::size_t graph = edge_graphs_[number - 1];
      graphs_[graph].edges[next[graph]++].label =
          set_.edge_labels.number(label_from(*file, number, line));
    });
  }

  template <class GraphOf>
  void read_attributes(const char* part, std::size_t wanted, const char* each,
                       std::vector<float> SampleGraph::*to, ColumnPrecision& precision,
                       const GraphOf& graph_of) {
    const TuFile* const file = files_.find(part);
    if (!file) return;
    check_lines(*file, wanted, each, std::string_view(each) == "node" ? indicator_ : edges_);
    const std::size_t columns = columns_of(part);
    precision.resize(columns);
    need(wanted, 2 * columns * sizeof(float), *file);
    NumberForm form(false);
    file->each_line([&](std::string_view line, std::size_t number) {
      const auto fields = fields_of(line);
      if (fields.size() != columns)
        fail(*file, number,
             "has " + text(fields.size()) + " numbers, but the first line has " + text(columns) +
                 "; give each " + each + " the same number of attributes");
      for (std::size_t k = 0; k < columns; ++k) {
        float value = 0;
        double wide = 0;
        if (const char* const problem = form.parse(fields[k], value, wide))
          fail(*file, number, in_quotes(fields[k]) + " " + problem + "; correct it");
        (graphs_[graph_of(number - 1)].*to).push_back(value);
        add_exact(precision, k, wide, fields[k]);
      }
    });
  }

  /// The line of an edge of a graph.
  std::size_t line_of(std::size_t graph, std::size_t edge) const {
    std::size_t line = 0;
    for (std::size_t left = edge + 1; left > 0; ++line) left -= edge_graphs_[line] == graph ? 1 : 0;
    return line;
  }

  ListedEdges listed(std::size_t graph) const {
    return {graphs_[graph], set_.parts->edge_attributes,
            [&, graph](std::size_t edge, const std::string& what) {
              fail(edges_, line_of(graph, edge), "the edge " + what);
            }};
  }

  void join_directions() {
    std::size_t most = 0;
    for (const SampleGraph& graph : graphs_) most = std::max(most, graph.edges.size());
    need(most, 2 * (sizeof(GraphEdge) + 2 * sizeof(std::size_t)), edges_);
    if (!direction_known_)
      set_.directed = form_.edges == "auto" ? are_directed() : form_.edges == "directed";
    for (std::size_t g = 0; g < graphs_.size(); ++g) {
      const ListedEdges edges = listed(g);
      if (!set_.directed)
        graphs_[g] = edges.joined(form_.remedy, [&](std::size_t edge, const std::string& what) {
          fail(edges_, line_of(g, edge), "the edge " + what);
        });
    }
  }

  /// Undirected edges are listed in both directions.
  bool are_directed() const {
    ListedEdges::Directions edges;
    for (std::size_t g = 0; g < graphs_.size(); ++g) {
      const ListedEdges::Directions of = listed(g).directions();
      edges.same += of.same;
      edges.other_attributes += of.other_attributes;
      edges.other_label += of.other_label;
    }
    const std::size_t all = edge_graphs_.size(), both = edges.same;
    if (both == all) return false;
    const char* const remedy = edges.other_label > 0 ? "correct those that have another label there"
                               : edges.other_attributes > 0
                                   ? "correct those that have other attributes there, or omit "
                                     "attributes by 'attributes: false'"
                                   : "set 'edges: undirected'";
    // In directed graphs some edges have an opposite, but rarely most of them.
    context_.log(both == 0 || 2 * both > all ? LogLevel::warning : LogLevel::info,
                 edges_.name + ": " + text(all - both) + " of " + text(all) +
                     " edges lack the same edge in the opposite direction, so edges are taken as "
                     "directed; if they are not, " +
                     remedy);
    return true;
  }

  const TuFiles& files_;
  const TuForm& form_;
  GraphSet& set_;
  Context& context_;
  double bytes_;  ///< of the texts and the graphs so far
  const TuFile& indicator_;
  const TuFile& edges_;
  const bool direction_known_ = set_.parts.has_value();  ///< of a model, or of other graphs
  std::vector<SampleGraph> graphs_;
  std::vector<std::size_t> first_lines_;  ///< of each graph in the indicator
  std::vector<Node> nodes_;
  std::vector<std::size_t> edge_graphs_;
};

}  // namespace

void read_tu_graphs(const TuFiles& files, const TuForm& form, const FactRules& rules, GraphSet& set,
                    Context& context) {
  TuReader(files, form, set, context).read(rules);
}

}  // namespace semblance::sources

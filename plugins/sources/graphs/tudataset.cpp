// SPDX-License-Identifier: MIT
#include <string>
#include <utility>
#include <vector>

#include "graphs/graph_set.hpp"
#include "graphs/tu_files.hpp"

namespace semblance::sources {
namespace {

/// Graphs in the text format of TUDataset.
class TuDataset final : public GraphSource {
 public:
  void check_parameters() const override {
    TableSource::check_parameters();
    check_has_beside();
  }

  void apply_model(const NewData& data) override {
    refuse_fixed(data, {"edges", "attributes", "target"});
    TableSource::apply_model(data);
  }

  std::vector<std::string> files() const override {
    std::vector<std::string> all;
    for (const std::string& path : {train_file(), test_file()})
      if (!path.empty())
        for (std::string& file : list_tu_files(path, wanted())) all.push_back(std::move(file));
    if (!beside_file().empty()) all.push_back(beside_file());
    return all;
  }

  static Declaration<TuDataset> declare() {
    Declaration<TuDataset> declaration("source/tudataset",
                                       "Graphs in the text format of TUDataset");
    declaration
        .parameter("path", &TuDataset::path_,
                   "folder with the files NAME_A.txt and so on, or its archive (.zip, .tar, also "
                   "compressed)",
                   required())
        .parameter("edges", &TuDataset::edges_,
                   "auto: undirected if each edge is listed in both directions with the same label "
                   "and attributes, else directed; undirected: an edge may be listed once or twice",
                   choices({"auto", "directed", "undirected"}))
        .parameter("attributes", &TuDataset::attributes_,
                   "read the attributes of nodes and edges, if there are any");
    declare_empty(declaration);
    declare_rows(declaration,
                 {.label_place = "the line of each graph in NAME_graph_labels.txt",
                  .target_word = "what graphs are predicted as: classes, of NAME_graph_labels.txt, "
                                 "or numbers, of NAME_graph_attributes.txt",
                  .facts = ""});
    return declaration.gives(LayoutKind::graph)
        .random()
        .documentation(
            "The files of a data set NAME are, with one line each: NAME_A.txt: edges, as the "
            "numbers of two nodes; NAME_graph_indicator.txt: nodes, as the number of their graph; "
            "NAME_graph_labels.txt: graphs, as their class; and, where the data set has them, "
            "NAME_node_labels.txt, NAME_edge_labels.txt, NAME_node_attributes.txt, "
            "NAME_edge_attributes.txt and NAME_graph_attributes.txt. Nodes and graphs count from "
            "1. A label of several numbers is one label. TUDataset lists undirected edges twice; "
            "the graph has them once.")
        .reference(
            "Morris, Kriege, Bause, Kersting, Mutzel & Neumann 2020, TUDataset: A collection of "
            "benchmark datasets for learning with graphs")
        .complexity(
            "memory: while reading, the texts, up to 60 bytes per edge and attribute, 24 per node "
            "and 300 per graph")
        .example(R"(
        graphs: {is: source/tudataset, path: graphs/MUTAG.tar.xz, test_fraction: 0.1}
        wl:     {is: normalizer/weisfeiler_lehman, from: graphs}
        svm:    {is: solver/linear_svm, from: wl}
        test:   {is: evaluator/classification, from: svm})");
  }

 protected:
  void read(const std::string& path, const FactRules& rules, GraphSet& set,
            Context& context) const override {
    const TuFiles files(path, wanted(), context);
    read_tu_graphs(files, {edges_, drops_empty(), remedy_of_directions()}, rules, set, context);
  }

 private:
  std::vector<std::string> wanted() const {
    std::vector<std::string> parts = {"A",           "graph_indicator", "graph_labels",
                                      "node_labels", "edge_labels",     "graph_attributes"};
    if (attributes_) parts.insert(parts.end(), {"node_attributes", "edge_attributes"});
    return parts;
  }

  std::string edges_ = "auto";
  bool attributes_ = true;
};

}  // namespace

ComponentEntry declare_tudataset() { return TuDataset::declare().entry(); }

}  // namespace semblance::sources

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <optional>

#include "graphs/graph_set.hpp"
#include "molecules/molecule_rows.hpp"
#include "rows/memory_limit.hpp"
#include "rows/table_source.hpp"
#include "semblance_tables/text_values.hpp"

namespace semblance::sources {
namespace {

/// Molecules as fingerprints, or as graphs.
class Molecules final : public TableSource {
 public:
  Molecules() : TableSource(Answers::columns, "none") {}

  void check_parameters() const override;
  void apply_model(const NewData& data) override;
  bool reads_slowly() const override { return true; }
  std::unique_ptr<Dataset> open(Context& context) const override;
  std::unique_ptr<RowLines> lines(const NewData& model) const override;
  static Declaration<Molecules> declare();

 private:
  bool as_graphs() const noexcept { return as_ == "graph"; }
  FingerprintForm form() const;
  MoleculeFormat format() const;
  /// Calls take(made) for the make(row) of each row that remains, in their order, and sets `kept`
  /// to whether it does.
  template <class Made>
  void each_molecule(const MoleculeRows& rows, std::size_t first, std::vector<bool>& kept,
                     Context& context, const std::function<Made(std::size_t)>& make,
                     const std::function<void(Made&)>& take) const;
  SpillingRows fingerprints(const MoleculeRows& rows, std::size_t first, std::vector<bool>& kept,
                            Context& context) const;
  GraphSet graphs(const MoleculeRows& rows, std::size_t first, std::vector<bool>& kept,
                  Context& context) const;
  [[noreturn]] void refuse(const MoleculeRows& rows, std::size_t row, std::size_t first,
                           const std::string& problem) const;

  std::string format_ = "auto";
  std::string header_ = "auto";
  std::string smiles_ = "auto";
  std::string invalid_ = "refuse";
  std::string as_ = "fingerprint";
  std::string fingerprint_ = "morgan";
  std::int64_t radius_ = 2;
  std::int64_t bits_ = 2048;
  std::string values_ = "bits";
  bool chirality_ = false;
};

void Molecules::check_parameters() const {
  TableSource::check_parameters();
  if (as_graphs()) {
    if (fingerprint_ != "morgan" || values_ != "bits" || chirality_)
      throw Error(
          "'fingerprint', 'values' and 'chirality' are for 'as: fingerprint', but it is "
          "graph; omit them");
    return;
  }
  if (fingerprint_ == "morgan") return;
  if (values_ == "counts")
    throw Error("'values: counts' is for 'fingerprint: morgan', but it is " + fingerprint_ +
                "; set 'values: bits'");
  if (chirality_)
    throw Error("'chirality' is for 'fingerprint: morgan', but it is " + fingerprint_ +
                "; omit it");
}

void Molecules::apply_model(const NewData& data) {
  refuse_fixed(data, {"as", "fingerprint", "radius", "bits", "values", "chirality"});
  TableSource::apply_model(data);
}

FingerprintForm Molecules::form() const {
  FingerprintForm form;
  form.kind = fingerprint_ == "morgan"  ? FingerprintForm::Kind::morgan
              : fingerprint_ == "maccs" ? FingerprintForm::Kind::maccs
                                        : FingerprintForm::Kind::path;
  form.radius = static_cast<unsigned>(radius_);
  form.bits = static_cast<unsigned>(bits_);
  form.counts = values_ == "counts";
  form.chirality = chirality_;
  return form;
}

MoleculeFormat Molecules::format() const {
  MoleculeFormat format;
  format.format = format_;
  format.header = header_;
  format.smiles = smiles_;
  name_facts(format);
  if (model()) format.named = model()->targets;
  format.facts = fact_rules();
  return format;
}

/// "the SMILES 'CC('", or "the molecule 'name'".
std::string describe(const MoleculeRows& rows, std::size_t row) {
  if (rows.notations[row] == MoleculeNotation::smiles)
    return "the SMILES " + in_quotes(rows.molecules[row]);
  return rows.ids.size() > row && !rows.ids[row].empty()
             ? "the molecule " + in_quotes(rows.ids[row])
             : "the molecule";
}

void Molecules::refuse(const MoleculeRows& rows, std::size_t row, std::size_t first,
                       const std::string& problem) const {
  throw DataError(
      row < first ? train_file() : test_file(), "line " + std::to_string(rows.lines[row]),
      describe(rows, row) + " " + problem + "; correct or remove it, or set 'invalid: drop'");
}

template <class Made>
void Molecules::each_molecule(const MoleculeRows& rows, std::size_t first, std::vector<bool>& kept,
                              Context& context, const std::function<Made(std::size_t)>& make,
                              const std::function<void(Made&)>& take) const {
  constexpr std::size_t rows_at_once = 4096, rows_a_task = 32;
  const QuietRdkit quiet;
  std::vector<Made> made;
  std::optional<std::string> dropped;
  std::size_t count = 0;
  for (std::size_t begin = 0; begin < rows.rows(); begin += rows_at_once) {
    made.assign(std::min(rows_at_once, rows.rows() - begin), {});
    context.parallel_for((made.size() + rows_a_task - 1) / rows_a_task, [&](std::size_t task) {
      context.check_stop();
      const std::size_t end = std::min((task + 1) * rows_a_task, made.size());
      for (std::size_t i = task * rows_a_task; i < end; ++i)
        if (rows.labels[begin + i] != left_out_label) made[i] = make(begin + i);
    });
    for (std::size_t i = 0; i < made.size(); ++i) {
      const std::size_t row = begin + i;
      if (made[i].problem.empty()) {
        take(made[i]);
        continue;
      }
      if (invalid_ == "refuse") refuse(rows, row, first, made[i].problem);
      if (!dropped)
        dropped = "in line " + std::to_string(rows.lines[row]) + " " + describe(rows, row) + " " +
                  made[i].problem;
      kept[row] = false;
      ++count;
    }
  }
  if (count == rows.rows())
    throw DataError(train_file(), "", "no molecule is left; the first: " + *dropped);
  if (count > 0)
    context.log(LogLevel::warning,
                train_file() + ": dropped by 'invalid: drop': " + std::to_string(count) + " of " +
                    std::to_string(rows.rows()) + " molecules; the first: " + *dropped);
}

SpillingRows Molecules::fingerprints(const MoleculeRows& rows, std::size_t first,
                                     std::vector<bool>& kept, Context& context) const {
  const FingerprintForm form = this->form();
  SpillingRows prints;
  spill_beyond_share(context, prints.values, prints.columns);
  each_molecule<Fingerprint>(
      rows, first, kept, context,
      [&](std::size_t row) {
        return make_fingerprint(rows.molecules[row], rows.notations[row], form);
      },
      [&](const Fingerprint& made) {
        for (std::size_t k = 0; k < made.values.size(); ++k) {
          prints.columns.push_back(made.columns[k]);
          prints.values.push_back(made.values[k]);
        }
        prints.end_row();
        check_fits(rows.bytes() + static_cast<double>(prints.bytes()), "the fingerprints so far",
                   train_file(), "", context);
      });
  return prints;
}

/// A row that is left out for its label has no atoms; a graph has one at least, which is not used.
SampleGraph graph_of(const MoleculeGraph& molecule, GraphSet& set) {
  SampleGraph graph{.nodes = std::max<std::size_t>(1, molecule.atoms.size())};
  for (const std::string& atom : molecule.atoms)
    graph.node_labels.push_back(set.node_labels.number(atom));
  graph.node_labels.resize(graph.nodes);
  for (const MoleculeGraph::Bond& bond : molecule.bonds)
    graph.edges.push_back({bond.from, bond.to, set.edge_labels.number(bond.kind)});
  return graph;
}

GraphSet Molecules::graphs(const MoleculeRows& rows, std::size_t first, std::vector<bool>& kept,
                           Context& context) const {
  GraphSet set;
  set.parts = {.node_labels = true};
  if (model()) set = GraphSet::known_by(model()->layout);
  double bytes = 0;
  each_molecule<MoleculeGraph>(
      rows, first, kept, context,
      [&](std::size_t row) {
        return make_molecule_graph(rows.molecules[row], rows.notations[row]);
      },
      [&](const MoleculeGraph& made) {
        set.graphs.push_back(graph_of(made, set));
        bytes += static_cast<double>(sizeof(SampleGraph) + 4 * made.atoms.size() +
                                     sizeof(GraphEdge) * made.bonds.size());
        check_fits(rows.bytes() + bytes, "the graphs so far", train_file(), "", context);
      });
  return set;
}

std::unique_ptr<Dataset> Molecules::open(Context& context) const {
  MoleculeFormat format = this->format();
  MoleculeRows rows;
  const std::size_t numbered_rows = read_files(
      train_file(), test_file(), rows, [&](const std::string& file, const FactRules& fact_rules) {
        format.facts = fact_rules;
        read_molecules(file, format, rows, context);
      });
  check_facts(rows, context);
  std::vector<bool> kept(rows.rows(), true);
  SpillingRows samples;
  GraphSet set;
  if (as_graphs())
    set = graphs(rows, numbered_rows, kept, context);
  else
    samples = fingerprints(rows, numbered_rows, kept, context);
  const auto first = static_cast<std::size_t>(
      std::count(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(numbered_rows), true));
  rows.keep(kept);
  Split parts = finish_facts(rows, first, context, numbered_rows);
  Layout layout = Layout::sparse(form().columns());
  if (as_graphs()) {
    layout = model() ? model()->layout : Layout::graph(set.learn(parts.learned_rows()));
    samples = set.written(layout.shape, context);
  }
  return make_dataset(layout, rows.classes.names(), rows.answers(), std::move(parts),
                      ragged(std::move(samples)));
}

std::unique_ptr<RowLines> Molecules::lines(const NewData&) const {
  if (as_graphs() || format_ == "sdf" || (format_ == "auto" && is_sdf_name(path_.value)))
    return nullptr;
  return molecule_lines(path_.value, format(), form());
}

Declaration<Molecules> Molecules::declare() {
  Declaration<Molecules> declaration(
      "source/molecules", "Molecules in SMILES or SDF, as RDKit's fingerprints or as graphs");
  declare_text_file(declaration, "text file");
  declaration
      .parameter("format", &Molecules::format_,
                 "smiles: a table with a column of SMILES, one molecule per line; auto: sdf if the "
                 "name ends in .sdf, .sd or .mol, else smiles",
                 choices({"auto", "smiles", "sdf"}))
      .parameter("header", &Molecules::header_,
                 "whether the first line of a table names the columns; auto: yes if a field "
                 "contains 'smiles' or is the name of a column that a parameter names",
                 choices({"auto", "present", "absent"}))
      .parameter("smiles", &Molecules::smiles_,
                 "the column of SMILES, by name or number; auto: the one whose name contains "
                 "'smiles', without a header the first")
      .parameter("invalid", &Molecules::invalid_,
                 "what to do with molecules that RDKit cannot read, or that have no atoms",
                 choices({"refuse", "drop"}))
      .parameter(
          "as", &Molecules::as_,
          "fingerprint: sparse rows; graph: atoms with their elements and charges, and bonds "
          "with their kinds",
          choices({"fingerprint", "graph"}))
      .parameter(
          "fingerprint", &Molecules::fingerprint_,
          "morgan: environments of atoms up to 'radius' bonds (ECFP4 has radius 2, ECFP6 3); "
          "maccs: 166 keys; path: paths and branched fragments of up to 7 bonds",
          choices({"morgan", "maccs", "path"}))
      .parameter("radius", &Molecules::radius_,
                 "of morgan: the larger, the larger the fragments that are compared", at_least(0),
                 at_most(20), unit("bonds"))
      .parameter("bits", &Molecules::bits_,
                 "number of columns of morgan and path, to which environments and paths are hashed",
                 at_least(8), at_most(16777216))
      .parameter("values", &Molecules::values_,
                 "bits: 1 for what the molecule has; counts, of morgan: how often",
                 choices({"bits", "counts"}))
      .parameter("chirality", &Molecules::chirality_,
                 "of morgan: distinguish mirror images, where the file does");
  declare_rows(declaration, {.label_column = "a column, by name or number, or a property in SDF",
                             .target_column = "the column or property",
                             .facts = "the column or property"});
  return declaration.gives(LayoutKind::sparse)
      .gives_where("as", "graph", LayoutKind::graph)
      .random()
      .documentation(
          "Fields are separated by commas, semicolons or tabs, else by blanks. A line of a .smi "
          "file (also .smiles, .ism, .cxsmiles) is a SMILES, its extension |...| if it has one, "
          "and the name, column 2, which is the rest of the line; lines that begin with # are "
          "comments. There are more columns, separated by tabs or blanks, where the first line has "
          "them between tabs, a header names them, or `label`, `target` or `id` is a number above "
          "2 or below 0. In SDF an empty line ends the value of a property. Fingerprints have the "
          "bits and counts of RDKit's Python functions GetMorganFingerprintAsBitVect, "
          "GetHashedMorganFingerprint, GetMACCSKeysFingerprint and RDKFingerprint; bit 0 of maccs "
          "is never set. They suit similarity/tanimoto. A graph has a node for each atom, whose "
          "label is its element and formal charge (C, N+, O-), and an undirected edge for each "
          "bond, whose label is RDKit's kind of bond: single, double, triple, aromatic. Hydrogens "
          "without a node of their own in RDKit, isotopes and mirror images are not in it.\n\nA "
          "molecule that RDKit refuses is an error that names its line, or is dropped and counted. "
          "With classes, name their column in `label`, with numbers to predict in `target`; "
          "without either only what needs none can learn from them, such as a novelty detector. "
          "New data need no labels or targets.")
      .reference("Rogers and Hahn, Extended-connectivity fingerprints, 2010 (morgan)")
      .reference("Durant, Leland, Henry and Nourse, Reoptimization of MDL keys, 2002 (maccs)")
      .complexity("memory: the texts while they are read, then 8 bytes for each bit that is set")
      .example(R"(
        mols: {is: source/molecules, path: esol.csv, target: logS, test_fraction: 0.2}
        svr:  {is: solver/kernel_svr, kernel: {is: similarity/tanimoto}, from: mols}
        test: {is: evaluator/regression, from: svr})");
}

}  // namespace

ComponentEntry declare_molecules() { return Molecules::declare().entry(); }

}  // namespace semblance::sources

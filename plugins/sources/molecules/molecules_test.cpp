// SPDX-License-Identifier: MIT
#include <RDGeneral/RDLog.h>

#include <array>
#include <cstdio>
#include <sstream>

#include "molecules/fingerprint.hpp"
#include "semblance/graph.hpp"
#include "semblance/row_lines.hpp"
#include "semblance/sparse_testing.hpp"
#include "tests/sources_testing.hpp"

namespace molecules_test {

using namespace semblance;
using namespace semblance::sources;
using namespace semblance::testing;

namespace {

Value text(const char* t) { return std::string(t); }

constexpr const char* alcohols =
    "name,smiles,kind,boiling\n"
    "ethanol,CCO,alcohol,78.4\n"
    "propanol,CCCO,alcohol,97.2\n"
    "benzene,c1ccccc1,ring,80.1\n"
    "toluene,Cc1ccccc1,ring,110.6\n";

std::unique_ptr<Source> molecules(const std::string& file, Parameters more = {}) {
  more.emplace_back("path", file);
  return make_component<Source>("source/molecules", more);
}

/// The message for a file of this content.
std::string refused(const std::string& name, const std::string& content, const Parameters& more) {
  const TempFolder folder;
  TestContext context;
  const std::string file = folder.write(name, content);
  return message_of(*molecules(file, more), context);
}

/// "column x value, ..." of a row.
std::string row_text(const Dataset& data, std::size_t row) {
  const FloatMatrix rows = all_rows(data);
  const MatrixView view = std::as_const(rows).view();
  std::ostringstream line;
  for (std::size_t k = 0; k < view.size(row); ++k)
    line << (k > 0 ? "," : "") << view.columns_of(row)[k] << 'x' << view.row(row)[k];
  return line.str();
}

constexpr const char* two_records =
    "methanol\n  made by hand\n\n"
    "  2  1  0  0  0  0  0  0  0  0999 V2000\n"
    "    0.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0\n"
    "    1.4000    0.0000    0.0000 O   0  0  0  0  0  0  0  0  0  0  0  0\n"
    "  1  2  1  0\nM  END\n> <kind>\nalcohol\n\n> <boiling>\n64.7\n\n$$$$\n"
    "water\r\n  made by hand\r\n\r\n"
    "  1  0  0  0  0  0  0  0  0  0999 V2000\r\n"
    "    0.0000    0.0000    0.0000 O   0  0  0  0  0  0  0  0  0  0  0  0\r\n"
    "M  END\r\n>  <kind>  (2)\r\nother\r\n\r\n> <boiling>\r\n100\r\n\r\n$$$$\r\n\r\n";

/// The lines that a program prints.
Texts printed_by(const std::string& command) {
  std::FILE* const out = ::popen((command + " 2>/dev/null").c_str(), "r");
  std::string all;
  std::array<char, 4096> part{};
  for (std::size_t n = 0; out && (n = std::fread(part.data(), 1, part.size(), out)) > 0;)
    all.append(part.data(), n);
  if (!out || ::pclose(out) != 0) return {};
  Texts lines;
  std::istringstream stream(all);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// A Python that has RDKit, that of Debian's package perhaps; or empty.
std::string python_with_rdkit() {
  for (const char* python : {"python3", "/usr/bin/python3"})
    if (!printed_by(std::string(python) + " -c 'import rdkit.Chem; print(1)'").empty())
      return python;
  return "";
}

}  // namespace

TEST_CASE("a table of SMILES with classes") {
  const TempFolder folder;
  TestContext context;
  const auto file = folder.write("a.csv", alcohols);
  const auto data =
      open_checked(*molecules(file, {{"label", text("kind")}, {"id", text("name")}}), context);
  CHECK(data->outline().layout == Layout::sparse(2048));
  CHECK(data->outline().classes == Texts{"alcohol", "ring"});
  CHECK(data->outline().train_rows == 4);
  CHECK(labels(*data) == Labels{0, 0, 1, 1});
  CHECK(data->name(2) == "benzene");
  // RDKit's environments of ethanol: three atoms at radius 0, three at radius 1, none new at 2.
  CHECK(row_text(*data, 0) == "80x1,222x1,294x1,807x1,1057x1,1410x1");
}

TEST_CASE("targets are numbers, by name or number, and several of them") {
  const TempFolder folder;
  TestContext context;
  const auto file = folder.write("a.csv.gz", alcohols);
  const auto data = open_checked(
      *molecules(file, {{"target", Texts{"boiling"}}, {"smiles", text("2")}}), context);
  CHECK(data->outline().targets == Texts{"boiling"});
  CHECK(std::vector<double>(data->targets().begin(), data->targets().end()) ==
        std::vector<double>{78.4, 97.2, 80.1, 110.6});
  const auto bare = folder.write("b.smi", "CCO 1 2\nCCC 3 4\n");
  const auto two = open_checked(*molecules(bare, {{"target", Texts{"2", "-1"}}}), context);
  CHECK(two->outline().targets == Texts{"target 1", "target 2"});
  CHECK(two->targets()[3] == 4);
}

TEST_CASE("without label and target molecules are for training") {
  const TempFolder folder;
  TestContext context;
  const auto data = open_checked(*molecules(folder.write("a.smi", "CCO\nCCN\n")), context);
  CHECK(data->outline().train_rows == 2);
  CHECK(data->outline().test_rows == 0);
}

TEST_CASE("SDF: properties are labels and targets, titles are names") {
  const TempFolder folder;
  TestContext context;
  const auto file = folder.write("a.sdf", two_records);
  const auto data = open_checked(*molecules(file, {{"target", Texts{"boiling"}}}), context);
  CHECK(data->outline().rows() == 2);
  CHECK(data->name(1) == "water");
  CHECK(data->targets()[0] == 64.7);
  const auto smiles = open_checked(
      *molecules(folder.write("a.smi", "CO 64.7\nO 100\n"), {{"target", Texts{"2"}}}), context);
  for (const std::size_t row : {0, 1}) CHECK(row_text(*data, row) == row_text(*smiles, row));
  const auto named =
      open_checked(*molecules(file, {{"label", text("kind")}, {"id", text("boiling")}}), context);
  CHECK(named->outline().classes == Texts{"alcohol", "other"});
  CHECK(named->name(0) == "64.7");
}

TEST_CASE("a molecule that RDKit refuses is an error with its line, or is dropped and counted") {
  const TempFolder folder;
  TestContext context;
  const std::string content = "CCO a\nCC( a\nC(C)(C)(C)(C)C b\nCCN b\n";
  const Parameters label = {{"label", text("2")}};
  CHECK(refused("a.smi", content, label)
            .find("line 2: the SMILES 'CC(' is not understood by RDKit; "
                  "correct or remove it, or set 'invalid: drop'") != std::string::npos);
  const auto file = folder.write("a.smi", content);
  const auto data =
      open_checked(*molecules(file, {{"label", text("2")}, {"invalid", text("drop")}}), context);
  CHECK(data->outline().rows() == 2);
  CHECK(labels(*data) == Labels{0, 1});
  CHECK(data->number(1) == 3);
  CHECK(data->outline().numbered_rows == 4);
  REQUIRE(context.lines.size() == 2);  // of the two times that it was opened
  CHECK(context.lines[0].ends_with(
      "dropped by 'invalid: drop': 2 of 4 molecules; the first: in line 2 the SMILES 'CC(' is not "
      "understood by RDKit"));
}

TEST_CASE("dropped molecules take their targets, names and classes along") {
  const TempFolder folder;
  TestContext context;
  const auto file = folder.write("a.csv", "smiles,y,c,id\nCCO,1,a,n1\nCC(,2,b,n2\nCCN,3,c,n3\n");
  const auto numbers = open_checked(
      *molecules(file, {{"target", Texts{"y"}}, {"id", text("id")}, {"invalid", text("drop")}}),
      context);
  CHECK(std::vector<double>(numbers->targets().begin(), numbers->targets().end()) ==
        std::vector<double>{1, 3});
  CHECK(numbers->name(1) == "n3");
  const auto classes =
      open_checked(*molecules(file, {{"label", text("c")}, {"invalid", text("drop")}}), context);
  CHECK(classes->outline().classes == Texts{"a", "c"});
}

TEST_CASE("molecules without a target are refused or dropped") {
  const std::string content = "smiles,y\nCCO,1\nCCN,NA\nCCC,2\n";
  CHECK(refused("a.csv", content, {{"target", Texts{"y"}}}).find("line 3: the target is ") !=
        std::string::npos);
  const TempFolder folder;
  TestContext context;
  const auto data =
      open_checked(*molecules(folder.write("a.csv", content),
                              {{"target", Texts{"y"}}, {"missing_labels", text("drop")}}),
                   context);
  CHECK(data->outline().rows() == 2);
  CHECK(data->number(1) == 2);
}

TEST_CASE("new molecules for a model need no label, and keep its columns") {
  const TempFolder folder;
  TestContext context;
  auto source = molecules(folder.write("a.csv", alcohols), {{"label", text("kind")}});
  NewData model;
  model.path = folder.write("new.csv", "smiles\nCCO\nCCCC\n");
  model.layout = Layout::sparse(2048);
  model.classes = {"alcohol", "ring"};
  source->apply_model(model);
  const auto data = open_checked(*source, context);
  CHECK(data->outline().test_rows == 2);
  CHECK(row_text(*data, 0) == "80x1,222x1,294x1,807x1,1057x1,1410x1");
  model.given = {"radius"};
  CHECK_THROWS_AS(source->apply_model(model), Error);
}

TEST_CASE("columns and properties name, weigh and group molecules") {
  const TempFolder folder;
  TestContext context;
  const Parameters facts = {
      {"id", text("kind")}, {"weight", text("boiling")}, {"groups", text("kind")}};
  const auto check = [&](const std::string& file, std::vector<double> weights) {
    const auto source = molecules(file, facts);
    CHECK(source->gives_groups());
    const auto data = open_checked(*source, context);
    CHECK(std::vector<double>(data->weights().begin(), data->weights().end()) == weights);
    CHECK(data->groups()[0] == 0);
    CHECK(data->groups().back() == 1);
    CHECK(data->name(0) == "alcohol");
  };
  check(folder.write("a.csv", alcohols), {78.4, 97.2, 80.1, 110.6});
  check(folder.write("a.sdf", two_records), {64.7, 100});
  // A molecule may be named by its notation.
  const auto named =
      open_checked(*molecules(folder.write("a.csv", alcohols), {{"id", text("smiles")}}), context);
  CHECK(named->name(1) == "CCCO");
  // Rows that are dropped take their groups along.
  const auto dropped =
      open_checked(*molecules(folder.write("b.csv", "smiles,who\nCCO,x\nno(,y\nCCC,z\n"),
                              {{"groups", text("who")}, {"invalid", text("drop")}}),
                   context);
  CHECK(Labels(dropped->groups().begin(), dropped->groups().end()) == Labels{0, 2});
  CHECK(refused("c.csv", "smiles,who\nCCO,x\nCCC,\n", {{"groups", text("who")}})
            .ends_with("line 3: the group is missing; fill it in, or remove the row"));
  CHECK(refused("c.csv", "smiles,w\nCCO,-2\n", {{"weight", text("w")}})
            .ends_with("line 2: the weight is '-2'; weights must be 0 or more"));
  CHECK(refused("c.csv", "smiles,w\nCCO,-2\n", {{"weight", text("smiles")}})
            .ends_with("'weight' names column 1, which 'smiles' names as well; give each its own"));
}

TEST_CASE("test_fraction of molecules takes whole groups, such as those of a scaffold") {
  const TempFolder folder;
  TestContext context;
  std::string table = "smiles,logS,scaffold\n";
  for (int i = 0; i < 24; ++i)
    table += std::string(1 + i % 4, 'C') + "O," + std::to_string(i) + ",s" + std::to_string(i / 3) +
             "\n";
  const auto data = open_checked(
      *molecules(folder.write("t.csv", table),
                 {{"target", Texts{"logS"}}, {"groups", text("scaffold")}, {"test_fraction", .25}}),
      context);
  const auto groups = data->groups();
  const std::size_t train = data->outline().train_rows;
  CHECK(train < 24);
  for (std::size_t i = train; i < 24; ++i)
    CHECK(std::ranges::find(groups.first(train), groups[i]) == groups.first(train).end());
}

TEST_CASE("lines of molecules for a model") {
  const TempFolder folder;
  TestContext context;
  const auto file = folder.write("a.csv", alcohols);
  const auto source = molecules(file, {{"label", text("kind")}});
  const FloatMatrix rows = all_rows(*source->open(context));
  const FloatMatrix expected = dense_of(std::as_const(rows).view());
  const NewData model;
  const auto lines = source->lines(model);
  CHECK_FALSE(lines->is_preamble("name,smiles"));
  CHECK(lines->is_header("name,smiles"));
  lines->read_header("name,smiles");
  std::vector<float> values(2048, 7);
  lines->read_row("x,c1ccccc1", values);
  CHECK(std::ranges::equal(values, expected.view().row_span(2)));
  CHECK_THROWS_WITH_AS(lines->read_row("x,CC(", values),
                       "the SMILES 'CC(' is not understood by RDKit; correct it", Error);
  CHECK_THROWS_WITH_AS(lines->read_row("CC", values),
                       "has 1 field, but the first line has 2; every row needs the same number",
                       Error);
  const auto bare = source->lines(model);
  CHECK_FALSE(bare->is_header("CCO ethanol"));
  bare->read_row("CCO ethanol", values);
  CHECK(std::ranges::equal(values, expected.view().row_span(0)));
  bare->read_row(std::string(1000, 'C') + " chain", values);
  CHECK_THROWS_WITH_AS(bare->read_row(std::string(1001, 'C') + " chain", values),
                       "the SMILES has 1001 characters, and only in a file may it have more than "
                       "1000; give it in a file",
                       Error);
  CHECK(molecules("a.sdf.gz")->lines(model) == nullptr);
}

TEST_CASE("wrong files and parameters") {
  const Parameters label = {{"label", text("kind")}}, target = {{"target", Texts{"y"}}};
  const auto said = [](const std::string& message, const std::string& wanted) {
    CAPTURE(message);
    CHECK(message.find(wanted) != std::string::npos);
  };
  said(refused("a.csv", "", label), "");
  said(refused("a.csv", "smiles,kind\n", label), "holds no molecules");
  said(refused("a.csv", "smiles,sort\nCCO,a\n", label),
       "line 1: no column 'kind' for 'label'; columns are: smiles, sort");
  said(refused("a.smi", "CCO a\n", label), "is read without a header; give the column's number");
  said(refused("a.smi", "CCO a\n", {{"label", text("3")}}), "no column 3 for 'label'");
  said(refused("a.csv", "smiles,kind\nCCO,a\nCCN\n", label), "line 3: has 1 field, but the first");
  said(refused("a.csv", "mol,kind\nCCO,a\n", label), "names no column 'smiles'");
  said(refused("a.csv", "smiles 1,smiles 2,kind\nCCO,CC,a\n", label), "several columns of SMILES");
  said(refused("a.csv", "smiles,kind\nCCO,a\n", {{"label", text("smiles")}}),
       "'label' names column 1, which 'smiles' names as well; give each its own");
  said(refused("a.csv", "smiles,y\nCCO,high\n", target),
       "line 2: the target is 'high', which is not a number");
  said(refused("a.csv", "smiles,kind\nCCO,\n", label), "line 2: the label ");
  said(refused("a.csv", "smiles,kind\n,a\n", label), "line 2: the SMILES '' has no atoms");
  said(refused("a.csv", "smiles,kind\nO(C)(C)C,a\n", label),
       "is refused by RDKit: Explicit valence");
  said(refused("a.csv", "smiles,kind\nc1cccc1,a\n", label), "is refused by RDKit: Can't kekulize");
  said(refused("a.csv", "smiles,kind\nCC\u00c9,a\n", label),
       "line 2: the SMILES 'CC\u00c9' has a character that is not ASCII; correct or remove it, or "
       "set "
       "'invalid: drop'");
  for (const char* const typo : {"C1CC", "CXz", "C(C", "CC)", "[C", "C==C"})
    said(refused("a.csv", std::string("smiles,kind\n") + typo + ",a\n", label),
         "is not understood by RDKit; correct or remove it, or set 'invalid: drop'");
  said(
      refused("a.csv", "smiles,kind\nXx,a\n", {{"label", text("kind")}, {"invalid", text("drop")}}),
      "no molecule is left");
  said(refused("a.sdf", "one\nline\n", label), "has no line 'M  END'");
  said(refused("a.sdf", "one\nline\n$$$$\n", label), "line 1: the record that begins here");
  said(refused("a.sdf", two_records, target),
       "no record has the property 'y' for 'target'; properties are: boiling, kind");
  said(refused("a.sdf", two_records, {{"label", text("kin")}}), "the property 'kin' for 'label'");
  said(refused("a.sdf", two_records, {{"label", text("kind")}, {"id", text("kin")}}),
       "the property 'kin' for 'id'");
  said(refused("a.csv", "smiles,y\nCCO,1\n", {{"target", Texts{"y"}}, {"id", text("nam")}}),
       "no column 'nam' for 'id'; columns are: smiles, y");
  said(refused("a.sdf", "x\n\n\n  1  0  0  0\nnonsense\nM  END\n$$$$\n", {}),
       "line 1: the molecule 'x' is ");
  const auto checked = [](const Parameters& more) -> std::string {
    try {
      molecules("a.smi", more)->check_parameters();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  said(checked({{"label", text("a")}, {"target", Texts{"b"}}}), "rows have one of the two");
  said(checked({{"fingerprint", text("maccs")}, {"values", text("counts")}}),
       "is for 'fingerprint: morgan'");
  said(checked({{"fingerprint", text("path")}, {"chirality", true}}),
       "is for 'fingerprint: morgan'");
}

TEST_CASE("RDKit writes nothing to the terminal") {
  RDLog::InitLogs();
  std::ostringstream said;
  auto* const before = std::cerr.rdbuf(said.rdbuf());
  CHECK(refused("a.smi", "CC(\n", {}) != "no error");
  CHECK(refused("a.smi", "O(C)(C)C\n", {}) != "no error");
  std::cerr.rdbuf(before);
  CHECK(said.str().empty());
}

TEST_CASE("the same bits on one thread and on two") {
  const TempFolder folder;
  std::string all = "smiles\n";
  for (int i = 0; i < 300; ++i)
    all += std::string(static_cast<std::size_t>(i % 17 + 1), 'C') + "c1ccc(N)cc1\n";
  const auto file = folder.write("a.csv", all);
  for (const char* kind : {"morgan", "maccs", "path"}) {
    TestContext one(1), two(2);
    const auto source = molecules(file, {{"fingerprint", text(kind)}});
    CHECK(all_rows(*source->open(one)).values == all_rows(*source->open(two)).values);
    CHECK(all_rows(*source->open(one)).columns == all_rows(*source->open(two)).columns);
  }
}

TEST_CASE("fingerprints have the bits of RDKit's Python") {
  const std::string python = python_with_rdkit();
  if (python.empty()) {
    MESSAGE("skipped: no RDKit for python3 (apt-get install python3-rdkit)");
    return;
  }
  const TempFolder folder;
  TestContext context;
  std::string content =
      "smiles\nCCO\nc1ccccc1O\nCC(=O)Oc1ccccc1C(=O)O\nCN1C=NC2=C1C(=O)N(C(=O)N2C)C\n"
      "C[C@H](N)C(=O)O\nC[C@@H](N)C(=O)O\nOC[C@H]1OC(O)[C@H](O)[C@@H](O)[C@@H]1O\n[Na+].[Cl-]\n"
      "F/C=C/F\nC1CC2CCC1CC2\nCCN(CC)CCNC(=O)c1ccc(N)cc1\n[2H]C([2H])([2H])O\nO=S(=O)(c1ccccc1)N\n";
  std::string file = folder.write("some.csv", content);
  const std::string esol = real_data();
  if (!esol.empty()) file = esol + "/molecules/ESOL.csv.xz";
  const struct {
    Parameters parameters;
    const char* call;
  } forms[] = {
      {{}, "M.GetMorganFingerprintAsBitVect(m, 2, 2048)"},
      {{{"radius", std::int64_t{3}}, {"bits", std::int64_t{1000}}, {"chirality", true}},
       "M.GetMorganFingerprintAsBitVect(m, 3, 1000, useChirality=True)"},
      {{{"values", text("counts")}}, "M.GetHashedMorganFingerprint(m, 2, 2048)"},
      {{{"values", text("counts")}, {"radius", std::int64_t{3}}, {"bits", std::int64_t{512}}},
       "M.GetHashedMorganFingerprint(m, 3, 512)"},
      {{{"fingerprint", text("maccs")}}, "M.GetMACCSKeysFingerprint(m)"},
      {{{"fingerprint", text("path")}}, "Chem.RDKFingerprint(m)"},
      {{{"fingerprint", text("path")}, {"bits", std::int64_t{1024}}},
       "Chem.RDKFingerprint(m, fpSize=1024)"}};
  for (const auto& form : forms) {
    CAPTURE(form.call);
    const Texts wanted = printed_by(
        python + " " +
        folder.write("program.py",
                     "import csv, lzma\nfrom rdkit import Chem\nfrom rdkit.Chem import "
                     "rdMolDescriptors as M\n"
                     "file = '" +
                         file +
                         "'\nopened = lzma.open if file.endswith('.xz') else open\n"
                         "for row in csv.DictReader(opened(file, 'rt')):\n"
                         "    m = Chem.MolFromSmiles(row['smiles'])\n    f = " +
                         form.call +
                         "\n"
                         "    on = (f.GetNonzeroElements() if hasattr(f, 'GetNonzeroElements')\n"
                         "          else dict.fromkeys(f.GetOnBits(), 1))\n"
                         "    print(','.join('%dx%d' % pair for pair in sorted(on.items())))\n"));
    Parameters parameters = form.parameters;
    parameters.emplace_back("smiles", text("smiles"));
    const auto data = molecules(file, parameters)->open(context);
    REQUIRE(wanted.size() == data->outline().rows());
    const FloatMatrix rows = all_rows(*data);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      std::ostringstream line;
      const auto view = std::as_const(rows).view();
      for (std::size_t k = 0; k < view.size(i); ++k)
        line << (k > 0 ? "," : "") << view.columns_of(i)[k] << 'x' << view.row(i)[k];
      REQUIRE(line.str() == wanted[i]);
    }
  }
}

/// The atoms and bonds of a row: "C O | 0-1 single".
std::string graph_text(const GraphView& graph, const GraphShape& shape) {
  std::string line;
  for (std::size_t v = 0; v < graph.nodes(); ++v)
    line += shape.node_labels.at(graph.node_label(v)) + " ";
  line += "|";
  for (std::size_t e = 0; e < graph.edges(); ++e) {
    const GraphEdge edge = graph.edge(e);
    line += " " + std::to_string(edge.from) + "-" + std::to_string(edge.to) + " " +
            shape.edge_labels.at(edge.label);
  }
  return line;
}

std::string graph_text(const Dataset& data, std::size_t row) {
  const FloatMatrix rows = all_rows(data);
  const GraphShape& shape = data.outline().layout.shape;
  return graph_text(GraphView(std::as_const(rows).view().row_span(row), shape), shape);
}

TEST_CASE("molecules as graphs: elements with charges, and kinds of bonds") {
  const TempFolder folder;
  TestContext context;
  const auto file = folder.write("a.csv",
                                 "smiles,kind\nCC=O,a\n[NH4+],a\nCC(,b\nc1ccccc1[O-],b\n"
                                 "[Ca+2],b\n[2H]O,b\n");
  const auto data = open_checked(
      *molecules(file, {{"label", text("kind")}, {"as", text("graph")}, {"invalid", text("drop")}}),
      context);
  const Layout& layout = data->outline().layout;
  CHECK(layout.kind == LayoutKind::graph);
  CHECK(layout.shape.node_labels == Texts{"C", "Ca+2", "H", "N+", "O", "O-"});
  CHECK(layout.shape.edge_labels == Texts{"aromatic", "double", "single"});
  CHECK(graph_text(*data, 0) == "C C O | 0-1 single 1-2 double");
  CHECK(graph_text(*data, 1) == "N+ |");
  CHECK(graph_text(*data, 2) ==
        "C C C C C C O- | 0-1 aromatic 1-2 aromatic 2-3 aromatic 3-4 aromatic 4-5 aromatic 5-6 "
        "single 5-0 aromatic");
  CHECK(graph_text(*data, 3) == "Ca+2 |");
  CHECK(graph_text(*data, 4) == "H O | 0-1 single");
  CHECK(labels(*data) == Labels{0, 0, 1, 1, 1});

  auto source = molecules(file, {{"label", text("kind")}, {"as", text("graph")}});
  NewData model;
  model.path = folder.write("new.csv", "smiles\nC#N\nOC\n");
  model.layout = layout;
  model.classes = {"a", "b"};
  source->apply_model(model);
  const auto fresh = open_checked(*source, context);
  CHECK(fresh->outline().layout == layout);
  const FloatMatrix rows = all_rows(*fresh);
  // Nitrogen and a triple bond are new: numbers after those of the model.
  CHECK(rows.values == std::vector<float>{2, 1, 0, 6, 0, 1, 3, 2, 1, 4, 0, 0, 1, 2});
  model.given = {"as"};
  CHECK_THROWS_AS(source->apply_model(model), Error);
  CHECK(source->lines(model) == nullptr);
}

TEST_CASE("molecules as graphs that lack a label, and with wrong parameters") {
  const TempFolder folder;
  TestContext context;
  const auto data = open_checked(
      *molecules(folder.write("a.csv", "smiles,y\nCCO,1\nCCN,NA\nC,2\n"),
                 {{"target", Texts{"y"}}, {"missing_labels", text("drop")}, {"as", text("graph")}}),
      context);
  CHECK(data->outline().rows() == 2);
  CHECK(data->outline().layout.shape.node_labels == Texts{"C", "O"});
  CHECK(graph_text(*data, 1) == "C |");
  CHECK_THROWS_WITH_AS(
      molecules("a.smi", {{"as", text("graph")}, {"values", text("counts")}})->check_parameters(),
      "'fingerprint', 'values' and 'chirality' are for 'as: fingerprint', but it is graph; omit "
      "them",
      Error);
}

TEST_CASE("molecules as graphs have the atoms and bonds of RDKit's Python") {
  const std::string python = python_with_rdkit();
  if (python.empty()) {
    MESSAGE("skipped: no RDKit for python3 (apt-get install python3-rdkit)");
    return;
  }
  const TempFolder folder;
  TestContext context;
  std::string file =
      folder.write("some.csv",
                   "smiles\nCCO\nc1ccccc1O\nC[N+](C)(C)CC(=O)[O-]\n[Na+].[Cl-]\nF/C=C/F\nC#N\n"
                   "[2H]C([2H])O\nO=S(=O)(c1ccccc1)N\n[Fe+2]\n[NH3]->[Fe]\n");
  if (const std::string real = real_data(); !real.empty())
    file = real + "/molecules/Lipophilicity.csv.xz";
  const Texts wanted = printed_by(
      python + " " +
      folder.write("program.py",
                   "import csv, lzma\nfrom rdkit import Chem\nfile = '" + file +
                       "'\nopened = lzma.open if file.endswith('.xz') else open\n"
                       "def label(a):\n"
                       "    q = a.GetFormalCharge()\n"
                       "    return a.GetSymbol() + ('' if q == 0 else '+' if q > 0 else '-') + (\n"
                       "        str(abs(q)) if abs(q) > 1 else '')\n"
                       "for row in csv.DictReader(opened(file, 'rt')):\n"
                       "    m = Chem.MolFromSmiles(row['smiles'])\n"
                       "    print(' '.join([label(a) for a in m.GetAtoms()] + ['|'] + [\n"
                       "        '%d-%d %s' % (b.GetBeginAtomIdx(), b.GetEndAtomIdx(),\n"
                       "                      str(b.GetBondType()).lower())\n"
                       "        for b in m.GetBonds()]))\n"));
  const auto data =
      open_checked(*molecules(file, {{"smiles", text("smiles")}, {"as", text("graph")}}), context);
  REQUIRE(wanted.size() == data->outline().rows());
  const FloatMatrix rows = all_rows(*data);
  const GraphShape& shape = data->outline().layout.shape;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    REQUIRE(graph_text(GraphView(std::as_const(rows).view().row_span(i), shape), shape) ==
            wanted[i]);
}

TEST_CASE("molecules of SDF files have the bits of RDKit's Python") {
  const std::string python = python_with_rdkit();
  if (python.empty()) {
    MESSAGE("skipped: no RDKit for python3 (apt-get install python3-rdkit)");
    return;
  }
  const TempFolder folder;
  TestContext context;
  const std::string file = folder.path() + "/written.sdf";
  // With hydrogens, charges, isotopes, wedged bonds, and a property that a line ends.
  const Texts wanted = printed_by(
      python + " " +
      folder.write(
          "program.py",
          "from rdkit import Chem\nfrom rdkit.Chem import AllChem\n"
          "from rdkit.Chem import rdMolDescriptors as M\n"
          "file = '" +
              file +
              "'\nout = Chem.SDWriter(file)\n"
              "for n, s in enumerate(['C[C@H](N)C(=O)O', '[O-][N+](=O)c1ccccc1', 'F/C=C/F',\n"
              "                       '[2H]C([2H])O', 'C[C@@H](O)[C@H](C)Cl', "
              "'c1ccc2[nH]ccc2c1']):\n"
              "    m = Chem.AddHs(Chem.MolFromSmiles(s))\n"
              "    AllChem.Compute2DCoords(m)\n    m.SetProp('_Name', s)\n"
              "    m.SetProp('y', str(n))\n    m.SetProp('note', 'two\\nlines')\n"
              "    if n == 3: out.SetForceV3000(True)\n"
              "    out.write(m)\nout.close()\n"
              "for m in Chem.SDMolSupplier(file):\n"
              "    f = M.GetMorganFingerprintAsBitVect(m, 3, 2048, useChirality=True)\n"
              "    print(','.join('%dx1' % bit for bit in f.GetOnBits()))\n"));
  REQUIRE(wanted.size() == 6);
  const auto data = open_checked(
      *molecules(file, {{"target", Texts{"y"}}, {"radius", std::int64_t{3}}, {"chirality", true}}),
      context);
  REQUIRE(data->outline().rows() == 6);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(row_text(*data, i) == wanted[i]);
    CHECK(data->targets()[i] == double(i));
  }
  CHECK(data->name(1) == "[O-][N+](=O)c1ccccc1");
}

/// A record of methanol with these properties.
std::string record(const std::string& properties) {
  const std::string first = two_records;
  return first.substr(0, first.find("> <kind>")) + properties + "$$$$\n";
}

TEST_CASE("properties of SDF: values and headers with angle brackets, empty lines at the end") {
  const TempFolder folder;
  TestContext context;
  const std::string content =
      record("> <IC50>\n>30\n\n> <note>\nany\n\n") + record(">  <IC50>  (from >3 assays)\n<5\n\n") +
      record("> 7 <IC50> (id 3)\n> <30>\n\n") + record("><IC50>\n\n\n> <note>\n>\n\n") +
      record("> DT12\n9\n\n> <IC50>\nlast\n\n") + " \n\n\n\n\n\t\n";
  const auto data =
      open_checked(*molecules(folder.write("a.sdf", content), {{"id", text("IC50")}}), context);
  Texts names;
  for (std::size_t row = 0; row < data->outline().rows(); ++row) names.push_back(data->name(row));
  CHECK(names == Texts{">30", "<5", "> <30>", "", "last"});
  const auto classes = open_checked(
      *molecules(folder.write("b.sdf", record("> <k>\r\n>9\r\n\r\n") + record("> <k>\n<9\n\n")),
                 {{"label", text("k")}}),
      context);
  CHECK(classes->outline().classes == Texts{"<9", ">9"});
}

TEST_CASE("a value that continues after an empty line is refused where it is used") {
  const std::string content = record("> <note>\none\n\ntwo\n\n> <y>\n1\n\n");
  CHECK(refused("a.sdf", content, {{"target", Texts{"y"}}}) == "no error");
  CHECK(refused("a.sdf", content, {{"label", text("note")}})
            .find("this line is behind the empty one that ends the value of 'note'; remove one of "
                  "the two") != std::string::npos);
}

TEST_CASE("properties of SDF are those of RDKit's Python") {
  const std::string python = python_with_rdkit();
  if (python.empty()) {
    MESSAGE("skipped: no RDKit for python3 (apt-get install python3-rdkit)");
    return;
  }
  const TempFolder folder;
  TestContext context;
  const Texts properties = {"> <p>\n>30\n\n",
                            ">  <p> (a>b)\n<3\n\n",
                            "> <p> <uM> (2)\n3 mg\n\n",
                            "> 25 <p> (MD-08974)\n179.0 (line 2)\n\n",
                            "> (MD-08974) <p> DT12\n5 g\n\n",
                            "><p>\n> <q>\n\n",
                            "> <q>\nx\n\n> <p>\n>= 1e-3\n\n",
                            "> <p>\nfirst\n\n> <p>\nsecond\n\n"};
  std::string content;
  for (const std::string& each : properties) content += record(each);
  const std::string file = folder.write("a.sdf", content + "\n\n \n\n");
  const Texts wanted = printed_by(
      python + " " +
      folder.write("program.py", "from rdkit import Chem\nfor m in Chem.SDMolSupplier('" + file +
                                     "'):\n    print(m.GetProp('p'))\n"));
  const auto data = open_checked(*molecules(file, {{"id", text("p")}}), context);
  REQUIRE(wanted.size() == properties.size());
  REQUIRE(data->outline().rows() == properties.size());
  for (std::size_t row = 0; row < wanted.size(); ++row) CHECK(data->name(row) == wanted[row]);
}

TEST_CASE("lines of .smi files: SMILES, extension, name; comments") {
  const TempFolder folder;
  TestContext context;
  const std::string content =
      "# from a catalogue, 2 columns\nClCCCl 1,2-dichloroethane\n\n"
      "CC(Cl)C(Cl)C\t2,3-dichlorobutane, technical\n  # a comment\nOc1ccccc1 phenol; \"carbolic\" "
      "acid\nCCO\nCC |$R1;,$,c:0| with, an extension\n";
  const auto data =
      open_checked(*molecules(folder.write("a.smi", content), {{"id", text("2")}}), context);
  Texts names;
  for (std::size_t row = 0; row < data->outline().rows(); ++row) names.push_back(data->name(row));
  CHECK(names == Texts{"1,2-dichloroethane", "2,3-dichlorobutane, technical",
                       "phenol; \"carbolic\" acid", "", "with, an extension"});
  const auto plain = open_checked(
      *molecules(folder.write("b.smi", "ClCCCl\nCC(Cl)C(Cl)C\nOc1ccccc1\nCCO\nCC\n")), context);
  for (std::size_t row = 0; row < 5; ++row) CHECK(row_text(*data, row) == row_text(*plain, row));
  const auto classes =
      open_checked(*molecules(folder.write("c.SMI.gz", "CCO light alcohol\nCCCCO heavy alcohol\n"),
                              {{"label", text("2")}}),
                   context);
  CHECK(classes->outline().classes == Texts{"heavy alcohol", "light alcohol"});
}

TEST_CASE(".smi files with columns: by tabs, by a header, by their numbers") {
  const TempFolder folder;
  TestContext context;
  const auto targets = [&](const std::string& content, const Parameters& more) {
    const auto data = open_checked(*molecules(folder.write("a.smi", content), more), context);
    return std::vector<double>(data->targets().begin(), data->targets().end());
  };
  const std::vector<double> both = {1.5, 2};
  CHECK(targets("CCO\tethyl, alcohol\t1.5\nCC\tethane\t2\n", {{"target", Texts{"3"}}}) == both);
  CHECK(targets("smiles name y\nCCO ethanol 1.5\nCC ethane 2\n", {{"target", Texts{"y"}}}) == both);
  CHECK(targets("SMILES\tthe name\ty\nCCO\ta b\t1.5\nCC\tc\t2\n", {{"target", Texts{"y"}}}) ==
        both);
  CHECK(targets("CCO 1,2-x 1.5\nCC y 2\n", {{"target", Texts{"-1"}}}) == both);
  CHECK(targets("CCO,x,1.5\nCC,y,2\n", {{"target", Texts{"3"}}}) == both);
  CHECK(targets("smiles y\nCCO 1.5\nCC 2\n", {{"target", Texts{"y"}}}) == both);
  CHECK(refused("a.smi", "CCO ethyl alcohol 1.5\nCC ethane 2\n", {{"target", Texts{"-1"}}})
            .find("line 2: has 3 fields, but the first line has 4") != std::string::npos);
}

TEST_CASE("lines for a model of a .smi file") {
  const auto source = molecules("trained.smi", {{"label", text("2")}});
  const auto lines = source->lines(NewData());
  CHECK_FALSE(lines->is_header("ClCCCl 1,2-dichloroethane"));
  std::vector<float> values(2048), plain(2048);
  lines->read_row("ClCCCl 1,2-dichloroethane, technical", values);
  const auto table = molecules("trained.csv")->lines(NewData());
  table->read_row("ClCCCl", plain);
  CHECK(values == plain);
  const auto headed = source->lines(NewData());
  CHECK(headed->is_header("smiles name"));
}

}  // namespace molecules_test

// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "program.hpp"
#include "semblance/random.hpp"

namespace suggest_test {

using namespace semblance::testing;
namespace fs = std::filesystem;

namespace {

/// Four clouds, with opposite ones in one class: not linearly separable.
std::string crossed_clouds(int rows, bool noise = false) {
  semblance::Random random(7);
  std::ostringstream text;
  text << "x,y,kind\n";
  for (int i = 0; i < rows; ++i) {
    const double x = i % 2 ? 1 : -1, y = i / 2 % 2 ? 1 : -1;
    const bool same = noise ? random.below(2) == 0 : x * y > 0;
    text << x + 0.3 * random.normal() << "," << y + 0.3 * random.normal() << ","
         << (same ? "same" : "other") << "\n";
  }
  return text.str();
}

/// Two kinds of stripes, one sub-folder each.
void write_pictures(const Workplace& work) {
  semblance::Random random(3);
  for (const std::string kind : {"along", "across"}) {
    fs::create_directories(work.path / "photos" / kind);
    for (int n = 0; n < 12; ++n) {
      std::string picture = "P5 16 16 255\n";
      for (int i = 0; i < 256; ++i) {
        const int at = kind == "along" ? i % 16 : i / 16;
        picture += static_cast<char>(60 + 100 * (at / 4 % 2) + static_cast<int>(random.below(60)));
      }
      work.file("photos/" + kind + "/" + std::to_string(n) + ".pgm", picture);
    }
  }
}

std::string array_file(const std::string& kind, const std::string& shape, const std::string& data) {
  std::string header =
      "{'descr': '" + kind + "', 'fortran_order': False, 'shape': " + shape + ", }";
  header.append(64 - (header.size() + 11) % 64, ' ');
  header += '\n';
  std::string text = "\x93NUMPY\x01";
  text += '\0';
  text += static_cast<char>(header.size() & 0xff);
  text += static_cast<char>(header.size() >> 8);
  return text + header + data;
}

/// The table's rows in the other forms that it may have.
void write_other_forms(const Workplace& work, int rows) {
  std::istringstream table(crossed_clouds(rows));
  std::string line, sparse, values, labels;
  std::string arff =
      "% two clouds\n@Relation clouds\n@attribute x real\n@attribute y real\n"
      "@attribute kind {other,same}\n@data\n";
  std::getline(table, line);
  while (std::getline(table, line)) {
    const std::size_t first = line.find(','), second = line.find(',', first + 1);
    const float row[] = {std::stof(line), std::stof(line.substr(first + 1))};
    const std::uint8_t label = line.substr(second + 1) == "same";
    sparse += (label ? "+1" : "-1") + (" 1:" + line.substr(0, first)) +
              " 2:" + line.substr(first + 1, second - first - 1) + "\n";
    arff += line.substr(0, second + 1) + (label ? "same\n" : "other\n");
    values.append(reinterpret_cast<const char*>(row), sizeof row);
    labels += static_cast<char>(label);
  }
  const std::string count = std::to_string(rows);
  work.file("rows.libsvm", sparse);
  work.file("rows.arff", arff);
  work.file("rows.npy", array_file("<f4", "(" + count + ", 2)", values));
  work.file("labels.npy", array_file("|u1", "(" + count + ",)", labels));
}

/// Noisy waves of two frequencies, as .ts.
std::string waves(int count) {
  semblance::Random random(11);
  std::ostringstream text;
  text << "# two frequencies\n@problemName waves\n@univariate true\n@equalLength true\n"
          "@classLabel true slow fast\n@data\n";
  for (int i = 0; i < count; ++i) {
    const double shift = random.uniform(0, 6), speed = i % 2 ? 0.2 : 0.5;
    for (int t = 0; t < 40; ++t)
      text << (t ? "," : "") << std::sin(shift + speed * t) + 0.2 * random.normal();
    text << (i % 2 ? ":slow\n" : ":fast\n");
  }
  return text.str();
}

/// The same as the archive's .tsv: the class, then the values.
std::string as_table(const std::string& ts) {
  std::istringstream lines(ts.substr(ts.find("@data\n") + 6));
  std::string table;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    std::string values = line.substr(0, colon);
    std::ranges::replace(values, ',', '\t');
    table += (line.substr(colon + 1) == "slow" ? "1\t" : "2\t") + values + "\n";
  }
  return table;
}

/// Strings of random letters, of which one kind has a word.
std::string words(int count, bool fasta) {
  semblance::Random random(4);
  std::string text;
  for (int i = 0; i < count; ++i) {
    const std::string label = i % 2 ? "with" : "without";
    std::string letters;
    for (int j = 0; j < 20; ++j) letters += static_cast<char>('a' + random.below(4));
    if (i % 2) letters.replace(random.below(16), 4, "dada");
    text += fasta ? ">" + label + "\n" + letters + "\n" : label + "\t" + letters + "\n";
  }
  return text;
}

/// Sentences of random words, of which one kind has a verb.
std::string sentences(int count) {
  semblance::Random random(6);
  const std::string known[] = {"the", "cat", "dog", "mat", "under", "over", "small", "large"};
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += i % 2 ? "moves\truns" : "rests\tsleeps";
    for (int j = 0; j < 8; ++j) text += " " + known[random.below(8)];
    text += "\n";
  }
  return text;
}

nlohmann::json suggestion(const Workplace& work, const std::string& out) {
  return nlohmann::json::parse(work.content(out + "/suggestion.json"));
}

nlohmann::json method(const nlohmann::json& found, const std::string& name) {
  for (const auto& one : found.at("methods"))
    if (one.at("name") == name) return one;
  return nullptr;
}

}  // namespace

TEST_CASE("suggest knows data by what they hold") {
  const Workplace work;
  write_other_forms(work, 80);
  write_pictures(work);
  struct Case {
    std::string arguments, method;
  };
  const Case cases[] = {{"rows.libsvm", "gaussian_kernel"},
                        {"rows.arff", "gaussian_kernel"},
                        {"rows.npy --label labels.npy", "gaussian_kernel"},
                        {"photos", "be_svm_deformable"}};
  for (std::size_t n = 0; const Case& c : cases) {
    if (!of_the_day(n++, 3)) continue;
    const auto outcome = work("suggest " + c.arguments + " --splits 2 --out s");
    INFO(c.arguments << "\n" << outcome.output);
    REQUIRE(outcome.exit == 0);
    const auto found = method(suggestion(work, "s"), c.method);
    REQUIRE(!found.is_null());
    CHECK(found.at("error_rate") < 0.1);
    fs::remove_all(work.path / "s");
  }
}

TEST_CASE("suggest knows series, sets, strings and documents") {
  const Workplace work;
  work.file("waves.ts", waves(60));
  work.file("waves.tsv", as_table(waves(60)));
  fs::create_directories(work.path / "Waves");
  work.file("Waves/Waves_TRAIN.tsv", as_table(waves(60)));
  work.file("Waves/Waves_TEST.tsv", "not even read\n");
  work.file("words.fasta", words(160, true));
  work.file("words.tsv", words(160, false));
  work.file("sentences.tsv", sentences(60));
  std::string values, labels;
  semblance::Random random(8);
  for (int i = 0; i < 48; ++i) {
    for (int t = 0; t < 24; ++t) {
      const float x = static_cast<float>((i % 2 ? t : -t) + random.normal());
      values.append(reinterpret_cast<const char*>(&x), sizeof x);
    }
    labels += static_cast<char>(i % 2);
  }
  work.file("steps.npy", array_file("<f4", "(48, 12, 2)", values));
  work.file("labels.npy", array_file("|u1", "(48,)", labels));
  struct Case {
    std::string arguments;
    std::size_t methods;
    std::string method;
  };
  const Case cases[] = {{"waves.ts", 6, "multirocket"},
                        {"waves.tsv --as series", 6, "rdst"},
                        {"Waves", 6, "hydra"},
                        {"Waves/Waves_TRAIN.tsv", 6, "multirocket"},
                        {"steps.npy --as series --label labels.npy", 6, "be_svm_msm"},
                        {"steps.npy --as sets --label labels.npy", 4, "be_svm_transport"},
                        {"words.fasta", 5, "be_svm_alignment"},
                        {"words.tsv", 5, "be_svm_alignment"},
                        {"sentences.tsv", 3, "tfidf"},
                        {"sentences.tsv --as strings", 5, "spectrum"}};
  for (std::size_t n = 0; const Case& c : cases) {
    if (!of_the_day(n++, 5)) continue;
    const auto outcome = work("suggest " + c.arguments + " --splits 2 --out s");
    INFO(c.arguments << "\n" << outcome.output);
    REQUIRE(outcome.exit == 0);
    CHECK(suggestion(work, "s").at("methods").size() == c.methods);
    if (c.arguments.starts_with("Waves"))
      CHECK(outcome.output.find(": 60 rows in 2 classes, each a sequence of up to 40 steps of 1 "
                                "channel; 2 splits") != std::string::npos);
    const auto found = method(suggestion(work, "s"), c.method);
    REQUIRE(!found.is_null());
    CHECK(found.at("error_rate") < 0.2);
    fs::remove_all(work.path / "s");
  }
  // Missing values are filled in, and counted.
  std::string gaps = waves(60);
  gaps.replace(gaps.find("@data\n") + 6,
               gaps.find(',', gaps.find("@data")) - gaps.find("@data") - 6, "?");
  const std::string file = work.file("gaps.ts", gaps);
  const auto filled = work("suggest gaps.ts --splits 2 --out s");
  CHECK(filled.exit == 0);
  CHECK(filled.output.find(file + ": missing values interpolated: 1, in 1 series\n") !=
        std::string::npos);
  fs::remove_all(work.path / "s");
  // Methods that need longer series say so, and the others are compared.
  work.file("short.tsv",
            "1\t1\t2\n1\t1\t3\n1\t0\t2\n1\t2\t3\n2\t5\t4\n2\t6\t5\n2\t7\t5\n2\t7\t6\n");
  work.expect("suggest short.tsv --as series --splits 2 --out s", 1,
              "multirocket needs series of at least 10 steps");
  CHECK(suggestion(work, "s").at("methods").size() == 3);
  fs::remove_all(work.path / "s");
  work.expect("suggest waves.ts --as cats --out s", 2,
              "--as is table, series, sets, strings, documents or molecules, got 'cats'");
  work.expect("suggest waves.ts --target 1 --out s", 2,
              "as series, is only compared by classes; omit --target");
}

TEST_CASE("suggest knows graphs and molecules") {
  const Workplace work;
  std::string graphs, indicator, edges, labels, nodes, attributes, smiles = "smiles,kind,y\n";
  int node = 0;
  for (int i = 0; i < 48; ++i) {
    const int size = 5 + i % 7;
    std::string atoms, bonds;
    for (int v = 0; v < size; ++v) {
      atoms += std::string(v > 0 ? "," : "") + "\"C\"";
      indicator += std::to_string(i + 1) + "\n";
      nodes += "0\n";
      attributes += std::to_string(v % 3 + 10 * (i / 2 % 2)) + "\n";
      if (v == 0 && i % 2 == 0) continue;
      const int other = v == 0 ? size - 1 : v - 1;
      bonds += std::string(bonds.empty() ? "" : ",") + "[" + std::to_string(other) + "," +
               std::to_string(v) + "]";
      const std::string a = std::to_string(node + v + 1), b = std::to_string(node + other + 1);
      edges += a + ", " + b + "\n" + b + ", " + a + "\n";
    }
    node += size;
    const std::string kind = i % 2 == 0 ? "chain" : "ring";
    graphs +=
        R"({"nodes": [)" + atoms + R"(], "edges": [)" + bonds + R"(], "label": ")" + kind + "\"}\n";
    labels += std::to_string(i % 2) + "\n";
    smiles += (i % 2 == 0 ? std::string(static_cast<std::size_t>(size), 'C')
                          : "C1" + std::string(static_cast<std::size_t>(size - 2), 'C') + "C1") +
              "," + kind + "," + std::to_string(size + i % 2) + "\n";
  }
  work.file("lines.jsonl", graphs);
  work.file("mol.csv", smiles);
  fs::create_directories(work.path / "TU");
  work.file("TU/TU_A.txt", edges);
  work.file("TU/TU_graph_indicator.txt", indicator);
  work.file("TU/TU_graph_labels.txt", labels);
  work.file("TU/TU_node_labels.txt", nodes);
  for (const char* data : {"lines.jsonl", "TU"}) {
    const auto outcome = work(std::string("suggest ") + data + " --splits 2 --out s");
    INFO(outcome.output);
    REQUIRE(outcome.exit == 0);
    CHECK(suggestion(work, "s").at("methods").size() == 4);
    CHECK(method(suggestion(work, "s"), "wl_subtree").at("error_rate") < 0.1);
    CHECK(method(suggestion(work, "s"), "wl_assignment").at("error_rate") < 0.1);
    fs::remove_all(work.path / "s");
  }
  // Attributes alone tell these classes apart.
  std::string other_labels;
  for (int i = 0; i < 48; ++i) other_labels += std::to_string(i / 2 % 2) + "\n";
  work.file("TU/TU_graph_labels.txt", other_labels);
  work.file("TU/TU_node_attributes.txt", attributes);
  work.succeed("suggest TU --splits 2 --out s");
  CHECK(suggestion(work, "s").at("methods").size() == 3);
  CHECK(method(suggestion(work, "s"), "wl_bins").at("error_rate") < 0.1);
  CHECK(method(suggestion(work, "s"), "wl_subtree").at("error_rate") > 0.2);
  work.expect("suggest mol.csv --out s", 2,
              "as molecules, has no classes of its own; give --label COLUMN, with classes, or "
              "--target COLUMN, with numbers");
  if (work("list source").output.find("source/molecules") == std::string::npos) {
    MESSAGE("skipped: no plugin of molecules (apt-get install librdkit-dev)");
    return;
  }
  work.succeed("suggest mol.csv --label kind --splits 2 --out s");
  CHECK(suggestion(work, "s").at("methods").size() == 3);
  CHECK(method(suggestion(work, "s"), "tanimoto").at("error_rate") < 0.1);
  work.succeed("suggest mol.csv --target y --splits 2 --out t");
  CHECK(suggestion(work, "t").at("methods").size() == 2);
}

TEST_CASE("real data: the recipe for tables is not far behind a plain Gaussian machine") {
  if (!std::getenv("SEMBLANCE_DATA")) {
    MESSAGE("skipped: $SEMBLANCE_DATA is not set");
    return;
  }
  const Workplace work;
  std::ifstream file(SEMBLANCE_PIPELINES "/ten_tables.yaml");
  std::string study{std::istreambuf_iterator<char>(file), {}};
  const std::string repeats = "  repeats: {seeds: 3}";
  const std::size_t place = study.find(repeats);
  REQUIRE(place != std::string::npos);
  study.replace(place, repeats.size(),
                "  exclude: [{data: [banana, ringnorm, spambase]}, {machine: BE-SVM}]");
  work.file("tables.yaml", study);
  work.succeed("ablate tables.yaml --out t");
  const auto result = nlohmann::json::parse(work.content("t/study.json"));
  std::map<std::string, std::map<std::string, double>> errors;
  for (const auto& one : result.at("methods"))
    for (std::size_t b = 0; b < result.at("blocks").size(); ++b)
      if (one["measurements"][b]["value"].is_number())
        errors[result["blocks"][b]][one["choices"][0]] = one["measurements"][b]["value"];
  REQUIRE(errors.size() == 7);
  for (const auto& [data, by_machine] : errors) {
    CAPTURE(data);
    CHECK(by_machine.at("recipe") <= 1.5 * by_machine.at("plain"));
  }
}

}  // namespace suggest_test

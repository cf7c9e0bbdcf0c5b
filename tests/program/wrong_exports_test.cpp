// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "export_testing.hpp"
#include "pipelines.hpp"

namespace wrong_exports_test {

using namespace semblance::testing;
namespace fs = std::filesystem;

TEST_CASE("wrong exports are refused, each with its reason") {
  const Workplace work;
  work.file("p.yaml", machine_on("source/banana", "  svm: {is: solver/linear_svm, from: t}\n"));
  work.succeed("run p.yaml --out out --quiet");
  work.file("two.yaml", machine_on("source/banana",
                                   "  svm: {is: solver/linear_svm, from: t}\n  "
                                   "b: {is: solver/linear_svm, C: 2, from: t}\n"
                                   "  f: {is: evaluator/classification, from: b}\n"));
  work.succeed("run two.yaml --out two --quiet");
  work.file("there.c", "int x;\n");
  fs::create_directory(work.path / "folder");
  struct Case {
    const char* arguments;
    int exit;
    const char* message;
  };
  const Case cases[] = {
      {"", 2, "an argument is missing; usage: semblance export MODEL --to FORMAT"},
      {"out/model", 2, "say what to write with --to, one of c, onnx"},
      {"out/model --to java", 2, "--to must be one of c, onnx"},
      {"out/model --to C", 2, "got 'C'"},
      {"out/model more --to c", 2, "too many arguments"},
      {"out/model --to c --nonsense", 2, "nonsense"},
      {"nowhere --to c", 1, "no such folder"},
      {"out --to c", 1, "it has no model.json"},
      {"p.yaml --to c", 1, "no such folder"},
      {"out/model --to c --out there.c", 2, "'there.c' exists; name another file with --out"},
      {"out/model --to c --out folder", 2, "'folder' is a folder; name a file with --out"},
      {"out/model --to c --out none/m.c", 2, "there is no folder 'none'"},
      {"out/model --to c --node smv", 1, "did you mean 'svm'"},
      {"out/model --to c --node t", 1, "leaves nothing to export"},
      {"out/model --to c --node e", 1,
       "gives a row neither class scores nor estimates nor intervals nor a novelty score"},
      {"out/model --to c --from svm", 1, "--from svm leaves nothing to export"},
      {"out/model --to c --from e", 1, "takes nothing from 'e'"},
      {"out/model --to c --from nowhere", 1, "the model has no node 'nowhere'"},
      {"two/model --to c", 1, "say which one, as in --node"},
      {"two/model --to c --node svm --from b", 1, "'svm' takes nothing from 'b'"},
      {"out/model --to c --tolerance 0", 2, "--tolerance must be between 0 and 1, got 0"},
      {"out/model --to c --tolerance 2", 2, "--tolerance must be between 0 and 1, got 2"},
      {"out/model --to c --tolerance little", 2, "tolerance"},
      {"out/model --to c --name 3d", 1, "'3d' cannot begin the name of a C function"},
      {"out/model --to c --name a-b", 1, "'a-b' cannot begin the name of a C function"},
      {"out/model --to c --name _x", 1, "cannot begin the name"},
      {"out/model --to c --rows p.yaml --unproved", 2, "remove one"},
      {"out/model --to c --rows nowhere.csv", 2, "it reads no file, so it cannot read"},
      {"out/model --to c --threads 0", 2, "--threads must be between 1 and 4096"},
      {"out/model --to c --set nodes.svm.C=7", 1, "only sources can be changed"},
  };
  for (const Case& c : cases) work.expect(std::string("export ") + c.arguments, c.exit, c.message);
  CHECK(work.content("there.c") == "int x;\n");
  CHECK_FALSE(fs::exists(work.path / "svm.c"));
  work.succeed("export out/model --to c --out there.c --force");
  CHECK(contains(work.content("there.c"), "there_predict"));
}

TEST_CASE("what cannot be written down is refused by name, before anything is written") {
  struct Case {
    const char* source;
    const char* nodes;
    const char* message;
  };
  const Case cases[] = {
      {"source/banana",
       "  b: {is: basis/random, count: 9, from: t}\n"
       "  r: {is: similarity/rbf, precision: bf16, from: t, bases: b}\n"
       "  svm: {is: solver/linear_svm, from: r}\n",
       "node 'r' (similarity/rbf): 'precision: bf16' rounds values as no other program does"},
      {"source/banana",
       "  b: {is: basis/all, from: t}\n  r: {is: similarity/rbf, from: t, bases: b}\n"
       "  svm: {is: solver/nearest_neighbour, k: 3, from: r}\n",
       "node 'svm' (solver/nearest_neighbour): only 'k: 1' with 'scores: votes'"},
      {"source/glyphs, train_per_class: 4, test_per_class: 4",
       "  h: {is: feature/hog, cell: 4, from: t}\n"
       "  svm: {is: solver/kernel_svm, kernel: {is: similarity/rigid}, repair: clip, from: h}\n",
       "node 'svm' (solver/kernel_svm): its kernel cannot be written as a formula"},
      {"source/glyphs, train_per_class: 4, test_per_class: 4",
       "  h: {is: feature/hog, cell: 4, from: t}\n  svm: {is: solver/linear_svm, from: h}\n",
       "node 'h' (feature/hog): it cannot be written as a formula"},
      {"source/banana", "  svm: {is: solver/ml3, from: t}\n",
       "node 'svm' (solver/ml3): it cannot be written as a formula"},
  };
  for (const Case& c : cases) {
    const Workplace work;
    CAPTURE(std::string(c.message));
    work.file("p.yaml", machine_on(c.source, c.nodes));
    work.succeed("run p.yaml --out out --quiet");
    work.expect("export out/model --to c", 1, c.message);
    work.expect("export out/model --to onnx", 1, c.message);
    CHECK_FALSE(fs::exists(work.path / "svm.c"));
    CHECK_FALSE(fs::exists(work.path / "svm.onnx"));
  }
}

TEST_CASE("damaged models are not exported") {
  const Workplace work;
  work.file("p.yaml", machine_on("source/banana", "  svm: {is: solver/linear_svm, from: t}\n"));
  work.succeed("run p.yaml --out out --quiet");
  SUBCASE("model.json") {
    std::ofstream(work.path / "out/model/model.json") << "{";
    work.expect(
        "export out/model --to c", 1,
        "is damaged: model.json: not JSON from column 2 on; copy it again, or train it again");
  }
  SUBCASE("an array") {
    for (const auto& item : fs::recursive_directory_iterator(work.path / "out/model/nodes/svm"))
      if (item.path().extension() == ".npy") fs::resize_file(item.path(), 130);
    work.expect("export out/model --to c", 1, ".npy has the wrong size");
  }
  CHECK_FALSE(fs::exists(work.path / "svm.c"));
}

}  // namespace wrong_exports_test

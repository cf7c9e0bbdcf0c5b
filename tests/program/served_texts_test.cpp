// SPDX-License-Identifier: MIT
// Rows that are texts, in lines and in requests: documents and molecules.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "http_client.hpp"
#include "program.hpp"

namespace served_texts_test {

using namespace semblance::testing;

namespace {

using Json = nlohmann::json;

/// The model in out/model, and what predict says of the texts in a file.
class Trained {
 public:
  Trained(const std::string& source, const std::string& solver, const std::string& table,
          std::vector<std::string> given)
      : texts(std::move(given)) {
    work.file("table", table);
    work.file("p.yaml", "name: p\nnodes:\n  rows: {is: source/" + source +
                            "}\n  svm: {is: solver/" + solver + ", from: rows}\n");
    std::string file;
    for (const std::string& text : texts) file += text + "\n";
    work.file("new", file);
    work.succeed("run p.yaml --data . --out out");
    work.succeed("predict out/model new --out p");
    std::istringstream in(work.content("p/svm.csv"));
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) expected += line.substr(line.find(",,") + 2) + "\n";
  }

  /// What lines of standard input get, without a heading.
  std::string lines(const std::string& input, const std::string& options = "") const {
    work.file("input", input);
    return work.shell("$program predict out/model --stdin " + options + " < input").output;
  }

  /// Each text of a file as a row in JSON, by itself and by name.
  Json rows(const std::string& name) const {
    Json rows = Json::array();
    for (const std::string& text : texts)
      rows.push_back(rows.size() % 2 ? Json(text) : Json{{name, text}});
    return rows;
  }

  Workplace work;
  std::vector<std::string> texts;
  std::string expected;
};

std::string posted(const Served& served, const std::string& type, const std::string& body) {
  return exchange(served.port(), post(type, body, "Accept: text/csv\r\n")).body;
}

std::string json_lines(const Json& rows) {
  std::string lines;
  for (const Json& row : rows) lines += row.dump() + "\n";
  return lines;
}

std::string without_first_line(const std::string& text) { return text.substr(text.find('\n') + 1); }

std::string mail() {
  std::string table;
  for (int i = 0; i < 60; ++i)
    table += i % 2 ? "ham\tsee you at lunch, \"" + std::to_string(i % 7) + "\" text\n"
                   : "spam\twin money: prize " + std::to_string(i % 5) + "\n";
  return table;
}

}  // namespace

TEST_CASE("documents in lines and in requests get the bits of predict") {
  const std::vector<std::string> texts = {"win money now", "see \"you\", WIN", "unheard", "  ",
                                          "lunch lunch prize 3 at Lunch"};
  for (const std::string options :
       {"longest: 2", "terms: characters, longest: 3, shortest: 2", "hashed_columns: 50"}) {
    CAPTURE(options);
    const Trained model("text, path: table, " + options, "linear_svm", mail(), texts);
    const std::string file = model.work.content("new"), json = json_lines(model.rows("text"));
    CHECK(without_first_line(model.lines(file, "--scores 2> warned")) == model.expected);
    CHECK(without_first_line(model.lines(json, "--scores --format json 2> warned")) ==
          model.expected);
    const Served served(model.work, "out/model");
    CHECK(without_first_line(posted(served, "text/csv", file)) == model.expected);
    CHECK(without_first_line(posted(served, "application/json",
                                    Json{{"rows", model.rows("text")}}.dump())) == model.expected);
    // Fields of a table, of which one is the text; in JSON it may have tabs and ends of lines.
    const std::string one = posted(served, "text/csv", "win money now\n");
    CHECK(posted(served, "text/csv", "label\ttext\nham\twin money now\n") == one);
    CHECK(posted(served, "text/csv", "ham\twin money now\n") == one);
    CHECK(posted(served, "application/json",
                 R"({"rows": [{"id": 7, "text": "win\tmoney\r\nnow", "label": "x"}]})") == one);
    CHECK(posted(served, "application/json", R"({"rows": [["ham", "win money now"]]})") == one);
  }
}

TEST_CASE("a wrong text is refused with its row") {
  const Trained model("text, path: table, text: message, label: kind", "linear_svm",
                      "kind\tmessage\n" + mail(), {"message", "win money"});
  CHECK(without_first_line(model.lines("win money\n", "--scores")) == model.expected);
  CHECK(model.lines("message\nwin money\n") ==
        "semblance: line 1: looks like a header; if it is one, say so with --header\n");
  CHECK(model.lines("message\tkind\nwin money\tx\n", "--header") == "spam\n");
  CHECK(model.lines("win\n\nw\xff\na\tb\nsee you\n", "--keep-going") ==
        "spam\n\n\n\nham\n"
        "semblance: line 2: the text is empty; give one, or omit the row\n"
        "semblance: line 3: the text is not UTF-8; send it as UTF-8\n"
        "semblance: line 4: has 2 fields separated by tabs, but the first line has 1; every row "
        "needs the same number, and a text has no tabs\n");
  // Counts of terms are rows as well.
  CHECK(model.lines("{\"win\": 1, \"money\": 1}\n", "--format json") == "spam\n");
  struct Case {
    std::string row, message;
  };
  const Case cases[] = {
      {R"({"message": ""})", "the text is empty; give one, or omit the row"},
      {R"({"message": null})", "the text is empty; give one, or omit the row"},
      {R"({"text": "win"})", "has no 'message'; give the text under this name"},
      {R"({"message": "a", "message": "b"})", "has 'message' twice; give it once"},
      {R"({"message": 5})", "has no text in 'message'; write it in quotes"},
      {R"({"message": ["a"]})",
       "an array stands in column 'message' instead of a value; correct it"},
      {R"(["a", "b"])",
       "column 'message' of 'text' is a name, but rows without names have one field; give the text "
       "alone"},
      {"5", R"(is a number; write a text, or {"message": "..."})"},
      {"null", R"(is null; write a text, or {"message": "..."})"},
  };
  const Served served(model.work, "out/model");
  for (const Case& c : cases)
    CHECK(Json::parse(posted(served, "application/json", "{\"rows\": [\"win\", " + c.row + "]}"))
              .at("error") == "row 2 (counted from 1): " + c.message);
  CHECK(contains(posted(served, "application/json", "{\"rows\": [\"w\xff\"]}"), "not JSON from"));
}

TEST_CASE("molecules in lines and in requests get the bits of predict") {
  if (!contains(Workplace()("list source").output, "source/molecules")) {
    MESSAGE("skipped: no plugin of molecules (apt-get install librdkit-dev)");
    return;
  }
  const std::vector<std::string> texts = {"CCO", "c1ccccc1O", "CC(C)O"};
  const std::string table = "name,smiles,y\na,CO,1.5\nb,CCO,1.1\nc,CCCO,0.6\nd,c1ccccc1,-1.6\n";
  const Trained model("molecules, path: table, target: y, values: counts",
                      "kernel_svr, kernel: {is: similarity/tanimoto}", table, texts);
  const std::string file = model.work.content("new"), json = json_lines(model.rows("smiles"));
  CHECK(model.lines(file) == model.expected);
  CHECK(model.lines(json, "--format json") == model.expected);
  CHECK(model.lines("{\"name\": \"b\", \"SMILES\": \"CCO\"}\n", "--format json") ==
        model.lines("CCO\n"));
  CHECK(model.lines("CC(\n\nCCO\n", "--keep-going") ==
        "\n\n" + model.lines("CCO\n") +
            "semblance: line 1: the SMILES 'CC(' is not understood by RDKit; correct it\n"
            "semblance: line 2: is empty; give a row\n");
  const Served served(model.work, "out/model");
  CHECK(without_first_line(posted(served, "text/csv", file)) == model.expected);
  CHECK(without_first_line(posted(served, "application/json",
                                  Json{{"rows", model.rows("smiles")}}.dump())) == model.expected);
  for (const auto& [row, message] : std::vector<std::pair<std::string, std::string>>{
           {R"("CC(")", "the SMILES 'CC(' is not understood by RDKit; correct it"},
           {R"({"smi": "CC"})", "needs one column 'smiles'; give the SMILES under this name"},
           {R"({"smiles": 5})", "has no text in 'smiles'; write it in quotes"},
           {R"({"smiles": null})", "the SMILES '' has no atoms; correct it"}})
    CHECK(Json::parse(posted(served, "application/json", "{\"rows\": [\"CC\", " + row + "]}"))
              .at("error") == "row 2 (counted from 1): " + message);
}

}  // namespace served_texts_test

// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <sstream>

#include "http_client.hpp"
#include "pipelines.hpp"

namespace semblance::testing {

inline constexpr int table_rows = 300;

inline std::string table_row(int i) {
  return std::to_string(i % 17) + "." + std::to_string(i % 10) + "," + std::to_string(i % 5);
}

/// A model of a table with columns a and b, in out/model, and the output of predict for its rows.
struct TrainedTable {
  TrainedTable() {
    std::string table = "a,b,class\n";
    for (int i = 0; i < table_rows; ++i) {
      table += table_row(i) + (i % 17 < 8 ? ",\"lo, \"\"w\"\"\"\n" : ",<b>high</b>\n");
      rows.push_back(table_row(i));
    }
    work.file("train.csv", table);
    work.file("p.yaml", table_pipeline("path: train.csv, label: class, test_rows: 10"));
    work.succeed("run p.yaml --data . --out out");
    work.succeed("predict out/model train.csv --out p");
    std::istringstream in(work.content("p/svm.csv"));
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
      // row,label,predicted,scores: the label is quoted as the class is
      const std::size_t label = line.find(',') + 1;
      const std::size_t end =
          line[label] == '"' ? line.find("\",", label) + 1 : line.find(',', label);
      scores.push_back(line.substr(end + 1));
    }
    REQUIRE(scores.size() == table_rows);
  }
  Workplace work;
  std::vector<std::string> rows;    ///< as CSV
  std::vector<std::string> scores;  ///< predicted and scores, as predict writes them
};

inline const TrainedTable& trained() {
  static const TrainedTable once;
  return once;
}

/// Rows first, first + 1, ... of the table, with wrap-around at its end.
inline std::string some_rows(int first, int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += trained().rows[static_cast<std::size_t>((first + i) % table_rows)] + "\n";
  return text;
}

inline std::string their_scores(int first, int count) {
  std::string text = "predicted,score <b>high</b>,\"score lo, \"\"w\"\"\"\n";
  for (int i = 0; i < count; ++i)
    text += trained().scores[static_cast<std::size_t>((first + i) % table_rows)] + "\n";
  return text;
}

inline const std::string accept_csv = "Accept: text/csv\r\n";

}  // namespace semblance::testing

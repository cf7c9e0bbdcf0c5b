// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "program.hpp"

namespace texts_test {

using namespace semblance::testing;

// Sparse rows, from documents to the scores of new ones.

namespace {

/// Two kinds of letters, each with its own words and some common ones.
std::string letters(int count, bool labels = true) {
  const char* const trade[] = {"price", "market", "share", "profit"};
  const char* const grain[] = {"wheat", "crop", "tonnes", "harvest"};
  const char* const common[] = {"the", "said", "year", "would", "last"};
  std::string text;
  for (int i = 0; i < count; ++i) {
    if (labels) text += i % 2 == 0 ? "trade\t" : "grain\t";
    for (int k = 0; k < 6; ++k) {
      text += common[(i * 7 + k * 3) % 5];
      text += ' ';
      if (k % 2 == 0) text += (i % 2 == 0 ? trade : grain)[(i + k * 5) % 4];
      if (k % 2 == 0) text += ' ';
    }
    text += '\n';
  }
  return text;
}

std::string pipeline(const std::string& normalizer) {
  return "name: letters\nnodes:\n"
         "  words: {is: source/text, path: letters.tsv, test_fraction: 0.3}\n"
         "  tfidf: {is: normalizer/tfidf, sublinear: true, from: words}\n"
         "  x:     " +
         normalizer +
         "\n  svm:   {is: solver/linear_svm, from: x}\n"
         "  test:  {is: evaluator/classification, from: svm}\n";
}

const std::string usual = pipeline("{is: normalizer/unit_length, from: tfidf}");

}  // namespace

TEST_CASE("a run on documents has the same bits at any number of threads, stored or not") {
  const Workplace work;
  work.file("letters.tsv", letters(200));
  work.file("p.yaml", usual);
  work.succeed("run p.yaml --data . --out one --threads 1 --no-cache");
  work.succeed("run p.yaml --data . --out two --threads 2");
  work.succeed("run p.yaml --data . --out again --threads 2");
  CHECK(work.metrics("one").at("nodes").at("test").at("accuracy") == 1.0);
  CHECK(predictions(work, "one") == predictions(work, "two"));
  CHECK(predictions(work, "one") == predictions(work, "again"));
  CHECK(results_of(work, "one") == results_of(work, "two"));
  work.succeed("predict two/model --out p");
  CHECK(work.content("p/svm.npy") == work.content("two/predictions/svm.npy"));
}

TEST_CASE("sparse rows that are made dense give the same classes") {
  const Workplace work;
  work.file("letters.tsv", letters(200));
  work.file("p.yaml", usual);
  work.file("dense.yaml",
            "name: letters\nnodes:\n"
            "  words: {is: source/text, path: letters.tsv, test_fraction: 0.3}\n"
            "  tfidf: {is: normalizer/tfidf, sublinear: true, from: words}\n"
            "  all:   {is: feature/dense, from: tfidf}\n"
            "  x:     {is: normalizer/unit_length, from: all}\n"
            "  svm:   {is: solver/linear_svm, tolerance: 1e-7, from: x}\n"
            "  test:  {is: evaluator/classification, from: svm}\n");
  work.succeed("run p.yaml --data . --out sparse --set nodes.svm.tolerance=1e-7");
  work.succeed("run dense.yaml --data . --out dense");
  const auto objective = [&](const char* out) {
    return work.metrics(out).at("nodes").at("svm").at("objective").get<double>();
  };
  CHECK(objective("sparse") == doctest::Approx(objective("dense")).epsilon(1e-6));
}

TEST_CASE("new documents are counted by the words that the model knows") {
  const Workplace work;
  work.file("letters.tsv", letters(200));
  work.file("p.yaml", usual);
  work.succeed("run p.yaml --data . --out out");
  work.file("new.tsv", "wheat and a harvest\nunheard words alone\nprofit, PROFIT and price\n");
  work.succeed("predict out/model new.tsv --out new");
  const std::string told = work.content("new/svm.csv");
  CHECK(told.find("\n0,,grain") != std::string::npos);
  CHECK(told.find("\n2,,trade") != std::string::npos);
  work.expect("predict out/model new.tsv --out no --set nodes.words.longest=2", 2,
              "'longest' is part of what the model knows and cannot be given for new data");
}

TEST_CASE("what needs dense rows says so before anything runs, with what makes them") {
  const Workplace work;
  work.file("letters.tsv", letters(200));
  const auto refused = [&](const std::string& normalizer, const std::string& message) {
    work.file("p.yaml", pipeline(normalizer));
    for (const char* verb : {"check", "run"}) {
      const auto outcome = work(std::string(verb) + " p.yaml --data .");
      CHECK(outcome.exit == 2);
      CHECK_MESSAGE(contains(outcome, message), outcome.output);
    }
  };
  refused("{is: normalizer/min_max, from: tfidf}",
          "needs samples that are each a vector or an image or a grid, but 'tfidf' gives a sparse "
          "vector");
  refused("{is: normalizer/min_max, from: tfidf}", "a sparse vector becomes one by feature/dense");
  refused("{is: normalizer/zscore, from: tfidf}", "a sparse vector becomes one by feature/dense");
  refused("{is: normalizer/unit_length, center: true, from: tfidf}", "feature/dense");
  work.file("p.yaml", usual);
  const auto with = work("check p.yaml --data . --set nodes.svm.preconditioner=cholesky");
  CHECK(with.exit == 2);
  CHECK_MESSAGE(contains(with, "feature/dense"), with.output);
  work.file("counts.svm", "1 1:2\n2 2:1\n1 1:1\n2 2:3\n");
  const auto rows = [&](const char* form) {
    return work.file("rows.yaml", std::string("name: r\nnodes:\n  t: {is: source/libsvm, path: "
                                              "counts.svm, rows: ") +
                                      form +
                                      "}\n  x: {is: normalizer/min_max, from: t}\n  s: {is: "
                                      "solver/linear_svm, from: x}\n");
  };
  rows("dense");
  work.succeed("check rows.yaml --data .");
  rows("sparse");
  CHECK(work("check rows.yaml --data .").exit == 2);
}

TEST_CASE("20 Newsgroups reach the published accuracy, with LIBLINEAR's objective") {
  const char* data = std::getenv("SEMBLANCE_DATA");
  if (data == nullptr || *data == '\0') {
    MESSAGE("skipped: $SEMBLANCE_DATA is not set");
    return;
  }
  if (sanitized) return;
  const Workplace work;
  work.succeed(std::string("run " SEMBLANCE_PIPELINES "/text/20news.yaml --out out --data ") +
               data);
  const auto nodes = work.metrics("out").at("nodes");
  CHECK(nodes.at("svm").at("certificate") == "converged");
  // liblinear-train -s 1 -e 1e-5 -B 1 on scikit-learn's tf-idf of the same counts.
  CHECK(nodes.at("svm").at("objective").get<double>() == doctest::Approx(5436.90).epsilon(1e-5));
  CHECK(nodes.at("test").at("accuracy").get<double>() > 0.86);
}

}  // namespace texts_test

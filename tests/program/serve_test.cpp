// SPDX-License-Identifier: MIT
// `semblance serve` as its clients see it: bytes are sent, and answers read.
#include <signal.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "served_table.hpp"

namespace serve_test {

using namespace semblance::testing;
using namespace std::chrono_literals;

TEST_CASE("requests get the bits of predict, whatever else is asked at the same time") {
  const Served served(trained().work, "out/model --threads 2");
  std::atomic<int> wrong = 0, right = 0;
  {
    std::vector<std::jthread> clients;
    clients.reserve(8);
    for (int c = 0; c < 8; ++c)
      clients.emplace_back([&, c] {
        HttpConnection connection(served.port());
        for (int i = 0; i < 40; ++i) {
          const int first = 31 * c + 7 * i, count = 1 + (i * i + c) % 90;
          connection.send(post("text/csv", some_rows(first, count), accept_csv));
          const HttpReply reply = connection.read();
          ++(reply.status == 200 && reply.body == their_scores(first, count) ? right : wrong);
        }
      });
  }
  CHECK(wrong == 0);
  CHECK(right == 320);
  std::string array = "{\"rows\": [";
  for (const std::string& values : trained().rows)
    array += (array.ends_with('[') ? "[" : ",[") + values + "]";
  CHECK(exchange(served.port(), post("application/json", array + "]}", accept_csv)).body ==
        their_scores(0, table_rows));
  const HttpReply again = exchange(served.port(), post("text/csv; header=present", "b,a\n2,1.5\n"));
  const auto told = nlohmann::json::parse(again.body);
  const HttpReply named =
      exchange(served.port(), post("application/json", R"({"rows": [{"b": 2, "a": 1.5}]})"));
  CHECK(nlohmann::json::parse(named.body) == told);
  CHECK(told["predictions"][0]["class"] == "lo, \"w\"");
  CHECK(told["predictions"][0]["scores"].size() == 2);
}

TEST_CASE("a wrong request is answered with its status and what to do") {
  const Served served(trained().work, "out/model --max-rows 5 --max-bytes 2000 --timeout 30");
  struct Case {
    std::string request;
    int status;
    std::string message;
  };
  const std::string host = "Host: localhost\r\n", json = "application/json";
  const auto get = [&](const std::string& path, const std::string& method = "GET") {
    return method + " " + path + " HTTP/1.1\r\n" + host + "\r\n";
  };
  const auto head = [&](const std::string& headers) {
    return "POST /predict HTTP/1.1\r\n" + host + headers + "\r\n";
  };
  const std::string csv_head = "Content-Type: text/csv\r\n";
  const Case cases[] = {
      {get("/nowhere"), 404, "there is no '/nowhere'; there are GET /, /health, /model and /basis"},
      {get("/predict/"), 404, "there is no '/predict/'"},
      {get("/../../etc/passwd"), 404, "there is no"},
      {get("/%00"), 404, "there is no"},
      {get("/basis?map=x"), 400, "name a similarity map and the number of a basis"},
      {get("/basis?map=x&basis=-1"), 400, "name a similarity map and the number of a basis"},
      {get("/basis?map=x&basis=1"), 404, "the model has no similarity map 'x' before its scores"},
      {get("/predict"), 405, "rows are sent to /predict with POST"},
      {get("/predict", "DELETE"), 405, "rows are sent to /predict with POST"},
      {get("/model", "POST"), 405, "'/model' is read with GET"},
      {get("/", "OPTIONS"), 405, "'/' is read with GET"},
      {"BREW /predict HTTP/1.1\r\n" + host + "\r\n", 405, "rows are sent to /predict with POST"},
      {"GET /health HTTP/9.9\r\n" + host + "\r\n", 400, "not a request"},
      {"GET\r\n\r\n", 400, "not a request"},
      {"\x16\x03\x01\x02 a handshake of TLS\r\n\r\n", 400, "not a request"},
      {"GET /" + std::string(9000, 'a') + " HTTP/1.1\r\n" + host + "\r\n", 414, "not a request"},
      {"GET /health HTTP/1.1\r\n" + host + "X: " + std::string(70'000, 'a') + "\r\n\r\n", 431,
       "headers are longer than 65536 bytes"},
      {"GET /health HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421, "not as 'evil.example'"},
      {"GET /health HTTP/1.1\r\n\r\n", 400, "it has no Host header; send one"},
      {"POST /predict HTTP/1.1\r\n" + csv_head + "Content-Length: 3\r\n\r\n1,2", 400,
       "it has no Host header; send one"},
      {"GET /health HTTP/1.1\r\n" + host + host + "\r\n", 400, "it has 2 Host headers; send one"},
      {"GET /health HTTP/1.0\r\n" + host + "host: evil.example\r\n\r\n", 400,
       "it has 2 Host headers; send one"},
      {head(csv_head), 411, "send Content-Length"},
      {head(csv_head + "Content-Length: many\r\n"), 400, "a request that the server understands: "},
      {head(csv_head + "Content-Length: -5\r\n"), 400, "a request that the server understands: "},
      {head(csv_head + "Content-Length: 3\r\nContent-Length: 4\r\n"), 400,
       "a request that the server understands: "},
      {head(csv_head + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n"), 400,
       "a request that the server understands: "},
      {head(csv_head + "Transfer-Encoding: gzip\r\n"), 501, "'gzip' is not known"},
      {head(csv_head + "Content-Length: 99999999999999\r\n"), 413, "longer than the 2000 bytes"},
      {head(csv_head + "Content-Length: 2001\r\nExpect: 100-continue\r\n"), 413,
       "longer than the 2000 bytes"},
      {head(csv_head + "Transfer-Encoding: chunked\r\n") + "7d1\r\n" + std::string(2001, '1') +
           "\r\n0\r\n\r\n",
       413, "longer than the 2000 bytes"},
      {head(csv_head + "Transfer-Encoding: Chunked\r\n") + "1;" + std::string(70'000, 'x') + "\r\n",
       400, "the body is damaged or cut off"},
      {head(csv_head + "Transfer-Encoding: chunked\r\n") + "no length\r\n", 400,
       "the body is damaged or cut off"},
      {head(csv_head + "Transfer-Encoding: chunked\r\n") + "-5\r\n1,2\r\n", 400,
       "the body is damaged or cut off"},
      {head("Content-Length: 3\r\n") + "1,2", 415, "Content-Type is missing"},
      {post("text/plain", "1,2"), 415, "'text/plain' is not read"},
      {post("multipart/form-data; boundary=x", "--x--"), 415, "is not read"},
      {post("text/csv; charset=utf-16", "1,2"), 415, "is not read"},
      {post("text/csv", "1,2", "Content-Encoding: gzip\r\n"), 415,
       "encoded as 'gzip'; send it as it is"},
      {post("text/csv", "1,2", "Accept: image/png\r\n"), 406, "none of the types in Accept"},
      {post("text/csv", ""), 400, "there are no rows; send at least one"},
      {post(json, "{\"rows\": []}"), 400, "there are no rows; send at least one"},
      {post("text/csv", "1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n"), 413, "more than 5 rows; send fewer"},
      {post("text/csv", "1\n"), 400, "line 1: has 1 value, but the model takes rows of 2"},
      {post("text/csv", "1,2\n1,\n"), 400, "line 2: column 2 ('b') has no value"},
      {post("text/csv", "1,2\n1,Infinity\n"), 400,
       "line 2: column 2 ('b'): 'Infinity' is not finite"},
      {post("text/csv", "1,2\n1,1e50\n"), 400, "is too large for float32"},
      {post("text/csv", "a,b,c\n1,2,3\n"), 400, "which the model was not trained on"},
      {post("text/csv; header=present", "1,2\n"), 400,
       "lacks the columns 'a', 'b', which the model was trained on"},
      {post("text/csv; header=absent", "a,b\n1,2\n"), 400,
       "line 1: column 1 ('a'): 'a' is not a number"},
      {post(json, "rows"), 400, "not JSON from column 1 on"},
      {post(json, "{\"rows\": [[1, 2]"), 400, "not JSON from column 17 on"},
      {post(json, "{\"rows\": [[1]]}"), 400, "row 1 (counted from 1): has 1 value"},
      {post(json, "{\"rows\": [[1, null]]}"), 400, "column 2 ('b') has no value; give one"},
      {post(json, "{\"rows\": [{\"a\": 1}]}"), 400, "lacks the column 'b'"},
      {post(json, "{\"rows\": [{\"a\": 1, \"b\": 2, \"<script>\": 3}]}"), 400,
       "has the column '<script>', which the model was not trained on"},
      {post(json, std::string(1500, '[')), 400, "an array stands where rows are expected"},
      {post("application/x-npy", "1,2"), 415,
       "'application/x-npy' is not read; send rows as text/csv or JSON, {\"rows\": "
       "array.tolist()}"},
      {post("application/octet-stream; a=b", "1,2"), 415, "send rows as text/csv or JSON"},
      {post("text/csv", "1,2", "Accept: application/x-npy\r\n"), 406,
       "there are application/json and text/csv"},
      {post("text/x-libsvm", "1 3:1\n"), 400, "line 1: the index 3 is not one of the model's"},
      {post("text/csv", "1,2\n", "", "/predict?nearest=x"), 400,
       "nearest must be a number from 0 to 20, not 'x'"},
      {post("text/csv", "1,2\n", "", "/predict?farthest=1"), 400,
       "the parameter 'farthest' is unknown"},
  };
  CHECK(std::size(cases) > 40);
  int number = 0;
  for (const Case& c : cases) {
    const HttpReply reply = exchange(served.port(), c.request);
    const std::string sent = c.request.substr(0, 200);
    CAPTURE(number++);
    CAPTURE(sent);
    CAPTURE(reply.body);
    CHECK(reply.status == c.status);
    CHECK(reply.whole);
    const auto told = nlohmann::json::parse(reply.body, nullptr, false);
    REQUIRE(told.is_object());
    CHECK(contains(told.value("error", ""), c.message));
    CHECK(told.size() == 1);
  }
  // After all that it is as before.
  CHECK(exchange(served.port(), post("text/csv", some_rows(3, 5), accept_csv)).body ==
        their_scores(3, 5));
  const auto health = nlohmann::json::parse(exchange(served.port(), get("/health")).body);
  CHECK(health["refused"].get<int>() >= static_cast<int>(std::size(cases)) - 3);
  CHECK(health["rows"] == 5);
}

TEST_CASE("the model, its health and its page are shown") {
  const Served served(trained().work, "out/model");
  const auto get = [&](const std::string& path) {
    return exchange(served.port(), "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  };
  const auto model = nlohmann::json::parse(get("/model").body);
  CHECK(model["columns"] == nlohmann::json::parse(R"(["a", "b"])"));
  CHECK(model["classes"] == nlohmann::json::parse(R"(["<b>high</b>", "lo, \"w\""])"));
  CHECK(model["layout"]["kind"] == "vector");
  CHECK(model["layout"]["values"] == 2);
  CHECK(contains(model["pipeline"].get<std::string>(), "solver/linear_svm"));
  const auto kept = nlohmann::json::parse(trained().work.content("out/model/model.json"));
  CHECK(model["hash"] == kept["xxh3"]);
  const auto health = nlohmann::json::parse(get("/health").body);
  CHECK(health["status"] == "ok");
  CHECK(health["answered"] == 1);
  CHECK(health["hash"] == kept["xxh3"]);
  const HttpReply page = get("/");
  CHECK(page.status == 200);
  CHECK(contains(page.headers.at("Content-Security-Policy"), "default-src 'none'"));
  CHECK_FALSE(contains(page.headers.at("Content-Security-Policy"), "unsafe"));
  // Answers of a model are sent as data, with nothing from elsewhere.
  CHECK_FALSE(contains(page.body, "<b>high"));
  CHECK_FALSE(contains(page.body, "http"));
  CHECK(get("/").headers.at("Content-Security-Policy") !=
        page.headers.at("Content-Security-Policy"));
  const HttpReply head = exchange(
      served.port(), "HEAD /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
  CHECK(head.status == 200);
  CHECK(head.body.empty());
}

TEST_CASE("too much at a time is sent away with 429, and the rest is right") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  work.succeed("run p.yaml --out out");
  const Served served(work, "out/model --queue 1 --threads 1 --timeout 60");
  const auto model = nlohmann::json::parse(
      exchange(served.port(), "GET /model HTTP/1.1\r\nHost: localhost\r\n\r\n").body);
  const auto width = model["layout"]["values"].get<std::size_t>();
  std::string row = "0";
  for (std::size_t k = 1; k < width; ++k) row += k % 7 == 0 ? ",255" : ",0";
  std::string rows;
  for (int i = 0; i < 3000; ++i) rows += row + "\n";
  const std::string one = exchange(served.port(), post("text/csv", row, accept_csv)).body;
  const std::string line = one.substr(one.find('\n') + 1);
  std::atomic<int> right = 0, refused = 0, wrong = 0;
  {
    std::vector<std::jthread> clients;
    clients.reserve(8);
    for (int c = 0; c < 8; ++c)
      clients.emplace_back([&] {
        const HttpReply reply = exchange(served.port(), post("text/csv", rows, accept_csv));
        std::string expected = one.substr(0, one.find('\n') + 1);
        for (int i = 0; i < 3000; ++i) expected += line;
        if (reply.status == 200 && reply.body == expected)
          ++right;
        else if (reply.status == 429 && reply.headers.at("Retry-After") == "1")
          ++refused;
        else
          ++wrong;
      });
  }
  CHECK(wrong == 0);
  CHECK(right >= 1);
  CHECK(refused >= 1);
  // It has a similarity map: the nearest bases are training samples, the most similar first.
  const auto told = nlohmann::json::parse(
      exchange(served.port(), post("text/csv", row, "", "/predict?nearest=3")).body);
  const auto nearest = told["predictions"][0]["nearest"];
  REQUIRE(nearest.size() == 6);
  CHECK(nearest[0]["map"] == "rbf");
  CHECK(nearest[3]["map"] == "rigid");
  const auto basis = nlohmann::json::parse(
      exchange(served.port(), "GET /basis?map=rbf&basis=" + nearest[0]["basis"].dump() +
                                  " HTTP/1.1\r\nHost: localhost\r\n\r\n")
          .body);
  CHECK(basis["row"] == nearest[0]["row"]);
  CHECK(basis["layout"]["kind"] == "grid");
  CHECK(basis["values"].size() == basis["layout"]["values"]);
  CHECK(nearest[0]["similarity"].get<double>() >= nearest[1]["similarity"].get<double>());
}

TEST_CASE("wrong usage of serve, and a port that is taken") {
  const Workplace& work = trained().work;
  const Served served(work, "out/model");
  work.expect("serve out/model --port " + std::to_string(served.port()), 1,
              "cannot listen on '127.0.0.1', port " + std::to_string(served.port()) +
                  ": Address already in use; stop the program that uses the port, or choose "
                  "another with --port");
  work.expect("serve", 2, "usage: semblance serve MODEL [options]");
  work.expect("serve nowhere", 1, "no such folder");
  work.expect("serve out/model --port 70000", 2, "--port must be between 0 and 65535, got 70000");
  work.expect("serve out/model --threads 0", 2, "--threads must be between 1 and 4096, got 0");
  work.expect("serve out/model --max-rows 0", 2, "--max-rows must be between 1 and");
  work.expect("serve out/model --max-bytes lots", 2, "'lots' is not a size for --max-bytes");
  work.expect("serve out/model --timeout 0", 2, "--timeout must be a number of seconds");
  work.expect("serve out/model --queue -1", 2, "--queue must be between 1 and 4096, got -1");
  work.expect("serve out/model --node smv", 1, "did you mean 'svm'?");
  work.expect("serve out/model --node x", 1, "does not give each row a score per class");
  work.expect("serve out/model --port 0 --host 203.0.113.7", 1,
              "name an address of this machine with --host");
  work.expect("serve out/model --port 0 --host no.such.host.invalid", 1, "cannot listen on");
  Served open(work, "out/model --host 127.0.0.1");
  CHECK_FALSE(contains(open.log(), "warning"));
  const pid_t everywhere = work.start("serve out/model --port 0 --host 0.0.0.0", "everywhere.log");
  for (int i = 0; i < 500 && (!std::filesystem::exists(work.path / "everywhere.log") ||
                              !contains(work.content("everywhere.log"), "serving"));
       ++i)
    std::this_thread::sleep_for(10ms);
  CHECK(contains(work.content("everywhere.log"), "asks for no password and encrypts nothing"));
  ::kill(everywhere, SIGINT);
  CHECK(wait_for(everywhere) == 0);
  CHECK(contains(work.content("everywhere.log"), "stopped by Ctrl-C"));
}

}  // namespace serve_test

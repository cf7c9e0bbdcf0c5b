// SPDX-License-Identifier: MIT
// Clients of `semblance serve` that are slow, pushy or many, and its end under their load.
#include <atomic>
#include <chrono>
#include <thread>

#include "served_table.hpp"

namespace serve_clients_test {

using namespace semblance::testing;
using namespace std::chrono_literals;

TEST_CASE("slow clients cost a bounded time, and others are answered meanwhile") {
  const Served served(trained().work, "out/model --timeout 1 --queue 8");
  const auto begin = std::chrono::steady_clock::now();
  {
    std::atomic<int> cut_off = 0;
    std::vector<std::jthread> slow;
    slow.reserve(12);
    for (int c = 0; c < 12; ++c)
      slow.emplace_back([&, c] {
        HttpConnection connection(served.port());
        connection.send(c % 3 == 0   ? "GET /hea"
                        : c % 3 == 1 ? "POST /predict HTTP/1.1\r\nHost: localhost\r\nX: "
                                     : post("text/csv", "1,2\n").substr(0, 120));
        // A byte now and then; without a limit this would last twenty seconds.
        for (int i = 0; i < 200; ++i) {
          if (!connection.send("1")) {
            ++cut_off;
            return;
          }
          std::this_thread::sleep_for(100ms);
        }
      });
    std::this_thread::sleep_for(300ms);
    for (int i = 0; i < 20; ++i)
      CHECK(exchange(served.port(), post("text/csv", some_rows(i, 3), accept_csv)).body ==
            their_scores(i, 3));
    CHECK(std::chrono::steady_clock::now() - begin < 30s);
    slow.clear();
    CHECK(cut_off == 12);
  }
  // Without a trickle the answer arrives.
  const std::string whole = post("text/csv", "1,2\n");
  for (const std::string& start :
       {std::string("GET /health HTTP/1.1\r\nHost: loc"), whole.substr(0, whole.size() - 2)}) {
    HttpConnection connection(served.port());
    connection.send(start);
    const HttpReply reply = connection.read();
    CHECK(reply.status == 408);
    CHECK(contains(reply.body, "took more than 1 seconds"));
  }
  // A body that is cut off is no body.
  HttpConnection half(served.port());
  half.send(
      "POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\nContent-Length: "
      "100\r\n\r\n1,2\n");
  half.finish_sending();
  const HttpReply reply = half.read();
  CHECK(reply.status == 400);
  CHECK(contains(reply.body, "cut off"));
}

TEST_CASE("headers that arrive one by one are limited together") {
  const Served served(trained().work, "out/model");
  HttpConnection connection(served.port());
  connection.send("GET /health HTTP/1.1\r\nHost: localhost\r\n");
  for (int i = 0; i < 80; ++i) {
    std::this_thread::sleep_for(2ms);  // else the server reads several at once
    connection.send("X: " + std::string(995, 'a') + "\r\n");
  }
  const HttpReply reply = connection.read();
  CHECK(reply.status == 431);
  CHECK(contains(reply.body, "headers are longer than 65536 bytes"));
}

TEST_CASE("requests one behind the other are answered in order; what is none ends it") {
  const Served served(trained().work, "out/model");
  HttpConnection connection(served.port());
  connection.send(post("text/csv", some_rows(1, 2), accept_csv) +
                  post("text/csv", some_rows(5, 1), accept_csv) + "garbage\r\n\r\n" +
                  post("text/csv", some_rows(7, 1), accept_csv));
  CHECK(connection.read().body == their_scores(1, 2));
  CHECK(connection.read().body == their_scores(5, 1));
  const HttpReply refused = connection.read();
  CHECK(refused.status == 400);
  CHECK(refused.headers.at("Connection") == "close");
  CHECK(connection.read().status == 0);

  // An unexpected body is not read as a request.
  HttpConnection smuggling(served.port());
  const std::string inner = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
  smuggling.send("GET /model HTTP/1.1\r\nHost: localhost\r\nContent-Length: " +
                 std::to_string(inner.size()) + "\r\n\r\n" + inner);
  CHECK(contains(smuggling.read().body, "pipeline"));
  CHECK(smuggling.read().status == 0);

  HttpConnection chunked(served.port());
  chunked.send("POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\n" +
               accept_csv + "Transfer-Encoding: chunked\r\n\r\n3\r\n1.1\r\n3\r\n,1\n\r\n0\r\n\r\n");
  CHECK(trained().rows[1] == "1.1,1");
  CHECK(chunked.read().body == their_scores(1, 1));

  // A size that is none is no very large one, for whose bytes to wait.
  HttpConnection negative(served.port());
  const auto begin = std::chrono::steady_clock::now();
  negative.send(
      "POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\n"
      "Transfer-Encoding: chunked\r\n\r\n-5\r\n1.1,1\r\n0\r\n\r\n");
  CHECK(negative.read().status == 400);
  CHECK(std::chrono::steady_clock::now() - begin < 5s);

  HttpConnection careful(served.port());
  const std::string whole =
      post("text/csv", some_rows(9, 2), accept_csv + "Expect: 100-continue\r\n");
  const std::size_t head = whole.find("\r\n\r\n") + 4;
  careful.send(whole.substr(0, head));
  CHECK(careful.read().status == 100);
  careful.send(whole.substr(head));
  CHECK(careful.read().body == their_scores(9, 2));
}

TEST_CASE("one client with hundreds of connections does not keep the others out") {
  const Served served(trained().work, "out/model --timeout 60");
  std::vector<std::unique_ptr<HttpConnection>> many;
  for (int i = 0; i < 400; ++i) {
    many.push_back(std::make_unique<HttpConnection>(served.port(), "127.0.0.2"));
    many.back()->send("POST /predict HTTP/1.1\r\nHost: loc");  // and no more
  }
  for (int i = 0; i < 20; ++i) {
    HttpConnection other(served.port());
    other.send(post("text/csv", some_rows(1, 2), accept_csv));
    CHECK(other.read().body == their_scores(1, 2));
  }
}

TEST_CASE("bodies that one client does not finish leave room for those of others") {
  const Served served(trained().work,
                      "out/model --timeout 60 --max-bytes 64K --max-rows 20000 --queue 128");
  std::vector<std::unique_ptr<HttpConnection>> many;
  for (int i = 0; i < 40; ++i) {
    many.push_back(std::make_unique<HttpConnection>(served.port(), "127.0.0.2"));
    const std::string whole = post("text/csv", some_rows(i, 10'000));
    many.back()->send(whole.substr(0, whole.size() - 10));
  }
  std::this_thread::sleep_for(500ms);
  HttpConnection other(served.port());
  other.send(post("text/csv", some_rows(1, 10'000), accept_csv));
  CHECK(other.read().body == their_scores(1, 10'000));
}

TEST_CASE("the name of this machine has no case") {
  const Served served(trained().work, "out/model");
  HttpConnection connection(served.port());
  connection.send("GET /health HTTP/1.1\r\nHost: LocalHost:" + std::to_string(served.port()) +
                  "\r\n\r\n");
  CHECK(connection.read().status == 200);
  CHECK(exchange(served.port(), "GET /health HTTP/1.0\r\n\r\n").status == 200);
}

TEST_CASE("a stop under load answers what is in hand and exits with 0") {
  Served served(trained().work, "out/model --timeout 5");
  std::atomic<int> answered = 0, broken = 0;
  std::atomic<bool> stopped = false;
  {
    std::vector<std::jthread> clients;
    clients.reserve(8);
    for (int c = 0; c < 6; ++c)
      clients.emplace_back([&, c] {
        while (!stopped) {
          HttpConnection connection(served.port());
          if (!connection.connected()) return;
          for (int i = 0; i < 50; ++i) {
            if (!connection.send(post("text/csv", some_rows(c + i, 20), accept_csv))) break;
            const HttpReply reply = connection.read();
            if (reply.status == 0) break;  // closed before the request was taken
            ++(reply.whole && reply.body == their_scores(c + i, 20) ? answered : broken);
            if (reply.headers.contains("Connection")) break;
          }
        }
      });
    while (answered < 200) std::this_thread::sleep_for(5ms);
    const auto begin = std::chrono::steady_clock::now();
    CHECK(served.stop() == 0);
    CHECK(std::chrono::steady_clock::now() - begin < 15s);
    stopped = true;
  }
  CHECK(broken == 0);
  CHECK(contains(served.log(), "stopped by SIGTERM: "));
  CHECK(contains(served.log(), " requests answered, 0 refused"));
}

}  // namespace serve_clients_test

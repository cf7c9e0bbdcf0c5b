// SPDX-License-Identifier: MIT
#include "serve/service.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <future>
#include <thread>

#include "serve/media_type.hpp"

namespace semblance::serving::service_test {
namespace {

using namespace std::chrono_literals;

GivenRows rows_from(float first, std::size_t count) {
  GivenRows rows(Layout::vector(1));
  for (std::size_t i = 0; i < count; ++i) {
    const float value = first + static_cast<float>(i);
    rows.add({&value, 1});
  }
  return rows;
}

void doubled(MatrixView rows, MutableMatrixView scores) {
  for (std::size_t i = 0; i < rows.rows; ++i) scores.row(i)[0] = 2 * rows.row(i)[0];
}

/// Blocks until it is opened.
class Gate {
 public:
  void open() { opened_.set_value(); }
  void pass() {
    arrived = true;
    future_.wait();
  }
  void wait_for_arrival() const {
    while (!arrived) std::this_thread::sleep_for(1ms);
  }
  std::atomic<bool> arrived = false;

 private:
  std::promise<void> opened_;
  std::shared_future<void> future_ = opened_.get_future().share();
};

ScoreQueue::Clock::time_point soon() { return ScoreQueue::Clock::now() + 60s; }

}  // namespace

TEST_CASE("what waits is scored as one batch, and everybody gets his own") {
  Gate gate;
  std::atomic<std::size_t> largest = 0;
  ScoreQueue queue(
      [&](MatrixView rows, MutableMatrixView scores) {
        gate.pass();
        if (rows.rows > largest) largest = rows.rows;
        doubled(rows, scores);
      },
      Layout::vector(1), 1, 100);
  std::vector<std::future<FloatMatrix>> answers;
  const auto ask = [&](float first, std::size_t count) {
    answers.push_back(std::async(std::launch::async, [&queue, first, count] {
      return queue.score(rows_from(first, count), soon());
    }));
  };
  ask(0, 1);
  gate.wait_for_arrival();
  for (int i = 1; i < 20; ++i) ask(static_cast<float>(100 * i), static_cast<std::size_t>(i));
  while (queue.counts().waiting < 19) std::this_thread::sleep_for(1ms);
  gate.open();
  for (int i = 0; i < 20; ++i) {
    const FloatMatrix scores = answers[static_cast<std::size_t>(i)].get();
    REQUIRE(scores.rows == static_cast<std::size_t>(std::max(1, i)));
    for (std::size_t k = 0; k < scores.rows; ++k)
      CHECK(scores.values[k] == static_cast<float>(200 * i + 2 * static_cast<int>(k)));
  }
  CHECK(largest == 190);
  CHECK(queue.counts().batches == 2);
  CHECK(queue.counts().rows == 191);
}

TEST_CASE("a large request does not keep small ones waiting") {
  Gate gate;
  std::vector<std::size_t> batches;
  ScoreQueue queue(
      [&](MatrixView rows, MutableMatrixView scores) {
        gate.pass();
        batches.push_back(rows.rows);
        doubled(rows, scores);
      },
      Layout::vector(1), 1, 100);
  auto first = std::async(std::launch::async, [&] { return queue.score(rows_from(0, 1), soon()); });
  gate.wait_for_arrival();
  auto large =
      std::async(std::launch::async, [&] { return queue.score(rows_from(0, 10'000), soon()); });
  while (queue.counts().waiting < 1) std::this_thread::sleep_for(1ms);
  auto small = std::async(std::launch::async, [&] { return queue.score(rows_from(7, 1), soon()); });
  while (queue.counts().waiting < 2) std::this_thread::sleep_for(1ms);
  gate.open();
  CHECK(small.get().values.front() == 14);
  const FloatMatrix scores = large.get();
  for (std::size_t i = 0; i < 10'000; ++i) REQUIRE(scores.values[i] == static_cast<float>(2 * i));
  first.get();
  REQUIRE(batches.size() > 3);
  CHECK(batches[1] == 1025);
}

TEST_CASE("those beyond the limit are sent away, and those whose time is over leave") {
  Gate gate;
  ScoreQueue queue(
      [&](MatrixView rows, MutableMatrixView scores) {
        gate.pass();
        doubled(rows, scores);
      },
      Layout::vector(1), 1, 1);
  auto first = std::async(std::launch::async, [&] { return queue.score(rows_from(1, 1), soon()); });
  gate.wait_for_arrival();
  CHECK_THROWS_AS(queue.score(rows_from(2, 1), ScoreQueue::Clock::now() + 20ms), TooLate);
  CHECK_THROWS_WITH_AS(queue.score(rows_from(3, 1), soon()),
                       "1 requests wait already; try again in a second", QueueFull);
  gate.open();
  CHECK(first.get().values.front() == 2);
  // Requests that nothing waits for are taken, but not scored.
  while (queue.counts().waiting > 0) std::this_thread::sleep_for(1ms);
  CHECK(queue.score(rows_from(4, 1), soon()).values.front() == 8);
  CHECK(queue.counts().rows == 2);
}

TEST_CASE("what fails in a batch fails alone") {
  Gate gate;
  ScoreQueue queue(
      [&](MatrixView rows, MutableMatrixView scores) {
        gate.pass();
        for (std::size_t i = 0; i < rows.rows; ++i)
          if (rows.row(i)[0] == 13) throw Error("thirteen");
        doubled(rows, scores);
      },
      Layout::vector(1), 1, 100);
  auto first = std::async(std::launch::async, [&] { return queue.score(rows_from(1, 1), soon()); });
  gate.wait_for_arrival();
  auto bad = std::async(std::launch::async, [&] { return queue.score(rows_from(13, 1), soon()); });
  auto good = std::async(std::launch::async, [&] { return queue.score(rows_from(5, 1), soon()); });
  while (queue.counts().waiting < 2) std::this_thread::sleep_for(1ms);
  gate.open();
  CHECK(good.get().values.front() == 10);
  CHECK_THROWS_WITH_AS(bad.get(), "thirteen", Error);
  first.get();
}

TEST_CASE("the end waits for what is in hand") {
  std::future<FloatMatrix> answer;
  {
    ScoreQueue queue(
        [](MatrixView rows, MutableMatrixView scores) {
          std::this_thread::sleep_for(20ms);
          doubled(rows, scores);
        },
        Layout::vector(1), 1, 100);
    answer = std::async(std::launch::async, [&] { return queue.score(rows_from(3, 5), soon()); });
    while (queue.counts().rows == 0) std::this_thread::sleep_for(1ms);
    CHECK(answer.get().values.back() == 14);
  }
}

TEST_CASE("forms of bodies and answers") {
  CHECK(body_type("application/json")->form == Form::json);
  CHECK(body_type(" Application/JSON ; charset=UTF-8")->form == Form::json);
  CHECK(body_type("text/csv")->header == Header::find_out);
  CHECK(body_type("text/csv; header=present; charset=utf-8")->header == Header::present);
  CHECK(body_type("text/csv;header=absent")->header == Header::absent);
  CHECK_FALSE(body_type("application/x-npy"));
  CHECK_FALSE(body_type(""));
  CHECK_FALSE(body_type("text/plain"));
  CHECK_FALSE(body_type("text/csv; charset=utf-16"));
  CHECK(answer_form("") == Form::json);
  CHECK(answer_form("*/*") == Form::json);
  CHECK(answer_form("text/html, text/csv;q=0.5, */*;q=0.1") == Form::csv);
  CHECK(answer_form("application/json;q=0.1, application/x-npy") == Form::json);
  CHECK_FALSE(answer_form("application/x-npy"));
  CHECK_FALSE(answer_form("image/png"));
  CHECK_FALSE(answer_form("text/csv;q=0"));
  CHECK_FALSE(answer_form("text/csv;q=many"));
}

}  // namespace semblance::serving::service_test

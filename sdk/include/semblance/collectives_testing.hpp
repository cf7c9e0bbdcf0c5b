// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <condition_variable>
#include <exception>
#include <map>
#include <thread>

#include "semblance/testing.hpp"
#include "semblance/transport.hpp"

/// Ranks as threads of one process, for tests of components that are declared distributed().
namespace semblance::testing {

/// A barrier whose threads sleep at once. std::barrier yields first, and on a busy machine each
/// yield costs a time slice: trainings of a second took minutes.
class SleepingBarrier {
 public:
  explicit SleepingBarrier(std::size_t threads) : threads_(threads) {}

  void arrive_and_wait() {
    std::unique_lock lock(mutex_);
    const std::size_t round = round_;
    if (++arrived_ == threads_) {
      arrived_ = 0;
      ++round_;
      lock.unlock();
      changed_.notify_all();
    } else {
      changed_.wait(lock, [&] { return round_ != round; });
    }
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t threads_, arrived_ = 0, round_ = 0;
};

/// The state that the ranks of one process share.
class RankThreads {
 public:
  explicit RankThreads(std::size_t ranks)
      : barrier(ranks), slots{Slots(ranks), Slots(ranks)}, ranks(ranks) {}
  SleepingBarrier barrier;
  /// Each rank's bytes for all, in every other call the first and the second: who still reads the
  /// bytes of one call has not arrived at the next, so that one barrier per call is enough.
  using Slots = std::vector<std::vector<std::byte>>;
  std::array<Slots, 2> slots;
  std::size_t ranks;

  /// Messages that have not been received yet.
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::vector<std::byte>>> mail;
};

class ThreadTransport final : public Transport {
 public:
  ThreadTransport(RankThreads& shared, std::size_t rank) : shared_(shared), rank_(rank) {}
  std::size_t rank() const noexcept override { return rank_; }
  std::size_t ranks() const noexcept override { return shared_.ranks; }
  std::string place(std::size_t) const override { return "here"; }
  std::size_t sharers() const noexcept override { return ranks(); }

  void send(std::size_t to, std::span<const std::byte> bytes) override {
    const std::lock_guard lock(shared_.mutex);
    shared_.mail[{rank_, to}].emplace_back(bytes.begin(), bytes.end());
    shared_.changed.notify_all();
  }
  void receive(std::size_t from, std::span<std::byte> bytes) override {
    std::unique_lock lock(shared_.mutex);
    auto& waiting = shared_.mail[{from, rank_}];
    shared_.changed.wait(lock, [&] { return !waiting.empty(); });
    if (waiting.front().size() != bytes.size()) throw Error("a message of the wrong size");
    std::ranges::copy(waiting.front(), bytes.begin());
    waiting.erase(waiting.begin());
  }
  void broadcast(std::size_t root, std::span<std::byte> bytes) override {
    auto& slots = shared_.slots[++calls_ % 2];
    if (rank_ == root) slots[root].assign(bytes.begin(), bytes.end());
    shared_.barrier.arrive_and_wait();
    if (rank_ != root) std::ranges::copy(slots[root], bytes.begin());
  }
  void gather(std::span<const std::byte> own, std::span<const std::size_t>,
              std::span<std::byte> all) override {
    auto& slots = shared_.slots[++calls_ % 2];
    slots[rank_].assign(own.begin(), own.end());
    shared_.barrier.arrive_and_wait();
    auto to = all.begin();
    for (const auto& bytes : slots) to = std::ranges::copy(bytes, to).out;
  }

 private:
  RankThreads& shared_;
  std::size_t rank_;
  std::size_t calls_ = 0;
};

/// A TestContext that is one of several ranks.
class RankContext final : public Context {
 public:
  RankContext(Transport& transport, std::size_t threads, std::uint64_t seed = 1)
      : alone_(threads, seed), collectives_(transport, [this] { return alone_.stop.load(); }) {}
  void log(LogLevel level, std::string_view message) override { alone_.log(level, message); }
  Random random() const override { return alone_.random(); }
  StopReason stop_requested() const noexcept override { return collectives_.stop(); }
  void progress(double, double) override {}
  std::size_t memory_budget() const noexcept override { return alone_.budget; }
  std::size_t threads() const noexcept override { return alone_.threads(); }
  void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) override {
    alone_.parallel_for(count, body);
  }
  RankedCollectives& collectives() noexcept override { return collectives_; }
  TestContext& alone() noexcept { return alone_; }

 private:
  TestContext alone_;
  RankedCollectives collectives_;
};

/// Calls body(transport) on `ranks` ranks at once. Rethrows the first exception that is not a
/// RankFailure.
inline void on_transports(std::size_t ranks, const std::function<void(Transport&)>& body) {
  RankThreads shared(ranks);
  std::vector<std::exception_ptr> failures(ranks);
  {
    std::vector<std::jthread> running;
    for (std::size_t r = 0; r < ranks; ++r)
      running.emplace_back([&, r] {
        ThreadTransport transport(shared, r);
        try {
          body(transport);
        } catch (...) {
          failures[r] = std::current_exception();
        }
      });
  }
  std::exception_ptr heard;
  for (const auto& failure : failures) {
    if (!failure) continue;
    try {
      std::rethrow_exception(failure);
    } catch (const RankFailure&) {
      heard = failure;
    } catch (...) {
      throw;
    }
  }
  if (heard) std::rethrow_exception(heard);
}

/// The same with a context for each rank. If one throws, the other ranks learn of it at their next
/// collective call.
inline void on_ranks(std::size_t ranks, const std::function<void(RankContext&)>& body,
                     std::size_t threads = 1) {
  on_transports(ranks, [&](Transport& transport) {
    RankContext context(transport, threads);
    try {
      body(context);
      context.collectives().agree();
    } catch (const RankFailure&) {
      throw;
    } catch (const std::exception& failure) {
      context.collectives().fail(failure.what());
      throw;
    }
  });
}

/// Rows that let each rank read only its own, as in a run.
class OwnRows final : public Rows {
 public:
  OwnRows(const Rows& all, const Collectives& ranks)
      : all_(all), own_(ranks.own(RowParts(all.rows()))) {}
  std::size_t rows() const noexcept override { return all_.rows(); }
  std::size_t cols() const noexcept override { return all_.cols(); }
  MatrixView view(std::size_t first, std::size_t count) const override {
    if (first < own_.first_row || first + count > own_.end_row())
      throw Error("it looks at rows that are not its own");
    return all_.view(first, count);
  }
  void release(std::size_t, std::size_t) const override {}

 private:
  const Rows& all_;
  OwnParts own_;
};

}  // namespace semblance::testing

// SPDX-License-Identifier: MIT
#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "semblance/transport.hpp"

namespace semblance {
namespace {

/// MPI counts in int: longer messages are sent in pieces.
constexpr std::size_t piece = std::size_t{1} << 30;

void check(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text = {};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  throw Error(std::string("MPI cannot ") + what + ": " +
              std::string(text.data(), static_cast<std::size_t>(length)));
}

template <class Body>
void in_pieces(std::size_t bytes, const Body& body) {
  for (std::size_t at = 0; at < bytes; at += piece)
    body(at, static_cast<int>(std::min(piece, bytes - at)));
}

/// Where all ranks are on one machine, its memory carries the messages. Open MPI also finds that
/// out, but most of its start time goes into a search for fast networks (0.17 of 0.27 s), which
/// only its component `cm` needs. The user's settings stay unchanged, and so does everything with
/// several machines or another MPI.
void leave_networks_alone() {
  const char* const all = std::getenv("OMPI_COMM_WORLD_SIZE");
  const char* const here = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
  if (!all || !here || std::string_view(all) != here) return;
  for (const char* chosen : {"OMPI_MCA_pml", "OMPI_MCA_mtl", "OMPI_MCA_btl"})
    if (std::getenv(chosen)) return;
  ::setenv("OMPI_MCA_pml", "ob1", 0);
}

class MpiTransport final : public Transport {
 public:
  MpiTransport() {
    leave_networks_alone();
    int provided = 0;
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided), "start");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (provided < MPI_THREAD_SERIALIZED)
      throw Error("this MPI cannot be called from a program with threads");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    learn_places();
    learn_sharers();
  }

  ~MpiTransport() override {
    int ended = 0;
    MPI_Finalized(&ended);
    if (!ended) MPI_Finalize();
  }

  std::size_t rank() const noexcept override { return static_cast<std::size_t>(rank_); }
  std::size_t ranks() const noexcept override { return static_cast<std::size_t>(ranks_); }
  std::string place(std::size_t rank) const override { return places_.at(rank); }
  std::size_t sharers() const noexcept override { return sharers_; }

  void send(std::size_t to, std::span<const std::byte> bytes) override {
    in_pieces(bytes.size(), [&](std::size_t at, int count) {
      check(MPI_Send(bytes.data() + at, count, MPI_BYTE, static_cast<int>(to), 0, MPI_COMM_WORLD),
            "send");
    });
  }

  void receive(std::size_t from, std::span<std::byte> bytes) override {
    in_pieces(bytes.size(), [&](std::size_t at, int count) {
      MPI_Status status;
      check(MPI_Recv(bytes.data() + at, count, MPI_BYTE, static_cast<int>(from), 0, MPI_COMM_WORLD,
                     &status),
            "receive");
      int received = 0;
      MPI_Get_count(&status, MPI_BYTE, &received);
      if (received != count) throw Error("internal error: a message of the wrong size");
    });
  }

  void broadcast(std::size_t root, std::span<std::byte> bytes) override {
    in_pieces(bytes.size(), [&](std::size_t at, int count) {
      check(MPI_Bcast(bytes.data() + at, count, MPI_BYTE, static_cast<int>(root), MPI_COMM_WORLD),
            "broadcast");
    });
  }

  void gather(std::span<const std::byte> own, std::span<const std::size_t> sizes,
              std::span<std::byte> all) override {
    if (all.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
      return gather_by_broadcasts(own, sizes, all);
    std::vector<int> counts, places;
    int next = 0;
    for (const std::size_t size : sizes) {
      counts.push_back(static_cast<int>(size));
      places.push_back(next);
      next += counts.back();
    }
    check(MPI_Allgatherv(own.data(), static_cast<int>(own.size()), MPI_BYTE, all.data(),
                         counts.data(), places.data(), MPI_BYTE, MPI_COMM_WORLD),
          "gather");
  }

 private:
  void gather_by_broadcasts(std::span<const std::byte> own, std::span<const std::size_t> sizes,
                            std::span<std::byte> all) {
    std::size_t at = 0;
    for (std::size_t r = 0; r < sizes.size(); ++r) {
      const std::span<std::byte> part = all.subspan(at, sizes[r]);
      if (r == rank()) std::ranges::copy(own, part.begin());
      broadcast(r, part);
      at += sizes[r];
    }
  }

  template <class T>
  std::vector<T> of_all(const T& own) {
    std::vector<T> all(ranks());
    const std::vector<std::size_t> sizes(ranks(), sizeof(T));
    gather(std::as_bytes(std::span(&own, 1)), sizes, std::as_writable_bytes(std::span(all)));
    return all;
  }

  void learn_places() {
    std::array<char, MPI_MAX_PROCESSOR_NAME + 1> name = {};
    int length = 0;
    MPI_Get_processor_name(name.data(), &length);
    for (const auto& each : of_all(name)) places_.emplace_back(each.data());
  }

  void learn_sharers() {
    cpu_set_t own;
    CPU_ZERO(&own);
    ::sched_getaffinity(0, sizeof(own), &own);
    const std::vector<cpu_set_t> all = of_all(own);
    sharers_ = 0;
    // One common core is enough: then all threads together never exceed the cores.
    for (std::size_t r = 0; r < all.size(); ++r) {
      cpu_set_t both;
      CPU_AND(&both, &all[r], &own);
      sharers_ += places_[r] == places_[rank()] && CPU_COUNT(&both) > 0;
    }
  }

  int rank_ = 0;
  int ranks_ = 1;
  std::size_t sharers_ = 1;
  std::vector<std::string> places_;
};

}  // namespace
}  // namespace semblance

/// The only transport of the process, which ends with it. Where MPI cannot be started, returns
/// nullptr, with the reason in `problem`.
extern "C" __attribute__((visibility("default"))) semblance::Transport* semblance_mpi_transport(
    const char** problem) {
  static std::unique_ptr<semblance::Transport> transport;
  static std::string why;
  try {
    if (!transport) transport = std::make_unique<semblance::MpiTransport>();
    return transport.get();
  } catch (const std::exception& failure) {
    why = failure.what();
    *problem = why.c_str();
    return nullptr;
  }
}

/// The name of this MPI, in one line; MPI need not be started for that.
extern "C" __attribute__((visibility("default"))) const char* semblance_mpi_library() {
  static const std::string text = [] {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> all = {};
    int length = 0;
    if (MPI_Get_library_version(all.data(), &length) != MPI_SUCCESS) return std::string("unknown");
    const std::string told(all.data());
    return told.substr(0, told.find_first_of(",\n"));
  }();
  return text.c_str();
}

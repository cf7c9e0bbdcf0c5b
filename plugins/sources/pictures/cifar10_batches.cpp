// SPDX-License-Identifier: MIT
#include "cifar10_batches.hpp"

#include <algorithm>
#include <vector>

#include "byte_reader.hpp"
#include "semblance/error.hpp"

namespace semblance::sources::cifar10 {
namespace {

/// Reads and checks a file's first records, one per label.
void read_batch(const BatchFile& out, const WantedRows& wanted, Context& context) {
  constexpr std::size_t most = 500;  // records between two polls for a stop request
  const std::size_t rows = out.labels.size();
  std::vector<unsigned char> passing(wanted.all() ? 0 : std::min(most, rows) * record);
  std::size_t kept = 0;
  ByteReader reader(out.path);
  for (std::size_t first = 0, step = 0; first < rows; first += step) {
    context.check_stop();
    step = std::min(most, rows - first);
    const auto part = wanted.all() ? out.records.subspan(first * record, step * record)
                                   : std::span(passing).first(step * record);
    const std::size_t got = reader.read(part);
    if (got < part.size()) cut_off(out.path, reader.position());
    for (std::size_t i = 0; i < step; ++i) {
      if (part[i * record] >= classes)
        throw DataError(out.path, "byte " + std::to_string((first + i) * record),
                        "the label is " + std::to_string(part[i * record]) +
                            ", but CIFAR-10 has labels 0 to 9; check that this is a batch of the "
                            "binary version");
      out.labels[first + i] = part[i * record];
      if (wanted.all() || !wanted.contains(out.first + static_cast<std::int64_t>(first + i)))
        continue;
      std::ranges::copy(part.subspan(i * record, record),
                        out.records.subspan(kept++ * record).begin());
    }
  }
  if (rows == batch_rows) reader.expect_end("10000 records of 3073 bytes");
}

}  // namespace

void cut_off(const std::string& file, std::uint64_t end) {
  throw DataError(file, "byte " + std::to_string(end),
                  "the file ends within record " + std::to_string(end / record + 1) + " of " +
                      std::to_string(batch_rows) +
                      "; a CIFAR-10 batch has 30,730,000 bytes, download it again");
}

void read_batches(std::span<const BatchFile> files, const WantedRows& wanted, Context& context) {
  context.parallel_for(files.size(), [&](std::size_t f) { read_batch(files[f], wanted, context); });
}

}  // namespace semblance::sources::cifar10

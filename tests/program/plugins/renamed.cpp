// SPDX-License-Identifier: MIT
// A measure in two versions: as it was, and with the names that it has now.
#include "semblance/plugin.hpp"
#include "semblance/row_similarity.hpp"

namespace semblance {
namespace {

class Cauchy final : public RowSimilarity<Cauchy> {
 public:
  static Declaration<Cauchy> declare() {
#ifdef SEMBLANCE_TEST_FORMER
    return Declaration<Cauchy>("similarity/bell", "Cauchy kernel")
        .parameter("sigma", &Cauchy::width_, "the distance at which it is 1/2", above(0))
        .parameter("tail", &Cauchy::tail_, "how it falls", choices({"heavy", "light"}))
        .parameter("threads", &Cauchy::threads_, "number of threads", at_least(1));
#else
    return Declaration<Cauchy>("similarity/cauchy", "Cauchy kernel")
        .parameter("width", &Cauchy::width_, "the distance at which it is 1/2", above(0))
        .parameter("tail", &Cauchy::tail_, "how it falls", choices({"squared", "light"}))
        .parameter("scale", &Cauchy::scale_, "factor of the result", above(0))
        .deprecated({.written = "sigma", .since = "1.1", .instead = "width"})
        .deprecated({.written = "tail: heavy", .since = "1.1", .instead = "tail: squared"})
        .deprecated({.written = "similarity/bell", .since = "1.1"})
        .gone({.written = "threads", .since = "1.0", .advice = "give --threads", .usual = "1"});
#endif
  }
  template <class T>
  T compare(std::span<const T> b, std::span<const T> x) const {
    T sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += (b[i] - x[i]) * (b[i] - x[i]);
    const T distance = static_cast<T>(sum / width_ / width_);
    return static_cast<T>(scale_ / (1 + (tail_ == "light" ? distance * distance : distance)));
  }

 private:
  double width_ = 1;
  double scale_ = 1;
#ifdef SEMBLANCE_TEST_FORMER
  std::string tail_ = "heavy";
  std::int64_t threads_ = 1;
#else
  std::string tail_ = "squared";
#endif
};

}  // namespace
}  // namespace semblance

SEMBLANCE_PLUGIN("renamed", "1.0", "MIT", semblance::Cauchy)

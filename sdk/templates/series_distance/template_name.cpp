#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "semblance/distance.hpp"
#include "semblance/plugin.hpp"

namespace plugin {
using namespace semblance;

/// The discrete Fréchet distance: two walkers move along the series without turning back; the
/// distance is the shortest leash that lets both arrive.
class TemplateNameDistance final : public RowDistance<TemplateNameDistance> {
 public:
  static Declaration<TemplateNameDistance> declare() {
    Declaration<TemplateNameDistance> declaration("similarity/template_name",
                                                  "Discrete Frechet distance of series");
    return distance_parameters(declaration)
        .accepts({LayoutKind::sequence})
        .symmetric()
        .reference("Eiter and Mannila (1994), Computing discrete Frechet distance")
        .complexity("n m steps for series of n and m steps")
        .documentation("Steps are compared by their Euclidean distance over all channels.")
        .example(R"(
          series: {is: source/warped_series}
          z:      {is: feature/znorm, from: series}
          bases:  {is: basis/random_per_class, per_class: 5, from: series}
          mine:   {is: similarity/template_name, from: z, bases: bases}
          map:    {is: normalizer/mean_norm, from: mine}
          svm:    {is: solver/linear_svm, C: 10, from: map}
          test:   {is: evaluator/classification, from: svm})");
  }

  double distance(std::span<const float> b, std::span<const float> x) const {
    const std::size_t channels = layout().depth, m = b.size() / channels, n = x.size() / channels;
    // leash[j + 1]: the length needed to reach the current step of x and step j of b.
    std::vector<double> leash(m + 1, std::numeric_limits<double>::infinity());
    leash[0] = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double diagonal = leash[0];
      leash[0] = std::numeric_limits<double>::infinity();
      for (std::size_t j = 0; j < m; ++j) {
        const double before = std::min({diagonal, leash[j + 1], leash[j]});
        diagonal = leash[j + 1];
        leash[j + 1] = std::max(before, between(&x[i * channels], &b[j * channels], channels));
      }
    }
    return leash.back();
  }

 private:
  static double between(const float* a, const float* b, std::size_t channels) {
    double sum = 0;
    for (std::size_t c = 0; c < channels; ++c) sum += (a[c] - b[c]) * (a[c] - b[c]);
    return std::sqrt(sum);
  }
};

}  // namespace plugin

SEMBLANCE_PLUGIN("template_name", "0.1.0", "MIT", plugin::TemplateNameDistance)

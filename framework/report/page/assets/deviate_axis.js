// The axes of DET curves.

// The standard normal quantile; Acklam's rational approximation, relative error below 1.2e-9.
function normalDeviate(p) {
  const a = [
    -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716,
    2.506628277459239
  ];
  const b = [
    -54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972,
    -13.28068155288572, 1
  ];
  const c = [
    -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734,
    4.374664141464968, 2.938163982698783
  ];
  const d = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1];
  const value = (factors, x) => factors.reduce((sum, factor) => sum * x + factor, 0);
  if (p > 0.5) return -normalDeviate(1 - p);
  if (p < 0.02425) {
    const q = Math.sqrt(-2 * Math.log(p));
    return value(c, q) / value(d, q);
  }
  const q = p - 0.5;
  return (value(a, q * q) * q) / value(b, q * q);
}

// The axes of a DET curve (Martin et al. 1997): error rates by their normal deviates, both over the
// same range, so that equal rates are on the diagonal. Rates outside of the range are not drawn.
function deviateScale(points, range) {
  const high = 0.6;
  const seen = points.filter((point) => point.x <= high && point.y <= high);
  const rates = seen.flatMap((point) => [point.x, point.y]).filter((rate) => rate > 0);
  const low = Math.max(1e-6, 0.8 * Math.min(0.1, d3.min(rates) ?? 0.01));
  const linear = d3.scaleLinear().domain([normalDeviate(low), normalDeviate(high)]).range(range);
  const scale = (value) => (value < low || value > high ? NaN : linear(normalDeviate(value)));
  scale.domain = () => [low, high];
  scale.range = () => range;
  scale.copy = () => scale;
  scale.deviateTicks = (wanted) => {
    const round = [1e-5, 1e-4, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6];
    const visible = round.filter((value) => value >= low && value <= high);
    return visible.filter(
        (_, i) => (visible.length - 1 - i) % Math.ceil(visible.length / wanted) === 0);
  };
  return scale;
}

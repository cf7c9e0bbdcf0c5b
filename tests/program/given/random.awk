# The same numbers from every awk: Lehmer's generator, and sums of twelve for a normal distribution.
function uniform() { seed = (seed ? seed : 1) * 16807 % 2147483647; return seed / 2147483647 }
function below(end) { return int(uniform() * end) }
function normal(  i, sum) { for (sum = -6; i < 12; ++i) sum += uniform(); return sum }

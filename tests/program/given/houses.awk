# Prices that depend on area and year, with a column for no purpose. Years are far from 0.
BEGIN {
  print prices ? "area,price,year,door" : "year,area,door"
  for (i = 0; i < rows; ++i) {
    area = 30 + i * 37 % 200; year = 1900 + i * 53 % 120; door = i * 7 % 11
    price = 100000 + 2500 * area + 900 * (year - 1900) + i * 131 % 7919
    print prices ? area "," price "," year "," door : year "," area "," door
  }
}

// `make bench`: ratios from one run. Nothing fails here; the aims stand beside the figures.
#include "bench/measure.h"

int main() {
  ebb::bench::run_select_benchmarks();
  ebb::bench::run_decode_benchmarks();
}

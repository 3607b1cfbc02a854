// `make bench`: ratios from one run. Nothing fails here; the aims stand beside the figures.
#include "base/memory.h"
#include "bench/measure.h"

int main() {
  ebb::keep_freed_memory();  // as the program does
  ebb::bench::run_select_benchmarks();
  ebb::bench::run_decode_benchmarks();
  ebb::bench::run_apiserver_benchmarks();
}

// Measures ratios. The compared programs run alternately, several times, in one process, and the
// median counts, so that a figure is valid on a noisy machine and comparable between machines.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace ebb::bench {

template <class Work>
double seconds(Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

inline double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

// Prints one line per figure: name, value and aim.
inline void print(const char* name, double value, const char* unit, const char* aim) {
  std::printf("bench %s %.2f %s aim %s\n", name, value, unit, aim);
  std::fflush(stdout);
}

// Prints the current step as progress.
inline void announce(const char* text) { std::fprintf(stderr, "%s ...\n", text); }

// Keeps the compiler from dropping an unused result.
template <class T>
void keep(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

void run_select_benchmarks();
void run_ranking_benchmarks();
void run_ranker_benchmarks();
void run_ranker_turn_benchmarks();
void run_decode_benchmarks();
void run_apiserver_benchmarks();
void run_cluster_benchmarks();
void run_picker_benchmarks();
void run_webhook_benchmarks();

}  // namespace ebb::bench

// Measuring ratios. What is compared runs alternately, several times, in one
// process, and the median counts, so that a figure holds on a noisy machine and can
// be compared between machines.
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

// One line a figure: what, how much, and what it is meant to be.
inline void print(const char* name, double value, const char* unit, const char* aim) {
  std::printf("bench %s %.2f %s aim %s\n", name, value, unit, aim);
  std::fflush(stdout);
}

// What is being done, for whoever waits for it.
inline void note(const char* text) { std::fprintf(stderr, "%s ...\n", text); }

// Keeps the compiler from dropping a result that nobody reads.
template <class T>
void keep(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

void run_select_benchmarks();
void run_ranking_benchmarks();
void run_ranker_benchmarks();
void run_decode_benchmarks();
void run_apiserver_benchmarks();
void run_cluster_benchmarks();
void run_picker_benchmarks();

}  // namespace ebb::bench

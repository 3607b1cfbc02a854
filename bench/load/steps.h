// The steps of the load client; each run of the program executes one. Pods are numbered, and
// their names are derived from the numbers.
#pragma once

#include <cstddef>
#include <string>

#include "bench/https_client.h"

namespace ebb::bench {

// Pods are numbered; their names follow from that.
struct WriteStep {
  std::size_t first = 0;
  std::size_t count = 0;
  std::size_t connections = 64;
  std::string owner;  // the uid of the ReplicaSet that pods are made for
};

struct ListStep {
  std::string form = "json";  // or protobuf
  std::size_t limit = 0;      // of a page; 0: all at once
};

struct WatchStep {
  std::size_t watchers = 1000;
  std::size_t connections = 8;
  std::size_t updates = 200;  // as fast as they go
  std::size_t paced = 50;     // one after the other, so that each finds the server at rest
  std::size_t pace_ms = 100;
};

// Each returns what was measured, as the members of a JSON object.
std::string create_pods(HttpsClient& client, const WriteStep& step);
std::string delete_pods(HttpsClient& client, const WriteStep& step);
std::string list_pods(HttpsClient& client, const ListStep& step);
std::string watch_pods(HttpsClient& client, const WatchStep& step);

}  // namespace ebb::bench

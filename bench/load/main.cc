// ebb_load: puts load on a Kubernetes API server on this machine, ebb's or another, and prints
// the measurements as one line of JSON. `make bench-cluster` runs it once per step.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <sstream>
#include <string>

#include <CLI/CLI.hpp>
#include <sys/resource.h>

#include "bench/https_client.h"
#include "bench/load/steps.h"
#include "bench/require.h"

namespace ebb::bench {
namespace {

struct Arguments {
  Endpoint server;
  std::string authority_file;
  WriteStep write;
  ListStep list;
  WatchStep watch;
  std::string (*run)(HttpsClient& client, const Arguments& arguments) = nullptr;
};

void declare_write(CLI::App& step, WriteStep& write) {
  step.add_option("--first", write.first, "The number of the first pod");
  step.add_option("--count", write.count, "How many pods")->required();
  step.add_option("--connections", write.connections, "How many requests are under way at a time");
}

void declare(CLI::App& app, Arguments& arguments) {
  app.add_option("--port", arguments.server.port, "Of the server, on 127.0.0.1")->required();
  app.add_option("--authority", arguments.authority_file, "A PEM file to trust")->required();
  app.add_option("--token", arguments.server.token, "A bearer token")->required();
  app.require_subcommand(1);

  CLI::App* const create = app.add_subcommand("create", "Create pods of 3 KB");
  declare_write(*create, arguments.write);
  create->add_option("--owner", arguments.write.owner, "The uid of their ReplicaSet")->required();
  create->callback([&] {
    arguments.run = [](HttpsClient& client, const Arguments& all) {
      return create_pods(client, all.write);
    };
  });
  CLI::App* const remove = app.add_subcommand("delete", "Delete pods");
  declare_write(*remove, arguments.write);
  remove->callback([&] {
    arguments.run = [](HttpsClient& client, const Arguments& all) {
      return delete_pods(client, all.write);
    };
  });
  CLI::App* const list = app.add_subcommand("list", "List all pods");
  list->add_option("--form", arguments.list.form)->check(CLI::IsMember({"json", "protobuf"}));
  list->add_option("--limit", arguments.list.limit, "Of a page; 0 is all at once");
  list->callback([&] {
    arguments.run = [](HttpsClient& client, const Arguments& all) {
      return list_pods(client, all.list);
    };
  });
  CLI::App* const watch = app.add_subcommand("watch", "Update pods that many watch");
  watch->add_option("--watchers", arguments.watch.watchers);
  watch->add_option("--connections", arguments.watch.connections, "Over which updates are sent");
  watch->add_option("--updates", arguments.watch.updates, "As fast as they go");
  watch->add_option("--paced", arguments.watch.paced, "Updates whose latency is measured");
  watch->callback([&] {
    arguments.run = [](HttpsClient& client, const Arguments& all) {
      return watch_pods(client, all.watch);
    };
  });
}

// A thousand watchers are a thousand files.
void raise_file_limit() {
  rlimit limit{};
  require(::getrlimit(RLIMIT_NOFILE, &limit) == 0, "no limit of files");
  limit.rlim_cur = std::max<rlim_t>(limit.rlim_cur, std::min<rlim_t>(8192, limit.rlim_max));
  require(::setrlimit(RLIMIT_NOFILE, &limit) == 0, "too few files may be open");
}

int run(int count, char** words) {
  CLI::App app("Puts load on a Kubernetes API server.");
  Arguments arguments;
  declare(app, arguments);
  CLI11_PARSE(app, count, words);
  std::ostringstream authority;
  authority << std::ifstream(arguments.authority_file).rdbuf();
  arguments.server.authority_pem = authority.str();
  raise_file_limit();
  HttpsClient client(arguments.server);
  std::printf("{%s}\n", arguments.run(client, arguments).c_str());
  return 0;
}

}  // namespace
}  // namespace ebb::bench

int main(int count, char** words) {
  try {
    return ebb::bench::run(count, words);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "ebb_load: %s\n", problem.what());
    return 1;
  }
}

#include "bench/server_process.h"

#include <array>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <openssl/evp.h>
#include <unistd.h>

#include "bench/require.h"

namespace ebb::bench {
namespace {

std::string read_file(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// The kubeconfig is our own, with one `key: value` a line.
std::string value_of(const std::string& kubeconfig, std::string_view key) {
  const auto start = kubeconfig.find(key);
  require(start != std::string::npos, "the kubeconfig lacks something");
  const auto value = start + key.size();
  return kubeconfig.substr(value, kubeconfig.find('\n', value) - value);
}

}  // namespace

std::string from_base64(const std::string& text) {
  std::vector<unsigned char> bytes(text.size());
  const int size =
      EVP_DecodeBlock(bytes.data(), reinterpret_cast<const unsigned char*>(text.data()),
                      static_cast<int>(text.size()));
  require(size > 0, "not base64");
  return {bytes.begin(), bytes.begin() + size};
}

namespace {

Endpoint read_endpoint(const std::filesystem::path& file) {
  const std::string kubeconfig = read_file(file);
  const std::string server = value_of(kubeconfig, "server: ");
  Endpoint endpoint{.authority_pem = from_base64(value_of(kubeconfig, "authority-data: ")),
                    .token = value_of(kubeconfig, "token: ")};
  std::from_chars(server.data() + server.rfind(':') + 1, server.data() + server.size(),
                  endpoint.port);
  return endpoint;
}

}  // namespace

ServerProcess::ServerProcess(const std::filesystem::path& data_folder) {
  std::array<int, 2> output{};
  require(::pipe2(output.data(), O_CLOEXEC) == 0, "no pipe");
  process_.emplace(std::vector<std::string>{"up", "--port", "0", "--nodes", "1x1",
                                            "--controllers=garbage-collector", "--data-dir",
                                            data_folder.string()},
                   output[1]);
  ::close(output[1]);
  output_ = output[0];
  wait_until_ready();
  endpoint_ = read_endpoint(data_folder / "ebb.kubeconfig");
}

void ServerProcess::wait_until_ready() const {
  std::string said;
  std::array<char, 4096> piece{};
  while (said.find("\nready\n") == std::string::npos) {
    const ssize_t count = ::read(output_, piece.data(), piece.size());
    require(count > 0, "ebb up ended instead of becoming ready");
    said.append(piece.data(), static_cast<std::size_t>(count));
  }
}

ServerProcess::~ServerProcess() {
  process_.reset();
  ::close(output_);
}

}  // namespace ebb::bench

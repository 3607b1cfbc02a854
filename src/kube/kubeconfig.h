// Reads kubeconfig files and merges them.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "base/result.h"

namespace ebb::kube {

// Several files are merged: the first file with an entry of a name provides the whole entry, and
// the first file with a current context provides that.
class Kubeconfig {
 public:
  struct Named {
    std::filesystem::path file;
    boost::json::object value;
  };
  using Entries = std::map<std::string, Named, std::less<>>;

  [[nodiscard]] Result<void> add(const std::filesystem::path& file, std::string_view yaml);

  [[nodiscard]] const Entries& clusters() const { return clusters_; }
  [[nodiscard]] const Entries& users() const { return users_; }
  [[nodiscard]] const Entries& contexts() const { return contexts_; }
  [[nodiscard]] const std::string& current_context() const { return current_context_; }
  // For errors: "a, b".
  [[nodiscard]] std::string files() const;

 private:
  Entries clusters_;
  Entries users_;
  Entries contexts_;
  std::string current_context_;
  std::vector<std::filesystem::path> files_;
};

// `a, b and c`, or `none`.
[[nodiscard]] std::string names_of(const Kubeconfig::Entries& entries);

}  // namespace ebb::kube

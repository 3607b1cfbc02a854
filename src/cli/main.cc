#include <iostream>

#include "base/memory.h"
#include "cli/app.h"

int main(int argc, char** argv) {
  ebb::keep_freed_memory();
  return ebb::cli::run(argc, argv, {std::cin, std::cout, std::cerr});
}

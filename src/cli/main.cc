#include <iostream>

#include "cli/app.h"

int main(int argc, char** argv) {
  return ebb::cli::run(argc, argv, {std::cin, std::cout, std::cerr});
}

# Warnings are errors, assertions stay on in release (EBB_CHECK does not look at
# NDEBUG), and frame pointers are kept so that a profile of a release is readable.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor
                    -Woverloaded-virtual -Werror -fno-omit-frame-pointer)
if(EBB_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ takes a source that a unity file includes for a header.
  add_compile_options(-Wno-subobject-linkage)
elseif(EBB_UNITY)
  # clang takes equal aliases in two such sources for shadowing; g++ tells them apart.
  add_compile_options(-Wno-shadow)
endif()

# ebb reads bytes that tenants wrote, so every build is hardened, the release included.
# tests/hardening_test.cc inspects the binary. OFF only measures what hardening costs.
option(EBB_HARDENED "Compile with stack, heap and control-flow protection" ON)
if(EBB_HARDENED)
  add_compile_options(-fPIE -fstack-protector-strong -fstack-clash-protection -fcf-protection)
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
  add_link_options(-pie -Wl,-z,relro,-z,now)
  if(NOT EBB_SANITIZE)
    # The sanitizers replace the functions that _FORTIFY_SOURCE checks.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
      set(fortify_level 2)
    else()
      set(fortify_level 3)
    endif()
    add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${fortify_level})
  endif()
endif()

if(EBB_SANITIZE)
  # g++ and clang++ have different ways to tell, so that tests look at this.
  add_compile_definitions(EBB_SANITIZED)
  add_compile_options(-fsanitize=${EBB_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${EBB_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # With sanitizers on, g++ 12 sees these in std::regex, where there are none.
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
endif()

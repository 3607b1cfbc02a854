# Warnings are errors, assertions stay on in release (EBB_CHECK does not look at
# NDEBUG), and frame pointers are kept so that a profile of a release is readable.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor
                    -Woverloaded-virtual -Werror -fno-omit-frame-pointer)

if(EBB_SANITIZE)
  add_compile_options(-fsanitize=${EBB_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${EBB_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # With sanitizers on, g++ 12 sees these in std::regex, where there are none.
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
endif()

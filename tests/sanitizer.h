#pragma once

// SPECLAB_ADDRESS_SANITIZER is defined where AddressSanitizer is built in: g++ and clang say so in
// two ways.
#if defined(__SANITIZE_ADDRESS__)
#define SPECLAB_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SPECLAB_ADDRESS_SANITIZER
#endif
#endif

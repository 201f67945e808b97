#pragma once

// SPECLAB_FLATTEN before a function: everything that it calls becomes part of it.

// A sanitizer's checks make a function of everything too large to compile.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SPECLAB_FLATTEN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SPECLAB_FLATTEN
#endif
#endif
#ifndef SPECLAB_FLATTEN
#define SPECLAB_FLATTEN [[gnu::flatten]]
#endif

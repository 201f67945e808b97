/* Preloaded into a program, makes one call of a kind fail: SPECLAB_FAIL=malloc:7 the seventh
 * allocation after the program has set up its guards (from where it hands GMP its memory), also
 * write, fsync and thread; abort:1 ends it by abort() at the first fsync. SPECLAB_FAIL=malloc:0
 * fails none. SPECLAB_FAIL=clock:1 lets the time of day jump at each look at it, 40 days on or
 * back. At its end the program writes how many calls there were to the file that SPECLAB_COUNT
 * names. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

extern void* __libc_malloc(size_t size);

static atomic_int armed;
static atomic_long calls;

/* Whether this call of the kind is the one that fails. */
static int fails(const char* kind) {
  if (!atomic_load(&armed)) return 0;
  const char* wanted = getenv("SPECLAB_FAIL");
  const size_t length = strlen(kind);
  if (wanted == NULL || strncmp(wanted, kind, length) != 0 || wanted[length] != ':') return 0;
  return atomic_fetch_add(&calls, 1) + 1 == strtol(wanted + length + 1, NULL, 10);
}

void __gmp_set_memory_functions(void* (*allocate)(size_t), void* (*resize)(void*, size_t, size_t),
                                void (*release)(void*, size_t)) {
  void (*set)(void* (*)(size_t), void* (*)(void*, size_t, size_t), void (*)(void*, size_t)) =
      dlsym(RTLD_NEXT, "__gmp_set_memory_functions");
  set(allocate, resize, release);
  /* A library may hand GMP its own, before main: what fails there is no fault of the program's. */
  Dl_info caller, program;
  if (dladdr(__builtin_return_address(0), &caller) != 0 &&
      dladdr((void*)getauxval(AT_ENTRY), &program) != 0 && caller.dli_fbase == program.dli_fbase) {
    atomic_store(&armed, 1);
  }
}

void* malloc(size_t size) {
  if (!fails("malloc")) return __libc_malloc(size);
  errno = ENOMEM;
  return NULL;
}

ssize_t write(int file, const void* bytes, size_t count) {
  ssize_t (*real)(int, const void*, size_t) = dlsym(RTLD_NEXT, "write");
  /* What is said of a failure is not failed. */
  if (file == STDERR_FILENO || !fails("write")) return real(file, bytes, count);
  errno = ENOSPC;
  return -1;
}

static ssize_t placed(const char* name, int file, const void* bytes, size_t count, off64_t at) {
  ssize_t (*real)(int, const void*, size_t, off64_t) = dlsym(RTLD_NEXT, name);
  if (!fails("write")) return real(file, bytes, count, at);
  errno = ENOSPC;
  return -1;
}
ssize_t pwrite(int file, const void* bytes, size_t count, off_t at) {
  return placed("pwrite", file, bytes, count, at);
}
ssize_t pwrite64(int file, const void* bytes, size_t count, off64_t at) {
  return placed("pwrite64", file, bytes, count, at);
}

static int synced(const char* name, int file) {
  int (*real)(int) = dlsym(RTLD_NEXT, name);
  if (fails("abort")) abort();
  if (!fails("fsync")) return real(file);
  errno = EIO;
  return -1;
}
int fsync(int file) { return synced("fsync", file); }
int fdatasync(int file) { return synced("fdatasync", file); }

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  int (*real)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) =
      dlsym(RTLD_NEXT, "pthread_create");
  return fails("thread") ? EAGAIN : real(thread, attributes, start, argument);
}

/* By how many seconds the time of day is wrong at this look. */
static long jump(void) {
  const char* wanted = getenv("SPECLAB_FAIL");
  if (!atomic_load(&armed) || wanted == NULL || strcmp(wanted, "clock:1") != 0) return 0;
  return (atomic_fetch_add(&calls, 1) % 2 == 0 ? 40 : -40) * 86400L;
}

int clock_gettime(clockid_t clock, struct timespec* now) {
  int (*real)(clockid_t, struct timespec*) = dlsym(RTLD_NEXT, "clock_gettime");
  const int code = real(clock, now);
  if (code == 0 && clock == CLOCK_REALTIME) now->tv_sec += jump();
  return code;
}

int gettimeofday(struct timeval* restrict now, void* restrict zone) {
  int (*real)(struct timeval*, void*) = dlsym(RTLD_NEXT, "gettimeofday");
  const int code = real(now, zone);
  if (code == 0) now->tv_sec += jump();
  return code;
}

time_t time(time_t* now) {
  struct timespec found;
  clock_gettime(CLOCK_REALTIME, &found);
  if (now != NULL) *now = found.tv_sec;
  return found.tv_sec;
}

__attribute__((destructor)) static void report(void) {
  const char* path = getenv("SPECLAB_COUNT");
  if (path == NULL) return;
  atomic_store(&armed, 0);
  FILE* file = fopen(path, "w");
  if (file == NULL) return;
  fprintf(file, "%ld\n", atomic_load(&calls));
  fclose(file);
}

/* The calls of a C or C++ program, while it runs; see native_calls.py, which builds this and reads what it writes.

   gcc -finstrument-functions calls the two functions below when a function begins and ends. Each thread has a stack of
   the functions that are active. A record is five words, and each different one is written once: the function, the place
   of its call, and the three functions below it on the stack (0: none). This file must not be instrumented itself. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEPTH (1 << 15)
#define SLOTS (1 << 21)
#define WORDS 5

struct frame {
  uintptr_t function, site, base;
};

static __thread struct frame stack[DEPTH];
static __thread int depth;
static uintptr_t seen[SLOTS][WORDS];
static volatile int lock;
static int output;

__attribute__((constructor(101))) static void begin(void) {
  char program[4096] = {0}, path[8192];
  const char *folder = getenv("CALLS");
  if (folder == NULL || readlink("/proc/self/exe", program, sizeof program - 1) < 0) return;
  for (char *at = program; *at; at++)
    if (*at == '/') *at = '%';
  snprintf(path, sizeof path, "%s/%d%s", folder, (int)getpid(), program);
  output = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
}

static void record(const uintptr_t *words) {
  uintptr_t hash = 0;
  for (int i = 0; i < WORDS; i++) hash = (hash ^ words[i]) * 0x9E3779B97F4A7C15u, hash ^= hash >> 29;
  while (__sync_lock_test_and_set(&lock, 1)) {
  }
  for (int tries = 0; tries < 64; tries++) {
    uintptr_t *slot = seen[(hash + tries) % SLOTS];
    if (memcmp(slot, words, sizeof *seen) == 0) break;
    if (slot[0] != 0) continue;
    memcpy(slot, words, sizeof *seen);
    if (output > 0 && write(output, words, sizeof *seen) < 0) output = -1;
    break;
  }
  __sync_lock_release(&lock);
}

void __cyg_profile_func_enter(void *function, void *site) {
  /* The frame of the function that begins. What longjmp left behind on the stack lies at it or below it, and an inlined
     function has the frame and the place of call of the function around it. */
  uintptr_t base = *(uintptr_t *)__builtin_frame_address(0);
  uintptr_t words[WORDS] = {(uintptr_t)function, (uintptr_t)site};
  while (depth > 0 && depth <= DEPTH) {
    struct frame *top = &stack[depth - 1];
    if (top->base > base || (top->base == base && top->site == (uintptr_t)site && top->function != words[0])) break;
    depth--;
  }
  for (int i = 0; i < WORDS - 2; i++)
    words[2 + i] = depth > i && depth <= DEPTH ? stack[depth - 1 - i].function : 0;
  record(words);
  if (depth < DEPTH) stack[depth] = (struct frame){words[0], (uintptr_t)site, base};
  depth++;
}

void __cyg_profile_func_exit(void *function, void *site) {
  (void)site;
  while (depth > 0) {
    depth--;
    if (depth >= DEPTH || stack[depth].function == (uintptr_t)function) break;
  }
}

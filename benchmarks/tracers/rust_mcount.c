/* The `mcount` of a traced Rust program: notes the stacks with which its functions were entered.

   Built and preloaded by rust_tracer.py. The compiler calls `mcount` at the entry of each function. A line of
   $TRACE_OUT.PID is one stack as addresses relative to the program, the function that was entered first; 0 is an
   address outside the program. A pair of function and return address is sampled at its first calls, then at the
   powers of two: what calls it directly is complete, what calls it through other code is a sample. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unwind.h>

enum { DEPTH = 64, PAIRS = 1 << 20, STACKS = 1 << 22, ALWAYS = 8 };

static struct { uintptr_t self, from; uint32_t count; } *pairs;
static uint64_t *stacks;
static uintptr_t base, first, last;
static int out = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread int busy __attribute__((tls_model("initial-exec")));

struct stack { int length; uintptr_t at[DEPTH]; };

static int segment(struct dl_phdr_info *info, size_t size, void *data) {
    base = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X)) {
            first = base + info->dlpi_phdr[i].p_vaddr;
            last = first + info->dlpi_phdr[i].p_memsz;
        }
    return 1; /* the program itself is the first */
}

__attribute__((constructor)) static void start(void) {
    char exe[4096] = "", name[4200];
    const char *under = getenv("TRACE_UNDER"), *to = getenv("TRACE_OUT");
    if (!under || !to || readlink("/proc/self/exe", exe, sizeof exe - 1) < 0 || strncmp(exe, under, strlen(under)))
        return;
    dl_iterate_phdr(segment, NULL);
    pairs = calloc(PAIRS, sizeof *pairs);
    stacks = calloc(STACKS, sizeof *stacks);
    snprintf(name, sizeof name, "%s.%d", to, getpid());
    int file = open(name, O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (pairs && stacks && file >= 0) {
        dprintf(file, "%s\n", exe);
        out = file;
    }
}

static _Unwind_Reason_Code frame(struct _Unwind_Context *context, void *data) {
    struct stack *stack = data;
    if (stack->length == DEPTH)
        return _URC_END_OF_STACK;
    stack->at[stack->length++] = _Unwind_GetIP(context);
    return _URC_NO_REASON;
}

static void sample(uintptr_t self) {
    struct stack stack = {0};
    _Unwind_Backtrace(frame, &stack);
    int start = 0;
    while (start < stack.length && stack.at[start] != self)
        start++;
    uint64_t hash = 1469598103934665603u;
    char line[DEPTH * 18 + 2], *end = line;
    for (int i = start; i < stack.length; i++) {
        uintptr_t at = stack.at[i] >= first && stack.at[i] < last ? stack.at[i] - base : 0;
        hash = (hash ^ at) * 1099511628211u;
        end += sprintf(end, "%lx ", (unsigned long)at);
    }
    *end++ = '\n';
    pthread_mutex_lock(&lock);
    uint64_t slot = hash % STACKS;
    for (int tries = 0; tries < 64 && stacks[slot] && stacks[slot] != hash; tries++)
        slot = (slot + 1) % STACKS;
    if (start < stack.length && stacks[slot] != hash) {
        stacks[slot] = hash;
        if (write(out, line, end - line) < 0)
            out = -1;
    }
    pthread_mutex_unlock(&lock);
}

__attribute__((visibility("hidden"), used)) void note(uintptr_t self, uintptr_t from) {
    if (out < 0 || busy || self < first || self >= last)
        return;
    uint64_t slot = ((self * 0x9E3779B97F4A7C15u) ^ (from * 0xC2B2AE3D27D4EB4Fu)) >> 44;
    for (int tries = 0; tries < 64; tries++, slot = (slot + 1) % PAIRS) {
        if (!pairs[slot].self) {
            pairs[slot].from = from;
            pairs[slot].self = self;
        }
        if (pairs[slot].self == self && pairs[slot].from == from) {
            uint32_t count = pairs[slot].count++;
            if (count >= ALWAYS && (count & (count - 1)))
                return;
            busy = 1;
            sample(self);
            busy = 0;
            return;
        }
    }
}

__asm__(".globl mcount\n.type mcount, @function\nmcount:\n"
        ".cfi_startproc\n"
        "push %rbp\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset %rbp, 0\n"
        "mov %rsp, %r11\n"
        "mov %rbp, %r10\n"
        "mov %rsp, %rbp\n.cfi_def_cfa_register %rbp\n"
        "sub $272, %rsp\nand $-16, %rsp\n"
        "mov %rax, (%rsp)\nmov %rcx, 8(%rsp)\nmov %rdx, 16(%rsp)\nmov %rsi, 24(%rsp)\n"
        "mov %rdi, 32(%rsp)\nmov %r8, 40(%rsp)\nmov %r9, 48(%rsp)\n"
        "movups %xmm0, 64(%rsp)\nmovups %xmm1, 80(%rsp)\nmovups %xmm2, 96(%rsp)\nmovups %xmm3, 112(%rsp)\n"
        "movups %xmm4, 128(%rsp)\nmovups %xmm5, 144(%rsp)\nmovups %xmm6, 160(%rsp)\nmovups %xmm7, 176(%rsp)\n"
        "mov 8(%r11), %rdi\nmov 8(%r10), %rsi\ncall note\n"
        "movups 64(%rsp), %xmm0\nmovups 80(%rsp), %xmm1\nmovups 96(%rsp), %xmm2\nmovups 112(%rsp), %xmm3\n"
        "movups 128(%rsp), %xmm4\nmovups 144(%rsp), %xmm5\nmovups 160(%rsp), %xmm6\nmovups 176(%rsp), %xmm7\n"
        "mov (%rsp), %rax\nmov 8(%rsp), %rcx\nmov 16(%rsp), %rdx\nmov 24(%rsp), %rsi\n"
        "mov 32(%rsp), %rdi\nmov 40(%rsp), %r8\nmov 48(%rsp), %r9\n"
        "leave\n.cfi_def_cfa %rsp, 8\nret\n.cfi_endproc\n.size mcount, .-mcount\n");

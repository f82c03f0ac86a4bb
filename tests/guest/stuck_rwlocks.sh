# SPDX-License-Identifier: GPL-2.0-or-later
# Description: kcatch stuck knows glibc's rwlocks: a writer that holds one is named, a deadlock of
# two is proven, readers are counted and not named; each thread of a deadlock is shown with its own
# stack; condition variables, barriers and semaphores are told apart, with their addresses.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
# shellcheck disable=SC2046 # a list of words
cleanup() {
	kill -KILL $(jobs -p)
}

cat >locks.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_rwlock_t first, second;
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;

#define THREAD(name, before, after) \
	static void *name(void *arg) { before; pthread_barrier_wait(&both); after; return arg; }

static struct timespec tomorrow(void)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 86400;
	return until;
}

THREAD(write_read, pthread_rwlock_wrlock(&first), pthread_rwlock_rdlock(&second))
THREAD(write_write, pthread_rwlock_wrlock(&second), pthread_rwlock_wrlock(&first))
THREAD(write_for_a_day, pthread_rwlock_wrlock(&second),
       struct timespec until = tomorrow(); pthread_rwlock_timedwrlock(&first, &until))
THREAD(reads, pthread_rwlock_rdlock(&first), pause())
THREAD(writes, , pthread_rwlock_wrlock(&first))
THREAD(takes_one, pthread_mutex_lock(&one), pthread_mutex_lock(&two))
THREAD(takes_two, pthread_mutex_lock(&two), pthread_mutex_lock(&one))

static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
THREAD(waits_for_condition, pthread_mutex_lock(&one), pthread_cond_wait(&condition, &one))

static void *comes_to_barrier(void *barrier)
{
	pthread_barrier_wait(barrier);
	return barrier;
}

static void *reads_late(void *arg)
{
	pthread_rwlock_rdlock(&first);
	return arg;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	pthread_rwlockattr_t attributes;
	pthread_t a, b, c;
	sem_t semaphore;

	pthread_rwlockattr_init(&attributes);
	pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	pthread_rwlock_init(&first, &attributes);
	pthread_rwlock_init(&second, &attributes);
	pthread_barrier_init(&both, NULL, 2);
	if (!strcmp(what, "semaphore")) {
		sem_init(&semaphore, 0, 0);
		printf("%p\n", (void *)&semaphore);
		fflush(stdout);
		sem_wait(&semaphore);
	}
	if (!strcmp(what, "condition")) {
		printf("%p\n", (void *)&condition);
		fflush(stdout);
		pthread_create(&a, NULL, waits_for_condition, NULL);
		pthread_barrier_wait(&both);
		pthread_join(a, NULL);
	}
	if (!strcmp(what, "barrier")) {
		pthread_barrier_t four;

		pthread_barrier_init(&four, NULL, 4);
		printf("%p\n", (void *)&four);
		fflush(stdout);
		pthread_create(&a, NULL, comes_to_barrier, &four);
		pthread_create(&b, NULL, comes_to_barrier, &four);
		pthread_join(a, NULL);
	}
	pthread_create(&a, NULL, !strcmp(what, "mutexes") ? takes_one :
				 !strcmp(what, "readers") ? reads : write_read, NULL);
	pthread_create(&b, NULL, !strcmp(what, "mutexes") ? takes_two :
				 !strcmp(what, "readers") ? writes :
				 !strcmp(what, "limited") ? write_for_a_day : write_write, NULL);
	if (!strcmp(what, "readers")) {
		/* Until the writer has said that it wants to. */
		while (!(*(volatile unsigned int *)&first & 2))
			usleep(1000);
		pthread_create(&c, NULL, reads_late, NULL);
	}
	pthread_join(a, NULL);
	return 0;
}
C
gcc -O1 -g -pthread -o locks locks.c || skip_all 'no C compiler'

# usage: runs WHAT THREADS: process $program runs it, until so many threads wait for a futex
runs() {
	./locks "$1" >address &
	program=$!	# to pause may start a process
	wait_for eval '[ "$(grep -l futex_wait /proc/$program/task/*/stack | wc -l)" = '"$2"' ]'
	mapfile -t tids < <(ls -v "/proc/$program/task")
	kcatch stuck -p $program >out 2>err
	first=$(head -n 1 out)
	kcatch stuck --json -p $program >json 2>>err
}
# usage: user_stack TID
user_stack() {
	sed -n "/-- user stack of $1 --/,/^\$/p" out
}
# usage: ends: process $program does
ends() {
	kill -KILL $program
	wait $program 2>/dev/null || :
}

runs deadlock 3
check_match 'two rwlocks: the verdict is the circle' "$first" \
	"^2 tasks deadlocked: locks\\(${tids[1]}\\) waits for rwlock 0x[0-9a-f]+ of its process \\(to read\\) held by locks\\(${tids[2]}\\), locks\\(${tids[2]}\\) waits for rwlock 0x[0-9a-f]+ of its process \\(to write\\) held by locks\\(${tids[1]}\\)"
check_equal 'in JSON, too' "$(jq -sc '[.[] | select(.deadlock).tid] | sort' json)" "[${tids[1]},${tids[2]}]"
ends

runs limited 3
check_no_match 'who gives up in time is in no deadlock' "$first" deadlocked
check_match 'though the owner is known' "$(cat out)" \
	"rwlock 0x[0-9a-f]+ of its process \\(to write\\) \\(for a limited time\\) held by locks\\(${tids[1]}\\)"
ends

runs readers 3
check_no_match 'held by readers: no deadlock' "$first" deadlocked
check_match 'a writer behind readers: how many' "$(cat out)" \
	'rwlock 0x[0-9a-f]+ of its process \(to write\) held by 1 reader \(the lock does not say which\)'
check_match 'a reader behind that writer' "$(cat out)" \
	'rwlock 0x[0-9a-f]+ of its process \(to read\) held by 1 reader \(the lock does not say which\)'
ends

runs mutexes 3
check_match 'two mutexes, whose threads have one kernel stack: a deadlock' "$first" \
	'^2 tasks deadlocked: '
for thread in 1 2; do
	check_match "user stack of thread $thread of the deadlock" \
		"$(user_stack "${tids[thread]}")" 'takes_(one|two)'
done
check_match 'and of the one that waits for their end' "$(user_stack $program)" 'main'
ends

runs semaphore 1
check_match 'a semaphore on the stack: its address' "$(cat out)" \
	"waits for semaphore $(cat address) of its process: who shall post it is not known
"
ends

runs condition 2
check_match 'a condition variable: a word of it' "$(cat out)" \
	'waits for condition variable \(futex 0x[0-9a-f]+ of its process\): who shall signal it is not known
'
word=$(sed -n 's/.*condition variable (futex \(0x[0-9a-f]*\) .*/\1/p' out)
check 'which lies in it' [ $((word - $(cat address))) -ge 0 -a $((word - $(cat address))) -lt 48 ]
ends

runs barrier 3
check_match 'a barrier: how many have come to it' "$(cat out)" \
	"waits for barrier $(cat address) of its process: 2 of 4 threads have come, which others shall come is not known
"
ends

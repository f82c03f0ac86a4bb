# SPDX-License-Identifier: GPL-2.0-or-later
# Description: three thousand threads wait in accept(): all of their returns are caught, with the
# slots that there are by default. Where --in-flight allows fewer, the calls without a slot are
# undecided: told, exit status 3, and it is not said that no call met the condition.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
cat >blocked.c <<'END'
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static int listening;

static void *wait_for_one(void *nothing)
{
	accept(listening, NULL, NULL);
	return nothing;
}

int main(int argc, char **argv)
{
	int nr = argc > 1 ? atoi(argv[1]) : 1;
	pthread_t *threads = calloc(nr, sizeof(*threads));
	struct sockaddr_in address = { .sin_family = AF_INET };
	pthread_attr_t attr;
	int i;

	listening = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(listening, (struct sockaddr *)&address, sizeof(address)) || listen(listening, 1))
		return 1;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 16384);
	for (i = 0; i < nr; i++)
		if (pthread_create(&threads[i], &attr, wait_for_one, NULL))
			return 2;
	puts("made");
	fflush(stdout);
	getchar();
	shutdown(listening, SHUT_RDWR);
	for (i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
END
gcc -O1 -o kt_blocked blocked.c -lpthread || skip_all 'no C compiler'
ulimit -n 8192	# accept() takes a descriptor before it waits

# usage: waiting PROCESS - are all threads but the first in accept()?
waiting() {
	local all
	all=$(cat /proc/"$1"/task/*/wchan 2>/dev/null | grep -ao 'inet_csk_accept' | wc -l)
	[ "$all" -eq $calls ]
}

# usage: block NUMBER ARG... - catches the returns of so many calls
block() {
	calls=$1
	shift
	rm -f fifo
	mkfifo fifo
	catch_begin --json --no-stack --no-args -n 0 -c kt_blocked "$@"
	./kt_blocked "$calls" <fifo >made &
	local program=$!
	exec 9>fifo
	wait_for waiting $program || fail 'all threads wait' "$(cat made)"
	echo >&9
	exec 9>&-
	wait $program || fail 'the program ends' "$?"
	kill -INT "$kcatch"
	catch_end
}

terms() {
	jq -c 'select(.summary).summary | [.recorded, .undecided, .no_slot, .missed, .lost]' out
}

block 3000 inet_csk_accept 'ret == 0'
check_equal 'each return is caught' "$(terms)" "[$calls,0,0,0,0]"
check_equal 'exit status' "$status" 0
if ! returns_are_public; then
	block 400 --in-flight 100 inet_csk_accept 'ret != 0'
	check_equal 'fewer slots: what had none is undecided' "$(terms)" "[0,$((calls - 100)),$((calls - 100)),0,0]"
	check_equal 'fewer slots: exit status' "$status" 3
	check_match 'fewer slots: the sentence' "$err" 'no call that could be examined met what was asked for'
	check_match 'fewer slots: what to do' "$err" '300 returns were not caught: too many .* --in-flight'
	block 400 --in-flight 100 inet_csk_accept
	check_equal 'without a condition all are shown' "$(terms)" "[$calls,0,$((calls - 100)),0,0]"
	check_equal 'without a condition: exit status' "$status" 3
fi
kcatch --entry --in-flight 5 -t 1 vfs_read 2>err
check_equal 'beside --entry it is refused' "$?" 1
check_match 'with the reason' "$(cat err)" 'no return is caught'

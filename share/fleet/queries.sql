-- SPDX-License-Identifier: GPL-2.0-or-later
-- Questions to ask of a fleet; clickhouse-client --multiquery < queries.sql asks them all.

-- Slowest callers: median and 99th percentile, milliseconds
SELECT ifNull(function, '') AS f, ifNull(caller, '') AS c, count() AS calls,
	quantileExact(0.5)(assumeNotNull(latency_ns)) / 1e6 AS p50,
	quantileExact(0.99)(assumeNotNull(latency_ns)) / 1e6 AS p99
FROM kcatch.events FINAL
WHERE latency_ns IS NOT NULL
GROUP BY f, c
ORDER BY p99 DESC
LIMIT 20;

-- Where errors come from
SELECT ifNull(function, '') AS f, ifNull(ret_text, '') AS error, comm, host, count() AS failures
FROM kcatch.events FINAL
WHERE ret < 0
GROUP BY f, error, comm, host
ORDER BY failures DESC
LIMIT 20;

-- Folded stacks over the fleet, for flame graph tools: command;outermost;...;function count
SELECT concat(comm, ';', arrayStringConcat(arrayReverse(stack), ';'), ';',
	if(event IS NULL, concat(ifNull(function, ''), if(module IS NULL, '',
		concat(' [', ifNull(module, ''), ']'))), ifNull(event, ''))) AS folded,
	count() AS calls
FROM kcatch.events FINAL
GROUP BY folded
ORDER BY calls DESC
LIMIT 20;

-- What was lost where. The last row of each session counts; one that is not final was killed, or
-- still runs.
SELECT host, session, argMax(hits, sequence) AS all_hits, argMax(recorded, sequence) AS kept,
	argMax(lost + discarded, sequence) AS ring_full, argMax(missed, sequence) AS not_examined,
	argMax(undecided, sequence) AS undecided,
	argMax(return_lost + no_slot + forgotten, sequence) AS without_return,
	argMax(missing, sequence) AS not_in_files, max(final) AS ended
FROM kcatch.losses FINAL
WHERE scope = 'session'
GROUP BY host, session
ORDER BY ring_full + not_examined DESC
LIMIT 20;

-- Rows that a session recorded and that did not arrive
SELECT host, session, kept - arrived AS on_the_way_or_lost
FROM (
	SELECT host, session, argMax(recorded, sequence) AS kept
	FROM kcatch.losses FINAL WHERE scope = 'session' GROUP BY host, session
) ANY LEFT JOIN (
	SELECT host, session, count() AS arrived
	FROM kcatch.events FINAL GROUP BY host, session
) USING host, session
WHERE kept != arrived
ORDER BY on_the_way_or_lost DESC
LIMIT 20;

-- Calls and failures by minute
SELECT minute, name, uniqExactMerge(calls) AS n, uniqExactIfMerge(failures) AS failed,
	maxMerge(latency_max) / 1e6 AS slowest_ms
FROM kcatch.minutes
GROUP BY minute, name
ORDER BY minute DESC, n DESC
LIMIT 20;

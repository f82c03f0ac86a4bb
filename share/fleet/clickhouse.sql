-- SPDX-License-Identifier: GPL-2.0-or-later
-- ClickHouse tables for kcatch-rows(5); run it on each node: clickhouse-client --multiquery
--
-- The cluster `kcatch` is named in the server's configuration (remote_servers). Shippers insert into
-- kcatch.events and kcatch.losses of any node: the Distributed tables send all rows of a session to
-- the same node, where ReplacingMergeTree makes one row of a row that came twice. It does so in the
-- background; FINAL in a query does it for certain.
CREATE DATABASE IF NOT EXISTS kcatch;

CREATE TABLE IF NOT EXISTS kcatch.events_local (
	time_unix_ns UInt64,
	host String,
	boot_id String,
	session String,
	sequence UInt64,
	kernel String,
	arch String,
	cgroup Nullable(String),
	pid UInt32,
	tid UInt32,
	comm String,
	cpu UInt32,
	context Nullable(String),
	function Nullable(String),
	module Nullable(String),
	event Nullable(String),
	caller Nullable(String),
	stack Array(String),
	ret Nullable(Int64),
	ret_text Nullable(String),
	latency_ns Nullable(UInt64),
	oncpu_ns Nullable(UInt64),
	runnable_ns Nullable(UInt64),
	blocked_ns Nullable(UInt64),
	switches Nullable(UInt32),
	args String,
	args_cut Array(String),
	args_unreadable Array(String),
	args_read_at_return Array(String),
	args_bytes Array(String)
) ENGINE = ReplacingMergeTree()
PARTITION BY toDate(toDateTime(intDiv(time_unix_ns, 1000000000)))
ORDER BY (boot_id, session, sequence);

CREATE TABLE IF NOT EXISTS kcatch.losses_local (
	time_unix_ns UInt64,
	host String,
	boot_id String,
	session String,
	sequence UInt64,
	kernel String,
	arch String,
	scope String,
	cpu Nullable(UInt32),
	function Nullable(String),
	module Nullable(String),
	event Nullable(String),
	hits UInt64,
	recorded UInt64,
	filtered UInt64,
	over_budget UInt64,
	missed UInt64,
	lost UInt64,
	no_slot UInt64,
	return_lost UInt64,
	in_flight UInt64,
	undecided UInt64,
	damaged UInt64,
	forgotten UInt64,
	unarmed UInt64,
	disarmed UInt64,
	died UInt64,
	missing UInt64,
	discarded UInt64,
	final UInt8
) ENGINE = ReplacingMergeTree()
PARTITION BY toDate(toDateTime(intDiv(time_unix_ns, 1000000000)))
ORDER BY (boot_id, session, sequence);

CREATE TABLE IF NOT EXISTS kcatch.events AS kcatch.events_local
ENGINE = Distributed(kcatch, kcatch, events_local, cityHash64(boot_id, session));

CREATE TABLE IF NOT EXISTS kcatch.losses AS kcatch.losses_local
ENGINE = Distributed(kcatch, kcatch, losses_local, cityHash64(boot_id, session));

-- By minute, for dashboards over a long time. A view is fed before rows that came twice are one, so
-- it has only what a second coming does not change.
CREATE MATERIALIZED VIEW IF NOT EXISTS kcatch.minutes_local
ENGINE = AggregatingMergeTree()
PARTITION BY toDate(minute)
ORDER BY (host, name, minute)
AS SELECT
	host,
	ifNull(function, ifNull(event, '')) AS name,
	toStartOfMinute(toDateTime(intDiv(time_unix_ns, 1000000000))) AS minute,
	uniqExactState(cityHash64(boot_id, session, sequence)) AS calls,
	uniqExactIfState(cityHash64(boot_id, session, sequence), ret < 0) AS failures,
	maxState(latency_ns) AS latency_max
FROM kcatch.events_local
GROUP BY host, name, minute;

CREATE TABLE IF NOT EXISTS kcatch.minutes AS kcatch.minutes_local
ENGINE = Distributed(kcatch, kcatch, minutes_local, rand());

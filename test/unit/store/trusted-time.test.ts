import assert from 'node:assert/strict';
import { test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { migrations } from '../../../server/store/sqlite/migrations/index.ts';
import { migrate } from '../../../server/store/sqlite/migrator.ts';
import { TrustedTime } from '../../../server/store/trusted-time.ts';

const day = 86_400_000_000;
const year = 365 * day;
const start = Date.UTC(2026, 10, 22) * 1000;

/** A workstation's starts on one database, with a clock and an uptime that the test sets. */
function installation() {
  const database = new SqliteDatabase(':memory:');
  migrate(database, migrations, start);
  const time = { clock: start, uptime: 0 };
  const begin = () => {
    time.uptime = 0;
    return new TrustedTime(
      database,
      () => time.clock,
      () => time.uptime,
    );
  };
  return { time, begin };
}

test('a clock that goes on, or was off for days, is trusted', () => {
  const { time, begin } = installation();
  let trustedTime = begin();
  for (const days of [0, 1, 3, 13]) {
    time.clock += days * day;
    assert.equal(trustedTime.now(), time.clock);
    trustedTime = begin();
    assert.equal(trustedTime.now(), time.clock);
  }
});

test('a clock that jumps ahead by a year makes nothing old, while running and across starts, nor once it is right again', () => {
  const { time, begin } = installation();
  let trustedTime = begin();
  time.clock += year;
  assert.equal(trustedTime.now(), start);
  trustedTime = begin();
  assert.equal(trustedTime.now(), start);
  time.clock = start + day;
  assert.equal(trustedTime.now(), start + day);
});

test('a clock that stays ahead for a day of running time, across starts, is trusted', () => {
  const { time, begin } = installation();
  begin();
  time.clock += year;
  for (let starts = 0; starts < 4; starts += 1) {
    const trustedTime = begin();
    assert.equal(trustedTime.now(), start, `start ${starts}`);
    time.uptime += 0.3 * day;
    time.clock += 0.3 * day;
    trustedTime.now();
  }
  assert.equal(begin().now(), time.clock);
});

test('a clock that is set back by a year makes nothing old either', () => {
  const { time, begin } = installation();
  const trustedTime = begin();
  time.clock -= year;
  assert.equal(trustedTime.now(), start - year);
  assert.ok(trustedTime.isSetBack);
  time.clock = start + day;
  assert.equal(trustedTime.now(), start + day);
  assert.ok(!trustedTime.isSetBack);
});

test('a time recorded while the clock was ahead lies in the future once it is right again; a trusted time does not', () => {
  const { time, begin } = installation();
  const trustedTime = begin();
  time.clock += year;
  assert.ok(!trustedTime.isInFuture(time.clock), 'as long as the clock says so');
  const noted = time.clock;
  time.clock = start + 1;
  assert.ok(trustedTime.isInFuture(noted));
  time.clock = start - year;
  assert.ok(!trustedTime.isInFuture(start), 'though the clock says so');
});

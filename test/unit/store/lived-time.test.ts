import assert from 'node:assert/strict';
import { test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { LivedTime } from '../../../server/store/lived-time.ts';
import { migrations } from '../../../server/store/sqlite/migrations/index.ts';
import { migrate } from '../../../server/store/sqlite/migrator.ts';

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
    return new LivedTime(
      database,
      () => time.clock,
      () => time.uptime,
    );
  };
  return { time, begin };
}

test('as long as the clock goes on, or was off for days, it is believed', () => {
  const { time, begin } = installation();
  let lived = begin();
  for (const days of [0, 1, 3, 13]) {
    time.clock += days * day;
    assert.equal(lived.now(), time.clock);
    lived = begin();
    assert.equal(lived.now(), time.clock);
  }
});

test('a clock that leaps ahead by a year makes nothing old, while running and across starts, and nothing when it is right again', () => {
  const { time, begin } = installation();
  let lived = begin();
  time.clock += year;
  assert.equal(lived.now(), start);
  lived = begin();
  assert.equal(lived.now(), start);
  time.clock = start + day;
  assert.equal(lived.now(), start + day);
});

test('one that stays there for a day of running, however often it is started, was right', () => {
  const { time, begin } = installation();
  begin();
  time.clock += year;
  for (let starts = 0; starts < 4; starts += 1) {
    const lived = begin();
    assert.equal(lived.now(), start, `start ${starts}`);
    time.uptime += 0.3 * day;
    time.clock += 0.3 * day;
    lived.now();
  }
  assert.equal(begin().now(), time.clock);
});

test('a clock that is set back by a year makes nothing old either, and goes on from there', () => {
  const { time, begin } = installation();
  const lived = begin();
  time.clock -= year;
  assert.equal(lived.now(), start - year);
  assert.ok(lived.isSetBack);
  time.clock = start + day;
  assert.equal(lived.now(), start + day);
  assert.ok(!lived.isSetBack);
});

test('what was noted while the clock was ahead is still to come when it is right again; what was lived through is not', () => {
  const { time, begin } = installation();
  const lived = begin();
  time.clock += year;
  assert.ok(!lived.isToCome(time.clock), 'as long as the clock says so');
  const noted = time.clock;
  time.clock = start + 1;
  assert.ok(lived.isToCome(noted));
  time.clock = start - year;
  assert.ok(!lived.isToCome(start), 'though the clock says so');
});

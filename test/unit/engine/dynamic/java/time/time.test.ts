// Dates, moments and durations as java.time describes them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Phone } from '../../../../../fixtures/dynamic/phone.ts';

const { call, get } = new Phone();

test('a LocalDate knows the calendar', () => {
  const date = get('java.time.LocalDate.of(III)Ljava/time/LocalDate;', 2024, 2, 28);
  assert.equal(String(date.get('plusDays', 2n)), '2024-03-01');
  assert.equal(String(date.get('getDayOfWeek')), 'WEDNESDAY');
  assert.equal(String(get('java.time.LocalDate.parse', '2024-01-31').get('plusMonths', 1n)), '2024-02-29');
  assert.throws(() => get('java.time.LocalDate.of(III)Ljava/time/LocalDate;', 2023, 2, 29), {
    message: /^java\.time\.DateTimeException/,
  });
  assert.throws(() => call('java.time.LocalDate.parse', 'today'), {
    message: /^java\.time\.format\.DateTimeParseException/,
  });
});

test('an Instant counts from 1970 and is written in UTC', () => {
  const moment = get('java.time.Instant.ofEpochMilli', 1_709_211_909_007n);
  assert.equal(String(moment), '2024-02-29T13:05:09.007Z');
  assert.equal(moment.get('plusSeconds', 60n).call('getEpochSecond'), 1_709_211_969n);
  assert.equal(get('java.time.Instant.parse', '1970-01-01T00:00:01Z').call('toEpochMilli'), 1_000n);
});

test('a Duration is the time between two moments', () => {
  const from = get('java.time.Instant.ofEpochMilli', 0n);
  const duration = get('java.time.Duration.between', from, get('java.time.Instant.ofEpochMilli', 90_500n));
  assert.equal(String(duration), 'PT1M30.5S');
  assert.equal(duration.call('toMinutes'), 1n);
  assert.throws(() => call('java.time.Duration.between', from, null), { message: /^java\.lang\.NullPointerException/ });
});

test('a LocalDate knows whether its year has 366 days', () => {
  // Golden values of OpenJDK 17.
  for (const [year, isLeap] of [
    [1900, false],
    [2000, true],
    [2023, false],
    [2024, true],
  ] as const) {
    const date = get('java.time.LocalDate.of(III)Ljava/time/LocalDate;', year, 1, 1);
    assert.equal(date.call('isLeapYear'), isLeap, String(year));
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SqlTables } from '../../../../../server/engine/dynamic/android/sql-tables.ts';

const cell = (value: string | number, taint = 0) => ({ value, taint });

test('what was inserted is found again by its condition, each cell with its own taint', () => {
  const tables = new SqlTables();
  tables.run('CREATE TABLE IF NOT EXISTS people (_id INTEGER PRIMARY KEY, name TEXT, number TEXT)', [], 0);
  tables.insert('people', [
    ['name', cell('Anna')],
    ['number', cell('1', 7)],
  ]);
  tables.run("INSERT INTO people (name, number) VALUES ('Jonas', ?)", [cell('2')], 0);
  const all = tables.query('SELECT * FROM people', []);
  assert.deepEqual(all.columns, ['_id', 'name', 'number']);
  const found = tables.query('SELECT number FROM people WHERE name = ?', [cell('Anna')]);
  assert.deepEqual(found.rows, [[{ value: '1', taint: 7 }]]);
  assert.deepEqual(tables.query('select count(*) from people', []).rows, [[{ value: 2, taint: 0 }]]);
  assert.equal(tables.update('people', [['number', cell('3')]], 'name = ?', [cell('Anna')]), 1);
  assert.deepEqual(tables.query("SELECT number FROM people WHERE name = 'Anna'", []).rows, [
    [{ value: '3', taint: 0 }],
  ]);
  assert.equal(tables.delete('people', "name='Jonas'", []), 1);
  assert.equal(tables.query('SELECT * FROM people', []).rows.length, 1);
});

test('hostile statements end quickly and answer nothing', () => {
  const tables = new SqlTables();
  tables.run(`INSERT INTO ${'('.repeat(5_000)}`, [], 0);
  assert.deepEqual(tables.query(`SELECT ${','.repeat(5_000)} FROM nothing`, []).rows, []);
  assert.deepEqual(tables.query('PRAGMA table_info(x)', []).rows, []);
});

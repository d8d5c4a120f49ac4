import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { SqlDatabase } from '../../../../../../server/engine/dynamic/android/data/sql/database.ts';
import { SqlConflict } from '../../../../../../server/engine/dynamic/android/data/sql/tables.ts';
import { SqlFault } from '../../../../../../server/engine/dynamic/android/data/sql/tokens.ts';

const cell = (value: string | number | null, taint = 0) => ({ value, taint });
const database = () =>
  new SqlDatabase({
    union: (a, b) => a | b,
    now: () => Date.UTC(2026, 5, 16, 12, 30, 15),
    charge: () => undefined,
  });

const setUp = `
  CREATE TABLE IF NOT EXISTS people (_id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, age INT DEFAULT 30, city TEXT);
  CREATE TABLE \`calls\` (\`id\` INTEGER NOT NULL, \`person\` INTEGER, [length] REAL, "at" TEXT, PRIMARY KEY(\`id\`), FOREIGN KEY(person) REFERENCES people(_id) ON DELETE CASCADE);
  CREATE UNIQUE INDEX names ON people (name);
  CREATE INDEX cities ON people (city COLLATE NOCASE DESC);
  CREATE TRIGGER t AFTER INSERT ON calls BEGIN UPDATE people SET age = age; END;
  INSERT INTO people (name, age, city) VALUES ('Anna', 31, 'Berlin'), ('Jonas', 25, 'Hamburg'), ('Mia', 42, 'Berlin');
  INSERT INTO people (name) VALUES ('O''Neil'); -- no age
  INSERT OR IGNORE INTO people (name, age) VALUES ('Anna', 99);
  INSERT OR REPLACE INTO people (_id, name, age, city) VALUES (2, 'Jonas', 26, NULL);
  INSERT INTO people (name, age) VALUES ('Mia', 1) ON CONFLICT(name) DO UPDATE SET age = age + excluded.age WHERE age < 50;
  INSERT INTO people (name, age) VALUES ('Mia', 7) ON CONFLICT DO NOTHING;
  INSERT INTO calls VALUES (1, 1, 12.5, '2026-06-01'), (2, 1, 3, '2026-06-02'), (3, 3, 60, '2026-06-02'), (4, NULL, 1, NULL);
  UPDATE people SET city = upper(city) || '!', age = age + 1 WHERE city LIKE 'b%' AND NOT (age BETWEEN 1 AND 10);
  DELETE FROM calls WHERE id IN (4, 5);
  ALTER TABLE calls ADD COLUMN seen INTEGER DEFAULT 0;
`;

const questions: readonly (readonly [sql: string, ...args: (string | number | null)[]])[] = [
  ['SELECT * FROM people'],
  ['SELECT name, age AS years FROM people ORDER BY years DESC, name LIMIT 2 OFFSET 1'],
  ['select name from people where age > ? and age <= ? order by 1', 25, 43],
  ['SELECT p.name, c.length, c.at FROM people p INNER JOIN calls c ON c.person = p._id ORDER BY c.id'],
  [
    'SELECT p.name, count(c.id) AS n FROM people AS p LEFT OUTER JOIN calls c ON (p._id = c.person) GROUP BY p._id ORDER BY n DESC, p.name',
  ],
  [
    'SELECT p.name FROM people p, calls c WHERE c.person = p._id AND c.seen = 0 GROUP BY p.name HAVING sum(c.length) > 20',
  ],
  ['SELECT city, COUNT(*), AVG(age), MIN(name), group_concat(name) FROM people GROUP BY city ORDER BY city'],
  ['SELECT COUNT(*) = 0 FROM calls WHERE id = ? AND person IN (SELECT _id FROM people WHERE age != 2)', 1],
  ['SELECT name FROM people WHERE _id NOT IN (SELECT person FROM calls WHERE person IS NOT NULL) ORDER BY name'],
  ['SELECT name FROM people WHERE EXISTS (SELECT 1 FROM calls WHERE person = people._id AND length > 50)'],
  ['SELECT id FROM calls ORDER BY id LIMIT (SELECT MAX(3 - COUNT(*), 0) FROM calls WHERE seen <> 0)'],
  ['SELECT DISTINCT city FROM people WHERE city ISNULL OR city = "BERLIN!" ORDER BY city'],
  [
    "SELECT CASE WHEN age > 30 THEN 'old' WHEN age IS NULL THEN 'none' ELSE 'young' END AS kind, CASE name WHEN 'Mia' THEN 1 END FROM people",
  ],
  ['SELECT name FROM people UNION SELECT city FROM people WHERE city NOTNULL ORDER BY name DESC'],
  ["SELECT 1 AS a, 'x' AS b UNION ALL SELECT 2, 'y' EXCEPT SELECT 1, 'x'"],
  [
    "SELECT length(name), upper(name), substr(name, 2, 2), substr(name, -2), instr(name, 'a'), replace(name, 'n', '_') FROM people",
  ],
  [
    "SELECT trim('  a '), ltrim('xxa', 'x'), hex('ab'), coalesce(NULL, NULL, 3), ifnull(NULL, 4), nullif(1, 1), abs(-5), round(2.567, 2), typeof(1), typeof(1.5), typeof('a'), typeof(NULL)",
  ],
  [
    "SELECT 7 / 2, 7 % 3, 7.5 / 2, 1 + 2 * 3, -(2 - 5), 5 & 3, 5 | 3, 1 << 4, 'a' || 1, 1 / 0, NOT 1, ~5, 9007199254740993 + 1 > 5",
  ],
  [
    "SELECT 1 = '1' IS NULL, NULL = NULL, NULL IS NULL, 3 BETWEEN 2 AND 4, 3 NOT BETWEEN 2 AND 4, 'abc' LIKE 'A_C', 'abc' NOT LIKE '%d%', 'abc' GLOB 'a*'",
  ],
  ["SELECT CAST('12abc' AS INTEGER), CAST(3.9 AS INT), CAST(5 AS TEXT), CAST('2.5' AS REAL)"],
  ['SELECT name FROM (SELECT name, age FROM people WHERE age > 30) AS older WHERE older.age < 40'],
  ['WITH old(n) AS (SELECT name FROM people WHERE age > 40) SELECT n FROM old'],
  ['SELECT p.* FROM people p JOIN (SELECT 3 AS _id) USING (_id)'],
  ["SELECT date('2026-06-16', '+1 day'), strftime('%Y/%m', 0, 'unixepoch'), datetime(1000, 'unixepoch')"],
  ['SELECT name, MAX(age) FROM people'],
  ['SELECT rowid, name FROM people WHERE rowid = ?', 3],
  ["SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"],
  ['VALUES (1, 2), (3, 4)'],
  ['SELECT city AS place, count(*) AS n FROM people WHERE place NOTNULL GROUP BY place HAVING n > 1'],
  ['SELECT age AS name FROM people WHERE name = ?', 'Anna'],
  ['SELECT count(*), count(city), count(DISTINCT city), total(age), sum(age) FROM people WHERE age > :least', 20],
  ['SELECT name FROM people WHERE age = ?2 AND name = ?1', 'Anna', 32],
];

test('statements as apps and generated code write them answer what SQLite answers', () => {
  const real = new DatabaseSync(':memory:', { enableDoubleQuotedStringLiterals: true });
  real.exec(setUp.replace('JOIN calls USING (_id)', ''));
  const ours = database();
  ours.run(setUp, [], 0);
  for (const [sql, ...args] of questions) {
    const statement = real.prepare(sql);
    statement.setReturnArrays(true);
    const wanted = sql.includes(':least') ? statement.all({ least: args[0]! }) : statement.all(...args);
    const { rows } = ours.query(
      sql,
      args.map((arg) => cell(arg)),
      0,
    );
    assert.deepEqual(
      rows.map((row) => row.map(({ value }) => value)),
      wanted,
      sql,
    );
  }
  real.close();
});

test('what was inserted is found again by its condition, each cell with its own taint', () => {
  const tables = database();
  tables.run('CREATE TABLE people (_id INTEGER PRIMARY KEY, name TEXT, number TEXT)', [], 0);
  tables.insert(
    'people',
    [
      ['name', cell('Anna')],
      ['number', cell('1', 4)],
    ],
    'abort',
  );
  tables.run("INSERT INTO people (name, number) VALUES ('Jonas', ?)", [cell('2')], 0);
  assert.deepEqual(tables.query('SELECT * FROM people', [], 0).columns, ['_id', 'name', 'number']);
  const found = tables.query(
    'SELECT number, name, number || ? FROM people WHERE name = ?',
    [cell('x', 2), cell('Anna')],
    0,
  );
  assert.deepEqual(found.rows, [[cell('1', 4), cell('Anna'), cell('1x', 6)]]);
  assert.equal(tables.update('people', [['number', cell('3')]], 'name = ? OR 0', [cell('Anna')]), 1);
  assert.deepEqual(tables.query("SELECT number FROM people WHERE name = 'Anna'", [], 0).rows, [[cell('3')]]);
  assert.equal(tables.delete('people', "name='Jonas'", []), 1);
  assert.equal(tables.query('SELECT * FROM people', [], 0).rows.length, 1);
});

test('what a statement has as text in it carries the taint of the statement', () => {
  const tables = database();
  tables.run('CREATE TABLE kept (what TEXT)', [], 0);
  tables.run("INSERT INTO kept VALUES ('352090087612342')", [], 8);
  assert.deepEqual(tables.query('SELECT what FROM kept', [], 0).rows, [[cell('352090087612342', 8)]]);
});

test('arguments that are texts are numbers beside numbers, and tables that nobody made are there', () => {
  const tables = database();
  assert.equal(tables.insert('seen', [['id', cell(17)]], 'abort'), 1);
  assert.deepEqual(tables.query('SELECT id FROM seen WHERE id = ?', [cell('17')], 0).rows, [[cell(17)]]);
});

test('a row that is there already is refused, kept or replaced, as the app would have it', () => {
  const tables = database();
  tables.run('CREATE TABLE orders (id TEXT PRIMARY KEY, what TEXT)', [], 0);
  tables.insert(
    'orders',
    [
      ['id', cell('a')],
      ['what', cell('lock')],
    ],
    'abort',
  );
  assert.throws(() => tables.insert('orders', [['id', cell('a')]], 'abort'), SqlConflict);
  assert.equal(tables.insert('orders', [['id', cell('a')]], 'ignore'), -1);
  tables.insert(
    'orders',
    [
      ['id', cell('a')],
      ['what', cell('wipe')],
    ],
    'replace',
  );
  assert.deepEqual(tables.query('SELECT what FROM orders', [], 0).rows, [[cell('wipe')]]);
});

test('numbers of many digits, and with zeros before them, are told apart', () => {
  const tables = database();
  tables.run('CREATE TABLE cards (number TEXT PRIMARY KEY)', [], 0);
  for (const number of ['9007199254740993', '9007199254740992', '007', '7'])
    assert.doesNotThrow(() => tables.insert('cards', [['number', cell(number)]], 'abort'));
  assert.throws(() => tables.insert('cards', [['number', cell(7)]], 'abort'), SqlConflict);
  assert.equal(tables.query('SELECT DISTINCT number FROM cards', [], 0).rows.length, 4);
});

test('a sum that no number holds is an infinite one', () => {
  const sum = "SELECT sum(column1) FROM (VALUES (9007199254740993), ('1e999'))";
  assert.deepEqual(database().query(sum, [], 0).rows, [[cell(Number.POSITIVE_INFINITY)]]);
});

test('selects within each other are worked out once each', () => {
  const tables = database();
  const values = Array.from({ length: 300 }, (_, at) => `(${at})`);
  tables.run(`INSERT INTO kept (a) VALUES ${values.join(', ')}`, [], 0);
  const nested = `${'SELECT * FROM ('.repeat(25)}SELECT a FROM kept${')'.repeat(25)}`;
  assert.equal(tables.query(nested, [], 0).rows.length, 300);
});

test('rows that replace those of a table, one after the other, are each there once', () => {
  const tables = database();
  tables.run(
    "CREATE TABLE kept (a PRIMARY KEY, b UNIQUE); INSERT INTO kept VALUES (1, 'x'), (2, 'y'), (3, 'z')",
    [],
    0,
  );
  tables.run("INSERT OR REPLACE INTO kept VALUES (1, 'y'), (4, 'x'), (2, 'z'), (3, 'new')", [], 0);
  const { rows } = tables.query('SELECT a, b FROM kept ORDER BY a', [], 0);
  assert.deepEqual(
    rows.map((row) => row.map(({ value }) => value)),
    [
      [1, 'y'],
      [2, 'z'],
      [3, 'new'],
      [4, 'x'],
    ],
  );
});

test('a temporary table is made anew where the app is started again', () => {
  const tables = database();
  for (const word of ['first', 'second']) {
    tables.run('CREATE TEMP TABLE changed (what TEXT)', [], 0);
    tables.run('INSERT INTO changed VALUES (?)', [cell(word)], 0);
  }
  assert.deepEqual(tables.query('SELECT what FROM changed', [], 0).rows, [[cell('second')]]);
  assert.throws(() => tables.run('CREATE TABLE a (b); CREATE TABLE a (b)', [], 0), SqlFault);
});

test('hostile statements end quickly and answer nothing', () => {
  const tables = database();
  tables.insert('wide', [['a', cell('x'.repeat(10_000))]], 'abort');
  for (let row = 0; row < 200; row++) tables.insert('wide', [['a', cell(row)]], 'abort');
  tables.insert('long', [['a', cell('x'.repeat(100_000))]], 'abort');
  tables.run('CREATE TABLE empty (a)', [], 0);
  const hostile = [
    `INSERT INTO ${'('.repeat(5_000)}`,
    `SELECT ${','.repeat(5_000)} FROM nothing`,
    `SELECT ${'('.repeat(50_000)}1`,
    `SELECT ${'- '.repeat(50_000)}1`,
    `SELECT ${'NOT '.repeat(50_000)}1`,
    `SELECT 1 WHERE ${'CASE WHEN 1 THEN '.repeat(5_000)}`,
    'SELECT count(*) FROM wide a, wide b, wide c, wide d',
    'SELECT * FROM again',
    `SELECT a LIKE '%${'x'.repeat(5_000)}y' FROM long`,
    'SELECT unknown(1)',
    `SELECT 1${' + 1'.repeat(50_000)}`,
    `SELECT ${'replace('.repeat(20)}'aaaaaaaa'${", 'a', 'aaaaaaaa')".repeat(20)}`,
    `SELECT ${'hex('.repeat(40)}'a'${')'.repeat(40)}`,
    'SELECT group_concat(a || a || a) FROM (SELECT a FROM long, wide)',
    'SELECT missing + 1 AS missing FROM (SELECT 1 AS a) WHERE missing > 1',
  ];
  hostile.push(
    `SELECT ${'1, '.repeat(2_000)}1`,
    `SELECT 1${' UNION SELECT 1'.repeat(500)}`,
    `SELECT 1 FROM empty${' LEFT JOIN empty'.repeat(64)}`,
    'SELECT count(*) FROM digits, wide WHERE digits.a IN (1)',
  );
  tables.insert('digits', [['a', cell(`${'1'.repeat(900_000)}x`)]], 'abort');
  tables.run('CREATE VIEW again AS SELECT * FROM again', [], 0);
  for (const sql of hostile) assert.throws(() => tables.query(sql, [], 0), SqlFault, sql.slice(0, 40));
  assert.deepEqual(tables.query('PRAGMA table_info(x)', [], 0).rows, []);
});

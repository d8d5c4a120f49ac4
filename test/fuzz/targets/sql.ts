// Fuzz target: statements of an app's database, which are read and carried out.
import { SqlDatabase } from '../../../server/engine/dynamic/android/data/sql/database.ts';
import { SqlConflict } from '../../../server/engine/dynamic/android/data/sql/tables.ts';
import { SqlFault } from '../../../server/engine/dynamic/android/data/sql/tokens.ts';
import { RunEnd } from '../../../server/engine/dynamic/machine/limits.ts';
import { type FuzzTarget, textOf, texts } from '../target.ts';

/** As much as a program's heap has. */
const maxCharge = 128 * 1024 * 1024;

const tables = `
  CREATE TABLE people (_id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, age INT DEFAULT 30, city TEXT);
  CREATE UNIQUE INDEX names ON people (name);
  INSERT INTO people (name, age, city) VALUES ('Anna', 31, 'Berlin'), ('Jonas', 25, NULL), ('Mia', 42, 'Berlin');
  CREATE VIEW old AS SELECT * FROM people WHERE age > 30;
`;

export const target: FuzzTarget = {
  subject: ['engine/dynamic/android/data/sql/'],
  isText: true,
  samples: texts(
    'SELECT p.name, count(*) AS n FROM people p LEFT JOIN old o ON o._id = p._id GROUP BY p.city HAVING n > 0 ORDER BY 1',
    "UPDATE people SET city = upper(city) || '!', age = age + 1 WHERE city LIKE 'b%' AND NOT (age BETWEEN 1 AND 10)",
    "INSERT OR REPLACE INTO people VALUES (9, 'O''Neil', x'00ff', 1e3); DELETE FROM people WHERE _id IN (SELECT _id FROM old)",
    'SELECT CASE WHEN age IS NULL THEN 1 ELSE -age END, substr(name, -2, 1), strftime("%Y", 0) FROM people UNION SELECT 1,2,3',
    'ALTER TABLE people ADD COLUMN seen INTEGER DEFAULT 0; CREATE TRIGGER t AFTER INSERT ON people BEGIN SELECT 1; END; PRAGMA user_version = 3',
  ),
  words: [
    'EXISTS',
    'WITH',
    'RECURSIVE',
    'OVER',
    'COLLATE',
    'NOCASE',
    'ESCAPE',
    'group_concat',
    'printf',
    'replace',
    'CAST',
    'LIMIT',
    'OFFSET',
    '?1',
    ':a',
  ],
  refusals: [SqlFault, SqlConflict, RunEnd],
  maxCpuTime: () => 4000,
  run(input) {
    let charged = 0;
    const database = new SqlDatabase({
      union: (a, b) => a | b,
      now: () => Date.UTC(2026, 5, 16, 12, 30, 15),
      charge(bytes) {
        charged += bytes;
        if (charged > maxCharge) throw new RunEnd('heap', 'the heap is full');
      },
    });
    database.run(tables, [], 0);
    const sql = textOf(input);
    const args = [
      { value: 'a', taint: 1 },
      { value: 2, taint: 0 },
      { value: null, taint: 0 },
    ];
    database.run(sql, args, 1);
    return [database.query(sql, args, 1), database.query('SELECT * FROM people', [], 0)];
  },
};

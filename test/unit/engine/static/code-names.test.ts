// The names by which an app's code is found.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Findings } from '../../../../server/engine/findings.ts';
import { openDex } from '../../../../server/engine/formats/dex/dex.ts';
import { codeNames } from '../../../../server/engine/static/code-names.ts';
import { appClasses } from '../../../../server/engine/static/code-origins.ts';
import { buildDex, type DexSpec, type Pool } from '../../../fixtures/dex-builder.ts';

const object = 'Ljava/lang/Object;';
const namesOf = (...specs: DexSpec[]) =>
  codeNames(
    appClasses(
      specs.map((spec) => openDex(buildDex(spec), new Findings(), 'classes.dex')),
      'com.example',
    ),
  ).split(' ');
/** A method that calls others, given by their class and name. */
const calling = (...calls: [owner: string, name: string][]) => ({
  name: 'run',
  descriptor: '()V',
  code: {
    units: (pool: Pool) => [...calls.flatMap(([owner, name]) => [0x0071, pool.method(owner, name, '()V'), 0]), 0x000e],
  },
});

test('classes are named with and without their package, anonymous ones and lambdas not at all', () => {
  const classes = ['Lcom/example/ui/Main;', 'Lcom/example/ui/Main$Tab;', 'Lcom/example/ui/Main$1;', 'LBare;'].map(
    (descriptor) => ({ descriptor, superclass: object }),
  );
  const names = namesOf({ classes });
  assert.deepEqual(names.toSorted(), [
    'class:*',
    'class:Bare',
    'class:Bare',
    'class:Main',
    'class:Main$Tab',
    'class:com.',
    'class:com.example.',
    'class:com.example.ui.',
    'class:com.example.ui.Main',
    'class:com.example.ui.Main$Tab',
  ]);
});

test('classes of known libraries are named last and with their package alone', () => {
  const names = namesOf({
    classes: ['Landroidx/core/app/ActivityCompat;', 'Lcom/example/Main;'].map((descriptor) => ({
      descriptor,
      superclass: object,
    })),
  });
  assert.ok(names.includes('class:androidx.core.app.'));
  assert.equal(names.at(-1), 'class:androidx.core.app.ActivityCompat');
  assert.ok(!names.includes('class:ActivityCompat'));
});

test('methods that the app calls and does not define are named, also those that its classes inherit', () => {
  const base = { descriptor: 'Lcom/example/Base;', superclass: 'Landroid/app/Activity;', methods: [calling()] };
  const main = {
    descriptor: 'Lcom/example/Main;',
    superclass: 'Lcom/example/Base;',
    methods: [
      calling(
        ['Landroid/telephony/SmsManager;', 'sendTextMessage'],
        ['Lcom/example/Main;', 'finish'],
        ['Lcom/example/Main;', 'run'],
      ),
    ],
  };
  // The superclass stands in another file.
  const names = namesOf({ classes: [main] }, { classes: [base] });
  const apis = names.filter((name) => name.startsWith('api:'));
  assert.deepEqual(
    new Set(apis),
    new Set([
      'api:*',
      'api:android.telephony.SmsManager',
      'api:SmsManager',
      'api:android.',
      'api:android.telephony.',
      'api:android.telephony.SmsManager.sendTextMessage',
      'api:SmsManager.sendTextMessage',
      'api:android.app.Activity.finish',
      'api:Activity.finish',
    ]),
  );
});

test('names that would be several in the index, and ones that are made to be long, are left out', () => {
  const names = namesOf({
    classes: ['Lcom/example/a b;', `L${'x'.repeat(400)};`, 'Lcom/example/Ü;'].map((descriptor) => ({
      descriptor,
      superclass: object,
    })),
  });
  assert.deepEqual(
    names.filter((name) => !name.endsWith('.')),
    ['class:*', 'class:com.example.Ü', 'class:Ü'],
  );
});

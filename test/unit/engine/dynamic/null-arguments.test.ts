// Every model takes null where it does not say that it takes none: it answers, or throws a Java exception of its own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { androidModels } from '../../../../server/engine/dynamic/android/models.ts';
import { javaModels } from '../../../../server/engine/dynamic/java/models.ts';
import { coreModels } from '../../../../server/engine/dynamic/machine/core/core-models.ts';
import { type HeapObject, JavaThrow, type Value } from '../../../../server/engine/dynamic/machine/heap.ts';
import { type ModelClass, plainSignature } from '../../../../server/engine/dynamic/machine/model.ts';
import { Phone } from '../../../fixtures/dynamic/phone.ts';

const models: Readonly<Record<string, ModelClass>> = { ...coreModels, ...javaModels, ...androidModels };
const phone = new Phone();
const { machine } = phone;

/** Of classes whose instances the others give, or that are abstract. */
const instances: Readonly<Record<string, () => HeapObject>> = {
  'Ljava/lang/Class;': () => phone.classObject('java.lang.String').object,
  'Ljava/io/InputStream;': () => phone.make('java.io.ByteArrayInputStream', Buffer.from('ab')).object,
  'Ljava/io/OutputStream;': () => phone.make('java.io.ByteArrayOutputStream').object,
  'Ljava/io/Reader;': () => phone.make('java.io.StringReader', 'ab').object,
  'Ljava/io/Writer;': () => phone.make('java.io.StringWriter').object,
  'Ljava/util/List;': () => phone.make('java.util.ArrayList').object,
  'Ljava/util/Collection;': () => phone.make('java.util.ArrayList').object,
  'Ljava/util/Set;': () => phone.make('java.util.HashSet').object,
  'Ljava/util/Map;': () => phone.make('java.util.HashMap').object,
  'Ljava/util/AbstractMap;': () => phone.make('java.util.HashMap').object,
  'Landroid/content/Context;': () => phone.context.object,
  'Landroid/app/FragmentManager;': () => phone.make('android.app.Activity').get('getFragmentManager').object,
  'Landroid/database/sqlite/SQLiteDatabase;': () =>
    phone.get('android.database.sqlite.SQLiteDatabase.create', null).object,
  'Landroid/net/Uri;': () => phone.get('android.net.Uri.parse', 'http://a.example/b').object,
};

/** They wait, end the process, or go on for as long as they are let. */
const endless =
  /->(?:exit|halt|wait|join|park\w*|sleep|await\w*|loop|finish|killProcess|generate|iterate|transferTo)\(|Looper;/;

const made = new Map<string, HeapObject | null>();

/** An object of the class, by the constructor with the most parameters that takes samples. */
function instance(descriptor: string): HeapObject | null {
  const known = instances[descriptor];
  if (known !== undefined) return known();
  if (!made.has(descriptor)) {
    made.set(descriptor, null);
    const model = models[descriptor];
    const constructors = Object.keys({ ...model?.methods, ...model?.pure }).filter((key) => key.startsWith('<init>'));
    const found = constructors
      .map(plainSignature)
      .sort((one, other) => other.length - one.length)
      .map((signature) => attempt(() => machine.construct(descriptor, signature, ...typesOf(signature).map(sample))))
      .find((object) => object !== undefined);
    made.set(descriptor, found ?? attempt(() => machine.allocate(descriptor)) ?? null);
  }
  return made.get(descriptor) ?? null;
}

function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

const typesOf = (key: string): string[] =>
  key.slice(key.indexOf('('), key.indexOf(')')).match(/!?\[*(?:[ZBSCIJFD]|L[^;]*;)/g) ?? [];

function sample(type: string): Value {
  if (type === 'J') return 0n;
  if (type.length === 1) return 1;
  if (type.startsWith('[')) return attempt(() => machine.array(type.slice(1), 2)) ?? null;
  if (/^Ljava\/lang\/(?:String|CharSequence|Object);$/.test(type)) return machine.string('abc');
  return instance(type);
}

/** Whether the model ran to an end of Java's: a result or an exception. */
function endsWell(descriptor: string, key: string, isStatic: boolean, args: readonly Value[]): boolean {
  const signature = plainSignature(key);
  let isWell = true;
  machine.run(() => {
    try {
      if (signature.startsWith('<init>')) machine.construct(descriptor, signature, ...args);
      else if (isStatic) machine.callStatic(descriptor, signature, ...args);
      else machine.invoke(machine.classOf(descriptor).methods.get(signature)!, [instance(descriptor), ...args]);
    } catch (error) {
      if (error instanceof TypeError || error instanceof RangeError) isWell = false;
      else if (!(error instanceof JavaThrow)) throw error;
    }
  }, 1_000_000);
  return isWell;
}

test('no model fails over null where it takes it', () => {
  const failing: string[] = [];
  let tried = 0;
  for (const [descriptor, model] of Object.entries(models)) {
    for (const kind of ['methods', 'pure', 'staticMethods', 'pureStatic'] as const) {
      for (const key of Object.keys(model[kind] ?? {})) {
        const types = typesOf(key);
        const isOpen = (type: string) => type.length > 1 && !type.startsWith('!');
        if (!types.some(isOpen) || endless.test(`${descriptor}->${key}`)) continue;
        const isStatic = kind === 'staticMethods' || kind === 'pureStatic';
        tried++;
        const samples = types.map((type) => sample(type.replace('!', '')));
        const nulls = samples.map((value, index) => (isOpen(types[index]!) ? null : value));
        if (endsWell(descriptor, key, isStatic, nulls)) continue;
        // A receiver that nobody made properly fails with any arguments.
        if (endsWell(descriptor, key, isStatic, samples)) failing.push(`${descriptor}->${key}`);
      }
    }
  }
  assert.deepEqual(failing, []);
  assert.ok(tried > 3_000, `${tried} models take references`);
});

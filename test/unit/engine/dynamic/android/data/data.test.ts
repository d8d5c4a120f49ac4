// Uri, ContentValues, cursors, databases, preferences, Base64 and TextUtils as Android's reference describes them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JavaObject, Phone, type Plain } from '../../../../../fixtures/dynamic/phone.ts';

const phone = new Phone();
const { call, get, make } = phone;
const uri = (text: string) => get('android.net.Uri.parse', text);

test('a hierarchical Uri is taken apart and decoded', () => {
  const parsed = uri('https://me:pw@host.example:8080/a%20b/c?q=1&q=2&e=%26+#top');
  assert.equal(parsed.call('getScheme'), 'https');
  assert.equal(parsed.call('getHost'), 'host.example');
  assert.equal(parsed.call('getPort'), 8080);
  assert.equal(parsed.call('getUserInfo'), 'me:pw');
  assert.equal(parsed.call('getAuthority'), 'me:pw@host.example:8080');
  assert.equal(parsed.call('getPath'), '/a b/c');
  assert.equal(parsed.call('getEncodedPath'), '/a%20b/c');
  assert.deepEqual(parsed.get('getPathSegments').elements, ['a b', 'c']);
  assert.equal(parsed.call('getLastPathSegment'), 'c');
  assert.equal(parsed.call('getQueryParameter', 'q'), '1');
  assert.deepEqual(parsed.get('getQueryParameters', 'q').elements, ['1', '2']);
  assert.equal(parsed.call('getQueryParameter', 'e'), '& ');
  assert.equal(parsed.call('getQueryParameter', 'none'), null);
  assert.equal(parsed.call('getFragment'), 'top');
});

test('an opaque Uri has a scheme-specific part and no path', () => {
  const parsed = uri('tel:+49123');
  assert.equal(parsed.call('isOpaque'), true);
  assert.equal(parsed.call('getSchemeSpecificPart'), '+49123');
  assert.equal(parsed.call('getPath'), null);
  assert.equal(parsed.call('getLastPathSegment'), null);
});

test('a Uri is built part by part, and two of the same text are equal', () => {
  const builder = uri('content://sms')
    .get('buildUpon')
    .get('appendPath', 'in box')
    .get('appendQueryParameter', 'a', 'b c');
  assert.equal(String(builder.get('build')), 'content://sms/in%20box?a=b%20c');
  assert.equal(uri('a://b').call('equals', uri('a://b')), true);
  assert.equal(String(get('android.net.Uri.withAppendedPath', uri('content://a/'), 'b')), 'content://a/b');
  assert.equal(String(get('android.content.ContentUris.withAppendedId', uri('content://a'), 7n)), 'content://a/7');
  assert.equal(call('android.content.ContentUris.parseId', uri('content://a/7')), 7n);
  assert.equal(String(get('android.net.Uri.fromParts', 'mailto', 'a@b', null)), 'mailto:a%40b');
});

test("Uri.encode leaves letters, digits and _-!.~'()* alone", () => {
  assert.equal(
    call('android.net.Uri.encode(Ljava/lang/String;)Ljava/lang/String;', "aZ9_-!.~'()* ä/"),
    "aZ9_-!.~'()*%20%C3%A4%2F",
  );
  assert.equal(call('android.net.Uri.encode', 'a/b', '/'), 'a/b');
  assert.equal(call('android.net.Uri.decode', 'a%20b%C3%A4'), 'a bä');
  assert.throws(() => call('android.net.Uri.parse', null), { message: /^java\.lang\.NullPointerException/ });
});

const values = (entries: Readonly<Record<string, Plain>>): JavaObject => {
  const object = make('android.content.ContentValues');
  for (const [key, value] of Object.entries(entries)) object.call('put', key, value);
  return object;
};

test('ContentValues keep a value of any type and convert it when asked', () => {
  const kept = make('android.content.ContentValues');
  kept.call('put(Ljava/lang/String;Ljava/lang/String;)V', 'text', '42');
  kept.call('put(Ljava/lang/String;Ljava/lang/Integer;)V', 'number', 7);
  kept.call('putNull', 'nothing');
  assert.equal(kept.call('size'), 3);
  assert.equal(kept.call('getAsInteger', 'text'), 42);
  assert.equal(kept.call('getAsString', 'number'), '7');
  assert.equal(kept.call('getAsLong', 'absent'), null);
  assert.equal(kept.call('containsKey', 'nothing'), true);
  kept.call('remove', 'text');
  assert.deepEqual(kept.get('keySet').elements.sort(), ['nothing', 'number']);
});

const database = (): JavaObject => {
  const made = get('android.database.sqlite.SQLiteDatabase.create', null);
  made.call('execSQL', 'CREATE TABLE t (_id INTEGER PRIMARY KEY, name TEXT UNIQUE, age INTEGER)');
  return made;
};

test('rows are inserted, changed, counted and deleted', () => {
  const db = database();
  assert.equal(db.call('insert', 't', null, values({ name: 'a', age: '1' })), 1n);
  assert.equal(db.call('insert', 't', null, values({ name: 'b', age: '2' })), 2n);
  assert.equal(db.call('insert', 't', null, values({ name: 'b' })), -1n);
  assert.throws(() => db.call('insertOrThrow', 't', null, values({ name: 'b' })), {
    message: /SQLiteConstraintException/,
  });
  assert.equal(db.call('update', 't', values({ age: '9' }), 'name = ?', ['a']), 1);
  assert.equal(call('android.database.DatabaseUtils.queryNumEntries', db, 't'), 2n);
  assert.equal(db.call('delete', 't', 'age < ?', ['5']), 1);
  assert.throws(() => db.call('update', 't', null, null, null), { message: /IllegalArgumentException: Empty values/ });
});

test('a cursor stands before its first row, walks, and knows its columns', () => {
  const db = database();
  for (const name of ['x', 'y']) db.call('insert', 't', null, values({ name }));
  const cursor = db.get('query', 't', ['_id', 'name'], null, null, null, null, 'name DESC');
  assert.equal(cursor.call('getCount'), 2);
  assert.equal(cursor.call('getPosition'), -1);
  assert.equal(cursor.call('moveToFirst'), true);
  assert.equal(cursor.call('getString', cursor.call('getColumnIndex', 'name')), 'y');
  assert.equal(cursor.call('getLong', 0), 2n);
  assert.equal(cursor.call('moveToNext'), true);
  assert.equal(cursor.call('isLast'), true);
  assert.equal(cursor.call('moveToNext'), false);
  assert.equal(cursor.call('isAfterLast'), true);
  assert.deepEqual(cursor.call('getColumnNames'), ['_id', 'name']);
  assert.equal(cursor.call('getColumnIndex', 'none'), -1);
  assert.throws(() => cursor.call('getColumnIndexOrThrow', 'none'), { message: /IllegalArgumentException/ });
  cursor.call('close');
  assert.equal(cursor.call('isClosed'), true);
});

test('a MatrixCursor holds the rows it was given', () => {
  const cursor = make('android.database.MatrixCursor', ['a', 'b']);
  cursor.call('addRow', ['1', null]);
  assert.equal(cursor.call('moveToFirst'), true);
  assert.equal(cursor.call('getInt', 0), 1);
  assert.equal(cursor.call('isNull', 1), true);
});

test('preferences are changed by an editor, told to listeners and seen by everyone', () => {
  const open = () => phone.context.get('getSharedPreferences', 'p', 0);
  const heard: Plain[] = [];
  const listener = phone.implement('android.content.SharedPreferences$OnSharedPreferenceChangeListener', {
    'onSharedPreferenceChanged(Landroid/content/SharedPreferences;Ljava/lang/String;)V': (_preferences, key) => {
      heard.push(key);
      return undefined;
    },
  });
  open().call('registerOnSharedPreferenceChangeListener', listener);
  const editor = open().get('edit');
  editor.get('putString', 's', 'text').get('putInt', 'i', 7).get('putBoolean', 'b', true).get('putLong', 'l', 8n);
  assert.equal(open().call('contains', 's'), false);
  assert.equal(editor.call('commit'), true);
  assert.equal(open().call('getString', 's', null), 'text');
  assert.equal(open().call('getInt', 'i', 0), 7);
  assert.equal(open().call('getLong', 'l', 0n), 8n);
  assert.equal(open().call('getString', 'none', 'default'), 'default');
  assert.throws(() => open().call('getInt', 's', 0), { message: /ClassCastException/ });
  phone.wait(10);
  assert.deepEqual(heard.sort(), ['b', 'i', 'l', 's']);
  open().get('edit').get('remove', 's').call('apply');
  assert.equal(open().get('getAll').call('size'), 3);
});

test('Base64 knows its flags', () => {
  const encode = (bytes: Buffer, flags: number) => call('android.util.Base64.encodeToString', bytes, flags);
  const long = Buffer.alloc(60, 'a');
  assert.equal(encode(Buffer.from('a?>b'), 0), 'YT8+Yg==\n');
  assert.equal(encode(Buffer.from('a?>b'), 2 | 1 | 8), 'YT8-Yg');
  assert.equal(encode(long, 0), `${long.toString('base64').slice(0, 76)}\n${long.toString('base64').slice(76)}\n`);
  assert.equal(encode(long, 2), long.toString('base64'));
  assert.deepEqual(call('android.util.Base64.decode', 'YT8+\nYg', 0), Buffer.from('a?>b'));
  assert.throws(() => call('android.util.Base64.decode', 'YQ=x', 0), {
    message: /IllegalArgumentException: bad base-64/,
  });
});

test('TextUtils join, split, compare and cut', () => {
  const is = (name: string, ...args: Plain[]) => call(`android.text.TextUtils.${name}`, ...args);
  assert.equal(is('isEmpty', ''), true);
  assert.equal(is('isEmpty', null), true);
  assert.equal(is('isEmpty', ' '), false);
  assert.equal(is('equals', 'a', 'a'), true);
  assert.equal(is('equals', null, 'a'), false);
  assert.equal(is('isDigitsOnly', '123'), true);
  assert.equal(is('isDigitsOnly', '12a'), false);
  assert.deepEqual(is('split(Ljava/lang/String;Ljava/lang/String;)[Ljava/lang/String;', 'a,b,', ','), ['a', 'b', '']);
  assert.equal(is('join(Ljava/lang/CharSequence;[Ljava/lang/Object;)Ljava/lang/String;', '-', ['a', 'b']), 'a-b');
  assert.equal(is('htmlEncode', '<a&"\'>'), '&lt;a&amp;&quot;&#39;&gt;');
});

test('a UriMatcher finds numbers and any text', () => {
  const matcher = make('android.content.UriMatcher', -1);
  matcher.call('addURI', 'a.b', 'people', 1);
  matcher.call('addURI', 'a.b', 'people/#', 2);
  matcher.call('addURI', 'a.b', 'people/*/phones', 3);
  const code = (text: string) => matcher.call('match', uri(text));
  assert.equal(code('content://a.b/people'), 1);
  assert.equal(code('content://a.b/people/12'), 2);
  assert.equal(code('content://a.b/people/bob/phones'), 3);
  assert.equal(code('content://a.b/pets'), -1);
});

test('what the clipboard was given is what it gives, and it came from the clipboard', () => {
  const clipboard = phone.context.get('getSystemService(Ljava/lang/String;)Ljava/lang/Object;', 'clipboard');
  const clip = get('android.content.ClipData.newPlainText', 'label', 'copied');
  clipboard.call('setPrimaryClip', clip);
  assert.equal(clipboard.call('hasPrimaryClip'), true);
  const item = clipboard.get('getPrimaryClip').get('getItemAt', 0);
  assert.equal(String(item.call('getText')), 'copied');
});

test('a loader fetches aside, brings what it fetched to the screen, and is there until it is destroyed', () => {
  const heard: Plain[] = [];
  const bundle = 'Landroid/os/Bundle;';
  const loader = 'Landroid/content/Loader;';
  const fetching = phone.implement(
    'android.content.AsyncTaskLoader',
    {
      'onStartLoading()V': () => fetching.call('forceLoad'),
      'loadInBackground()Ljava/lang/Object;': () => `made by ${phone.call('java.lang.Thread.activeCount') !== 0}`,
    },
    'android.content.AsyncTaskLoader',
  );
  const screen = phone.implement('android.app.LoaderManager$LoaderCallbacks', {
    [`onCreateLoader(I${bundle})${loader}`]: (id) => {
      heard.push(`create ${id}`);
      return fetching;
    },
    [`onLoadFinished(${loader}Ljava/lang/Object;)V`]: (_loader, result) => void heard.push(result!),
    [`onLoaderReset(${loader})V`]: () => void heard.push('reset'),
  });
  const manager = make('android.app.Activity').get('getLoaderManager');
  manager.call('initLoader', 7, null, screen);
  manager.call('initLoader', 7, null, screen);
  phone.wait(100);
  assert.equal(fetching.call('getId'), 7);
  manager.call('destroyLoader', 7);
  assert.equal(manager.call('getLoader', 7), null);
  assert.deepEqual(heard, ['create 7', 'made by true', 'reset']);
});

test('a wrapped cursor passes on what it is asked, and what it is closed by', () => {
  const cursor = make('android.database.MatrixCursor', ['name']);
  cursor.call('addRow', ['Ada']);
  const wrapped = make('android.database.CursorWrapper', cursor);
  assert.equal(wrapped.call('moveToFirst'), true);
  assert.equal(wrapped.call('getString', 0), 'Ada');
  wrapped.call('close');
  assert.equal(cursor.call('isClosed'), true);
});

test('fonts are to be had from Play services, and tell nothing of the owner', () => {
  const packages = phone.context.get('getPackageManager');
  const provider = packages.get(
    'resolveContentProvider(Ljava/lang/String;I)Landroid/content/pm/ProviderInfo;',
    'com.google.android.gms.fonts',
    0,
  );
  assert.equal(
    phone.machine.toText(phone.machine.getField(provider.object, 'packageName') as never).text,
    'com.google.android.gms',
  );
  const resolver = phone.context.get('getContentResolver');
  const fonts = resolver.get(
    'query',
    uri('content://com.google.android.gms.fonts'),
    ['file_id', 'result_code'],
    'query = ?',
    ['Inconsolata'],
    null,
  );
  assert.equal(fonts.call('moveToFirst'), true);
  assert.deepEqual([fonts.call('getInt', 0), fonts.call('getInt', 1)], [1, 0]);
});

// Models of ContentResolver and ContentProvider, and the phone's own providers: contacts, messages, calls,
// browser, media.

import type { HeapObject, JavaArray, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { virtualFiles } from '../../machine/virtual-files.ts';
import { recorderOf } from '../../report/recorder.ts';
import { accounts, browserPages, calendarEvents, calls, contacts, messages } from '../../world/people.ts';
import { callApp, instantiate } from '../components/activity-life.ts';
import { appOf } from '../components/app.ts';
import { bundleOf, bundleTaint } from '../components/bundle.ts';
import { callIfThere, each, none, nothing, plain, type Reference } from '../model-parts.ts';
import { byteStream } from '../resources/resources.ts';
import { type Cell, newCursor } from './cursor.ts';
import { newUri, splitUri, uriText } from './uri.ts';

/** The provider of fonts that apps download. */
export const fontsAuthority = 'com.google.android.gms.fonts';

type Row = Readonly<Record<string, string | number | null>>;

interface Table {
  /** Of what it tells of the owner; null where that is nothing. */
  readonly tag: string | null;
  readonly rows: (machine: Machine) => readonly Row[];
}

const contactRow = ({ id, name, phone, email }: (typeof contacts)[number]): Row => ({
  _id: id,
  contact_id: id,
  raw_contact_id: id,
  lookup: `0r${id}-2D4F`,
  display_name: name,
  name,
  number: phone,
  data1: phone,
  data4: phone,
  data2: 2,
  data3: null,
  address: email,
  mimetype: 'vnd.android.cursor.item/phone_v2',
  has_phone_number: 1,
  times_contacted: 3,
  starred: 0,
  photo_id: null,
  photo_uri: null,
});

const messageRows = (machine: Machine, type: number | null): Row[] =>
  messages
    .filter((message) => type === null || message.type === type)
    .map((message) => ({
      _id: message.id,
      thread_id: message.id,
      address: message.address,
      person: null,
      date: machine.clock.wall - message.age,
      date_sent: machine.clock.wall - message.age,
      protocol: 0,
      read: 1,
      status: -1,
      seen: 1,
      type: message.type,
      subject: null,
      body: message.body,
      service_center: '+491722270333',
    }));

/** The phone's providers by authority and what the path begins with. */
const tables: readonly (readonly [authority: string, path: RegExp, table: Table])[] = [
  [
    'com.android.contacts',
    /emails|\/data\/emails/,
    {
      tag: 'TAINT_CONTACTS',
      rows: () =>
        contacts.map((contact) => ({
          ...contactRow(contact),
          data1: contact.email,
          mimetype: 'vnd.android.cursor.item/email_v2',
        })),
    },
  ],
  ['com.android.contacts', /./, { tag: 'TAINT_CONTACTS', rows: () => contacts.map(contactRow) }],
  ['contacts', /./, { tag: 'TAINT_CONTACTS', rows: () => contacts.map(contactRow) }],
  ['icc', /./, { tag: 'TAINT_CONTACTS', rows: () => contacts.slice(0, 2).map(contactRow) }],
  ['sms', /sent/, { tag: 'TAINT_SMS', rows: (machine) => messageRows(machine, 2) }],
  ['sms', /inbox/, { tag: 'TAINT_SMS', rows: (machine) => messageRows(machine, 1) }],
  ['sms', /^/, { tag: 'TAINT_SMS', rows: (machine) => messageRows(machine, null) }],
  ['mms-sms', /^/, { tag: 'TAINT_SMS', rows: (machine) => messageRows(machine, null) }],
  ['mms', /^/, { tag: 'TAINT_SMS', rows: () => [] }],
  [
    'call_log',
    /^/,
    {
      tag: 'TAINT_CALL_LOG',
      rows: (machine) =>
        calls.map((call) => ({
          _id: call.id,
          number: call.number,
          name: call.name,
          date: machine.clock.wall - call.age,
          duration: call.duration,
          type: call.type,
          new: 0,
          numbertype: 2,
        })),
    },
  ],
  [
    'browser',
    /^/,
    {
      tag: 'TAINT_BROWSER',
      rows: (machine) =>
        browserPages.map((page, index) => ({
          _id: index + 1,
          title: page.title,
          url: page.url,
          date: machine.clock.wall - page.age,
          visits: 4,
          bookmark: page.bookmark ? 1 : 0,
          created: 0,
        })),
    },
  ],
  [
    'com.android.calendar',
    /calendars/,
    {
      tag: 'TAINT_CALENDAR',
      rows: () => [
        {
          _id: 1,
          name: 'Privat',
          calendar_displayName: 'Privat',
          account_name: accounts[0]!.name,
          ownerAccount: accounts[0]!.name,
        },
      ],
    },
  ],
  [
    'com.android.calendar',
    /./,
    {
      tag: 'TAINT_CALENDAR',
      rows: (machine) =>
        calendarEvents.map(({ id, title, place }) => ({
          _id: id,
          calendar_id: 1,
          title,
          eventLocation: place,
          description: '',
          dtstart: machine.clock.wall,
          dtend: machine.clock.wall + 3_600_000,
        })),
    },
  ],
  [
    'media',
    /images/,
    {
      tag: 'TAINT_OTHERDB',
      rows: () => [
        {
          _id: 1,
          _data: '/storage/emulated/0/DCIM/Camera/20190614_183012.jpg',
          _display_name: '20190614_183012.jpg',
          _size: 2_481_204,
          mime_type: 'image/jpeg',
          bucket_display_name: 'Camera',
        },
      ],
    },
  ],
  ['media', /./, { tag: 'TAINT_OTHERDB', rows: () => [] }],
  ['user_dictionary', /^/, { tag: 'TAINT_OTHERDB', rows: () => [{ _id: 1, word: 'Lorenz', frequency: 200 }] }],
  [
    'telephony',
    /carriers/,
    {
      tag: 'TAINT_OTHERDB',
      rows: () => [
        { _id: 1, name: 'Vodafone DE', apn: 'web.vodafone.de', proxy: '', port: '', numeric: '26202', current: 1 },
      ],
    },
  ],
  [
    'com.google.android.gsf.gservices',
    /^/,
    { tag: 'TAINT_OTHERDB', rows: () => [{ key: 'android_id', value: '3714922185549321877' }] },
  ],
  // What `androidx.core.provider.FontsContractCompat` asks for.
  [
    fontsAuthority,
    /^/,
    {
      tag: null,
      rows: () => [
        {
          ...{ _id: 1, file_id: 1, font_ttc_index: 0, font_variation_settings: null, font_weight: 400, font_italic: 0 },
          result_code: 0,
        },
      ],
    },
  ],
];

function phoneTable(authority: string, path: string): Table | null {
  const name =
    authority === 'com.android.browser' || authority === 'com.android.chrome.browser' ? 'browser' : authority;
  return tables.find(([each, pattern]) => each === name && pattern.test(path))?.[2] ?? null;
}

/** A condition `column = value` or `column = ?`, the only kind the phone's tables are asked with mostly. */
function filterRows(
  machine: Machine,
  rows: readonly Row[],
  selection: Reference,
  args: JavaArray | null,
): readonly Row[] {
  const text = plain(machine, selection);
  const values = args === null ? [] : (args.elements as Reference[]).map((arg) => plain(machine, arg));
  let next = 0;
  let found = rows;
  for (const [, column, operator, literal] of text.matchAll(/([\w.]+)\s*(=|like)\s*('[^']*'|"[^"]*"|\?|-?\d+)/gi)) {
    const wanted = literal === '?' ? (values[next++] ?? '') : literal!.replace(/^['"]|['"]$/g, '');
    const name = column!.replace(/^.*\./, '').toLowerCase();
    const key = Object.keys(rows[0] ?? {}).find((each) => each.toLowerCase() === name);
    if (key === undefined) continue;
    const kept = found.filter((row) =>
      operator === '='
        ? String(row[key]) === wanted
        : String(row[key]).toLowerCase().includes(wanted.replaceAll('%', '').toLowerCase()),
    );
    // Where no made-up row meets the condition, all rows are given, so that the app's handling of rows runs.
    if (kept.length > 0) found = kept;
  }
  return found;
}

function providerFor(machine: Machine, authority: string): Reference {
  const app = appOf(machine);
  const known = app.providers.get(authority);
  if (known !== undefined) return known;
  const component = app.components.find((each) => each.kind === 'provider' && each.authorities.includes(authority));
  return component === undefined ? null : startProvider(machine, component.name, component.authorities);
}

/** Makes a provider of the app; null where its class does not load. */
export function startProvider(machine: Machine, className: string, authorities: readonly string[]): Reference {
  const app = appOf(machine);
  const provider = instantiate(machine, className);
  if (provider === null) return null;
  for (const authority of authorities) app.providers.set(authority, provider);
  callApp(machine, className, () => {
    callIfThere(
      machine,
      provider,
      'attachInfo(Landroid/content/Context;Landroid/content/pm/ProviderInfo;)V',
      app.application,
      machine.allocate('Landroid/content/pm/ProviderInfo;'),
    );
    callIfThere(machine, provider, 'onCreate()Z');
  });
  return provider;
}

const S = 'Ljava/lang/String;';
const A = '[Ljava/lang/String;';
const U = 'Landroid/net/Uri;';
const V = 'Landroid/content/ContentValues;';
const descriptorType = 'Landroid/os/ParcelFileDescriptor;';
const cursorType = 'Landroid/database/Cursor;';
const querySignature = `query(${U}${A}${S}${A}${S})${cursorType}`;

const query: NativeMethod = (
  machine,
  _me,
  uri: HeapObject,
  projection: JavaArray | null,
  selection: Reference,
  args: JavaArray | null,
  order: Reference,
) => {
  const { authority, path } = splitUri(uriText(uri));
  const provider = providerFor(machine, authority ?? '');
  if (provider !== null) return machine.call(provider, querySignature, uri, projection, selection, args, order);
  const table = phoneTable(authority ?? '', path ?? '');
  recorderOf(machine).event('content', `asked ${uriText(uri)}`);
  if (table === null) return null;
  const rows = filterRows(machine, table.rows(machine), selection, args);
  const names =
    projection === null || projection.elements.length === 0
      ? Object.keys(rows[0] ?? { _id: 1 })
      : (projection.elements as Reference[]).map((name) => plain(machine, name));
  const taint = table.tag === null ? 0 : machine.source(table.tag, `ContentResolver.query(${uriText(uri)})`);
  const cells = rows.map((row) =>
    names.map((name): Cell => {
      const key = Object.keys(row).find((each) => each.toLowerCase() === name.replace(/^.*\s/, '').toLowerCase());
      const value = key === undefined ? null : (row[key] ?? null);
      // Row numbers say nothing of anybody.
      return {
        value: typeof value === 'number' && !Number.isInteger(value) ? Math.trunc(value) : value,
        taint: key === '_id' ? 0 : taint,
      };
    }),
  );
  return newCursor(machine, names, cells, taint);
};

const insert: NativeMethod = (machine, _me, uri: HeapObject, values: Reference) => {
  const { authority } = splitUri(uriText(uri));
  const provider = providerFor(machine, authority ?? '');
  if (provider !== null) return machine.call(provider, `insert(${U}${V})${U}`, uri, values);
  outward(machine, 'ContentResolver.insert', uri, values);
  return machine.callStatic('Landroid/content/ContentUris;', `withAppendedId(${U}J)${U}`, uri, 101n);
};

/** Data that goes into another app's provider. */
function outward(machine: Machine, sink: string, uri: HeapObject, values: Reference): void {
  const recorder = recorderOf(machine);
  const taint = values === null ? 0 : bundleTaint(machine, bundleOf(values));
  recorder.event('content', `${sink.replace('ContentResolver.', '')} ${uriText(uri)}`);
  recorder.leak('provider', sink, uriText(uri), machine.union(taint, uri.taint));
}

const resolverMethods: NativeMethods = {
  [querySignature]: query,
  [`query(!${U}${A}${S}${A}${S}Landroid/os/CancellationSignal;)${cursorType}`]: query,
  // Limits in the bundle are ignored: all rows are given.
  [`query(${U}${A}Landroid/os/Bundle;Landroid/os/CancellationSignal;)${cursorType}`]: (
    machine,
    me,
    uri: Reference,
    columns: Reference,
  ) => machine.call(me, querySignature, uri, columns, null, null, null),
  [`insert(!${U}${V})${U}`]: insert,
  [`update(!${U}${V}${S}${A})I`]: (machine, _me, uri: HeapObject, values: Reference, where: Reference, args: Value) => {
    const provider = providerFor(machine, splitUri(uriText(uri)).authority ?? '');
    if (provider !== null) return machine.call(provider, `update(${U}${V}${S}${A})I`, uri, values, where, args);
    outward(machine, 'ContentResolver.update', uri, values);
    return 1;
  },
  [`delete(!${U}${S}${A})I`]: (machine, _me, uri: HeapObject, where: Reference, args: Value) => {
    const provider = providerFor(machine, splitUri(uriText(uri)).authority ?? '');
    if (provider !== null) return machine.call(provider, `delete(${U}${S}${A})I`, uri, where, args);
    recorderOf(machine).event('content', `deleted from ${uriText(uri)}`);
    return 1;
  },
  [`getType(!${U})${S}`]: (machine, _me, uri: HeapObject) => {
    const provider = providerFor(machine, splitUri(uriText(uri)).authority ?? '');
    return provider === null ? null : machine.call(provider, `getType(${U})${S}`, uri);
  },
  [`bulkInsert(!${U}![${V})I`]: (machine, me, uri: HeapObject, all: JavaArray) => {
    for (const values of all.elements as Reference[]) insert(machine, me, uri, values);
    return all.elements.length;
  },
  [`call(!${U}${S}${S}Landroid/os/Bundle;)Landroid/os/Bundle;`]: (
    machine,
    _me,
    uri: HeapObject,
    method: Reference,
    arg: Reference,
    extras: Reference,
  ) => {
    const provider = providerFor(machine, splitUri(uriText(uri)).authority ?? '');
    return provider === null
      ? null
      : machine.call(provider, `call(${S}${S}Landroid/os/Bundle;)Landroid/os/Bundle;`, method, arg, extras);
  },
  [`openInputStream(${U})Ljava/io/InputStream;`]: (machine, _me, uri: HeapObject) => {
    const { scheme, path } = splitUri(uriText(uri));
    const node = scheme === 'file' ? virtualFiles(machine).find(path ?? '') : null;
    return byteStream(machine, node?.bytes ?? new Uint8Array(0));
  },
  ...each(
    (machine) => machine.allocate(descriptorType),
    `openFileDescriptor(${U}${S})${descriptorType}`,
    `openFileDescriptor(${U}${S}Landroid/os/CancellationSignal;)${descriptorType}`,
  ),
  ...each(
    nothing,
    `notifyChange(${U}Landroid/database/ContentObserver;)V`,
    `notifyChange(${U}Landroid/database/ContentObserver;Z)V`,
    'unregisterContentObserver(Landroid/database/ContentObserver;)V',
    `takePersistableUriPermission(${U}I)V`,
  ),
  [`registerContentObserver(!${U}ZLandroid/database/ContentObserver;)V`]: (
    machine,
    _me,
    uri: HeapObject,
    _all: number,
    observer: Reference,
  ) => {
    if (observer === null) return;
    const app = appOf(machine);
    app.listen(`observer#${app.numberOf(observer)}`, {
      kind: 'content',
      fire: () => machine.call(observer, `onChange(Z${U})V`, 0, uri),
    });
  },
};

const providerMethods: NativeMethods = {
  ...each(
    nothing,
    '<init>()V',
    'attachInfo(Landroid/content/Context;Landroid/content/pm/ProviderInfo;)V',
    'onLowMemory()V',
    'onTrimMemory(I)V',
    'onConfigurationChanged(Landroid/content/res/Configuration;)V',
    'shutdown()V',
    'setReadPermission(Ljava/lang/String;)V',
  ),
  'onCreate()Z': () => 1,
  'getContext()Landroid/content/Context;': (machine) => appOf(machine).application,
  [querySignature]: none,
  [`query(${U}${A}${S}${A}${S}Landroid/os/CancellationSignal;)${cursorType}`]: (machine, me, ...args: Value[]) =>
    machine.call(me, querySignature, ...args.slice(0, 5)),
  [`insert(${U}${V})${U}`]: none,
  [`update(${U}${V}${S}${A})I`]: () => 0,
  [`delete(${U}${S}${A})I`]: () => 0,
  [`getType(${U})${S}`]: none,
  [`call(${S}${S}Landroid/os/Bundle;)Landroid/os/Bundle;`]: none,
  'getCallingPackage()Ljava/lang/String;': (machine) => machine.string(appOf(machine).packageName),
};

const contractUris: Readonly<Record<string, string>> = {
  'Landroid/provider/ContactsContract$Contacts;#CONTENT_URI': 'content://com.android.contacts/contacts',
  'Landroid/provider/ContactsContract$Contacts;#CONTENT_LOOKUP_URI': 'content://com.android.contacts/contacts/lookup',
  'Landroid/provider/ContactsContract$RawContacts;#CONTENT_URI': 'content://com.android.contacts/raw_contacts',
  'Landroid/provider/ContactsContract$Profile;#CONTENT_URI': 'content://com.android.contacts/profile',
  'Landroid/provider/BlockedNumberContract$BlockedNumbers;#CONTENT_URI': 'content://com.android.blockednumber/blocked',
  'Landroid/provider/ContactsContract$Data;#CONTENT_URI': 'content://com.android.contacts/data',
  'Landroid/provider/ContactsContract$PhoneLookup;#CONTENT_FILTER_URI': 'content://com.android.contacts/phone_lookup',
  'Landroid/provider/ContactsContract$CommonDataKinds$Phone;#CONTENT_URI': 'content://com.android.contacts/data/phones',
  'Landroid/provider/ContactsContract$CommonDataKinds$Email;#CONTENT_URI': 'content://com.android.contacts/data/emails',
  'Landroid/provider/ContactsContract;#AUTHORITY_URI': 'content://com.android.contacts',
  'Landroid/provider/CallLog;#CONTENT_URI': 'content://call_log',
  'Landroid/provider/CallLog$Calls;#CONTENT_URI': 'content://call_log/calls',
  'Landroid/provider/Telephony$Sms;#CONTENT_URI': 'content://sms',
  'Landroid/provider/Telephony$Sms$Inbox;#CONTENT_URI': 'content://sms/inbox',
  'Landroid/provider/Telephony$Sms$Sent;#CONTENT_URI': 'content://sms/sent',
  'Landroid/provider/Browser;#BOOKMARKS_URI': 'content://browser/bookmarks',
  'Landroid/provider/Browser;#SEARCHES_URI': 'content://browser/searches',
  'Landroid/provider/CalendarContract$Events;#CONTENT_URI': 'content://com.android.calendar/events',
  'Landroid/provider/CalendarContract$Calendars;#CONTENT_URI': 'content://com.android.calendar/calendars',
  'Landroid/provider/MediaStore$Images$Media;#EXTERNAL_CONTENT_URI': 'content://media/external/images/media',
  'Landroid/provider/MediaStore$Images$Media;#INTERNAL_CONTENT_URI': 'content://media/internal/images/media',
  'Landroid/provider/MediaStore$Video$Media;#EXTERNAL_CONTENT_URI': 'content://media/external/video/media',
  'Landroid/provider/MediaStore$Audio$Media;#EXTERNAL_CONTENT_URI': 'content://media/external/audio/media',
  'Landroid/provider/UserDictionary$Words;#CONTENT_URI': 'content://user_dictionary/words',
  'Landroid/provider/Settings$Secure;#CONTENT_URI': 'content://settings/secure',
  'Landroid/provider/Settings$System;#CONTENT_URI': 'content://settings/system',
};

const uriConstants = (descriptor: string) =>
  Object.fromEntries(
    Object.entries(contractUris)
      .filter(([key]) => key.startsWith(`${descriptor}#`))
      .map(([key, uri]) => [
        `${key.slice(descriptor.length + 1)}:${U}`,
        (machine: Machine): Value => machine.callStatic(U, `parse(${S})${U}`, machine.string(uri)),
      ]),
  );

const contracts = [...new Set(Object.keys(contractUris).map((key) => key.replace(/#.*/, '')))];

const storeUri =
  (kind: string): NativeMethod =>
  (machine, volume: Reference) =>
    newUri(machine, `content://media/${plain(machine, volume)}/${kind}`);

export const contentModels: Models = {
  ...Object.fromEntries(contracts.map((descriptor) => [descriptor, { constants: uriConstants(descriptor) }])),
  'Landroid/provider/MediaStore$Files;': { staticMethods: { [`getContentUri(${S})${U}`]: storeUri('file') } },
  'Landroid/content/ContentResolver;': { isAbstract: true, methods: resolverMethods },
  'Landroid/content/ContentResolverImpl;': { extends: 'Landroid/content/ContentResolver;' },
  'Landroid/content/ContentProvider;': {
    methods: providerMethods,
    implements: ['Landroid/content/ComponentCallbacks2;'],
  },
  'Landroid/provider/Browser;': {
    constants: uriConstants('Landroid/provider/Browser;'),
    staticMethods: {
      'getAllBookmarks(!Landroid/content/ContentResolver;)Landroid/database/Cursor;': (machine, resolver: HeapObject) =>
        browserQuery(machine, resolver),
      'getAllVisitedUrls(!Landroid/content/ContentResolver;)Landroid/database/Cursor;': (
        machine,
        resolver: HeapObject,
      ) => browserQuery(machine, resolver),
    },
  },
};

const browserQuery = (machine: Machine, resolver: HeapObject): Value =>
  machine.call(
    resolver,
    querySignature,
    machine.callStatic(U, `parse(${S})${U}`, machine.string('content://browser/bookmarks')),
    null,
    null,
    null,
    null,
  );

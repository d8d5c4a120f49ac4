// Data, statements and code on the device: where they are kept, what they are made of, who else reads them.

import type { Origin } from '../../code/origins.ts';
import {
  type CallRule,
  context,
  foreignIn,
  inExported,
  inPageMethod,
  inputIn,
  isCallOf,
  isOneOf,
  isSecretKey,
  keyed,
  privateFields,
  privateIn,
  privateMethods,
  typed,
} from './call-rule.ts';
import { type CallSite, textOf } from './call-site.ts';

const archiveNames = { 'Ljava/util/zip/ZipEntry;': 'getName', 'Ljava/util/jar/JarEntry;': 'getName' };
/** By which a path is compared with the folder that it should be in. */
const pathChecks =
  /->(?:getCanonicalPath|getCanonicalFile|normalize|toRealPath|contains|startsWith|getName|replace\w*|equals|matches)$/;
const database = 'Landroid/database/sqlite/SQLiteDatabase;';
const statements = 'rawQuery execSQL query delete update compileStatement rawQueryWithFactory';

/** Methods that make something unreadable of what they are given, and libraries whose stores do. */
const encrypting =
  /^Ljavax\/crypto\/|->\w*(?:[eE]ncrypt|[hH]ash|[dD]igest)|^Ljava\/security\/MessageDigest;|^Landroidx\/security\/crypto\//;

const sharedFolders = {
  'Landroid/os/Environment;': 'getExternalStorageDirectory getExternalStoragePublicDirectory',
  [context]: 'getExternalFilesDir getExternalFilesDirs getExternalCacheDir getExternalCacheDirs',
};
const sharedFolder =
  /^Landroid\/os\/Environment;->getExternalStorage(?:Public)?Directory$|->getExternal(?:Files|Cache)Dirs?$/;

/** Whether an argument is, or may be, a file on the shared storage. */
function isShared(site: CallSite, argument: number): boolean {
  const isIt = (origin: Origin): boolean =>
    isCallOf(origin, sharedFolder) ||
    (origin.kind === 'constant' && /^"(?:file:\/\/)?\/(?:sdcard|storage|mnt\/sdcard)\//.test(origin.text));
  return site
    .origins(argument)
    .some(
      (origin) =>
        isIt(origin) ||
        (origin.kind === 'call' &&
          isCallOf(origin, /^Ljava\/io\/File;->createTempFile$/) &&
          site.argumentOf(origin, 2).some(isIt)),
    );
}

export const storageRules: readonly CallRule[] = [
  {
    code: 'weakness-sql',
    calls: {
      [database]: statements,
      'Lnet/sqlcipher/database/SQLiteDatabase;': statements,
      'Lnet/zetetic/database/sqlcipher/SQLiteDatabase;': statements,
      'Landroidx/sqlite/db/SupportSQLiteDatabase;': 'query execSQL',
      'Landroid/database/sqlite/SQLiteQueryBuilder;': 'appendWhere',
    },
    judge(site) {
      const last =
        /^(?:rawQuery|execSQL|compileStatement)$/.test(site.call.name) || site.call.owner.startsWith('Landroidx')
          ? 1
          : site.count - 1;
      for (let argument = 1; argument <= last; argument++) {
        // What is in an array stands behind question marks.
        if (site.typeOf(argument) !== 'Ljava/lang/String;') continue;
        const origins = site.origins(argument);
        // A whole statement from elsewhere is not built here; pieces of text around it make it a statement.
        if (!origins.some(({ kind }) => kind === 'constant')) continue;
        const input = inputIn(origins);
        if (input !== null) return `${textOf(origins)} joined with ${input}`;
      }
      return null;
    },
  },
  {
    // A provider that hands on what its callers wrote lets them write the statement.
    code: 'weakness-sql',
    calls: {
      [database]: 'query delete update',
      'Landroid/database/sqlite/SQLiteQueryBuilder;': 'query delete update',
    },
    judge(site) {
      if (!site.isInExported() || site.isBeside(/->set(?:Strict|ProjectionMap)\w*$/)) return null;
      for (let argument = 1; argument < site.count; argument++) {
        const isText = site.typeOf(argument) === 'Ljava/lang/String;';
        const input = isText ? inputIn(site.origins(argument)) : null;
        if (input !== null) return `the condition is ${input}, as other apps write it`;
      }
      return null;
    },
  },
  {
    code: 'weakness-command',
    calls: { 'Ljava/lang/Runtime;': 'exec', 'Ljava/lang/ProcessBuilder;': '<init> command' },
    judge(site) {
      const input = inputIn(site.origins(1));
      if (input === null) return null;
      // What its own user types, or its own screens hand on, no stranger chooses.
      const isForeign =
        (site.isInExported() && foreignIn(site, 1) !== null) || /^(?:Http)?URLConnection|^DataInput/.test(input);
      return { evidence: `the command is made of ${input}`, severity: isForeign ? 'high' : 'medium' };
    },
  },
  {
    code: 'weakness-chosen-class',
    calls: {
      'Ljava/lang/Class;': 'forName',
      'Ljava/lang/ClassLoader;': 'loadClass',
      'Landroid/app/Fragment;': 'instantiate',
      'Landroidx/fragment/app/Fragment;': 'instantiate',
      'Landroid/support/v4/app/Fragment;': 'instantiate',
    },
    in: inExported,
    judge(site) {
      const input = foreignIn(site, site.call.name === 'forName' ? 0 : 1);
      return input === null ? null : `the class is named by ${input}`;
    },
  },
  {
    code: 'weakness-path-traversal',
    // A web view's page is as foreign as another app.
    in: (place) => (inExported(place) && !place.facts.providers.has(place.owner)) || inPageMethod(place),
    calls: {
      'Ljava/io/File;': '<init>',
      [context]: 'openFileOutput openFileInput',
      'Ljava/io/FileInputStream;': '<init>',
      'Ljava/io/FileOutputStream;': '<init>',
    },
    judge(site) {
      for (let argument = 1; argument < site.count; argument++) {
        const input = foreignIn(site, argument);
        if (input !== null && !site.isBeside(pathChecks)) return `the path is made of ${input}`;
      }
      return null;
    },
  },
  {
    code: 'weakness-provider-traversal',
    in: ({ owner, facts }) => facts.providers.has(owner),
    calls: { 'Ljava/io/File;': '<init>' },
    judge(site) {
      const isNamed = Array.from({ length: site.count - 1 }, (_, index) => foreignIn(site, index + 1)).some(Boolean);
      return isNamed && !site.isBeside(pathChecks) ? 'the name in the address may lead out of the folder' : null;
    },
  },
  {
    code: 'weakness-sms-input',
    calls: { 'Landroid/telephony/SmsManager;': 'sendTextMessage sendMultipartTextMessage sendDataMessage' },
    in: inExported,
    judge(site) {
      const input = foreignIn(site, 1) ?? foreignIn(site, 3);
      return input === null ? null : `${input} says what is sent, or to whom`;
    },
  },
  {
    code: 'weakness-world-accessible',
    calls: {
      [context]: 'openFileOutput getSharedPreferences openOrCreateDatabase getDir',
      'Ljava/io/File;': 'setReadable setWritable',
    },
    judge(site) {
      if (site.call.owner === 'Ljava/io/File;') {
        const isForAll = site.count === 3 && site.numbers(1)?.includes(1) && site.numbers(2)?.includes(0);
        // What is only read is often an update for the installer, which older versions ask to be readable.
        const severity = site.call.name === 'setReadable' ? 'medium' : 'high';
        return isForAll ? { evidence: `${site.call.name}(true, false)`, severity } : null;
      }
      const modes = site.numbers(2);
      const open = modes?.find((mode) => mode > 0 && (mode & 3) !== 0 && mode < 0x8000);
      if (open === undefined) return null;
      const evidence = (open & 2) !== 0 ? 'MODE_WORLD_WRITEABLE' : 'MODE_WORLD_READABLE';
      return site.facts.minSdkVersion >= 24
        ? { evidence: `${evidence}, which ends the app`, severity: 'low' }
        : evidence;
    },
  },
  {
    code: 'weakness-external-storage',
    calls: {
      'Ljava/io/FileOutputStream;': '<init>',
      'Ljava/io/FileWriter;': '<init>',
      'Ljava/io/RandomAccessFile;': '<init>',
      'Ljava/io/PrintWriter;': '<init>',
      'Landroid/media/MediaRecorder;': 'setOutputFile',
      'Lkotlin/io/FilesKt;': 'writeText$default writeBytes writeText appendText$default',
    },
    judge: (site) =>
      isShared(site, site.call.owner.startsWith('Lkotlin') ? 0 : 1)
        ? 'a file that other apps can read and change'
        : null,
  },
  {
    code: 'weakness-external-input',
    calls: {
      'Ljava/io/FileInputStream;': '<init>',
      'Ljava/io/FileReader;': '<init>',
      'Ljava/util/Scanner;': '<init>',
      'Lkotlin/io/FilesKt;': 'readText$default readBytes readText readLines$default',
    },
    beside: { methods: sharedFolders },
    judge: (site) =>
      isShared(site, site.call.owner.startsWith('Lkotlin') ? 0 : 1) ? 'a file that other apps can change' : null,
  },
  {
    code: 'weakness-code-from-storage',
    calls: {
      'Ldalvik/system/DexClassLoader;': '<init>',
      'Ldalvik/system/PathClassLoader;': '<init>',
      'Ldalvik/system/DexFile;': '<init> loadDex',
      'Ljava/lang/System;': 'load',
    },
    judge(site) {
      const first = site.call.name === '<init>' ? 1 : 0;
      if (isShared(site, first)) return 'code that other apps can replace';
      const input = site.isInExported() ? foreignIn(site, first) : null;
      return input === null ? null : `the code is named by ${input}`;
    },
  },
  {
    code: 'weakness-foreign-code',
    calls: { [context]: 'createPackageContext' },
    judge: (site) =>
      site.numbers(2)?.some((flags) => (flags & 3) === 3) ? 'CONTEXT_INCLUDE_CODE with CONTEXT_IGNORE_SECURITY' : null,
  },
  {
    code: 'weakness-zip-traversal',
    calls: { 'Ljava/io/File;': '<init>', 'Ljava/io/FileOutputStream;': '<init>' },
    beside: { methods: archiveNames },
    judge(site) {
      const isNamed = Array.from({ length: site.count - 1 }, (_, index) => site.origins(index + 1)).some((origins) =>
        origins.some((origin) => isOneOf(origin, archiveNames)),
      );
      if (!isNamed) return null;
      const isChecked = site.isBeside(
        /->(?:getCanonicalPath|getCanonicalFile|normalize|toRealPath|contains|startsWith)$/,
      );
      return isChecked ? null : 'the name in the archive may lead out of the folder';
    },
  },
  {
    code: 'weakness-log',
    calls: {
      'Landroid/util/Log;': 'v d i w e wtf println',
      'Ljava/io/PrintStream;': 'println print printf',
    },
    beside: { methods: { ...privateMethods, ...keyed }, fields: privateFields, secretText: true },
    judge(site) {
      for (let argument = 0; argument < site.count; argument++) {
        const found = privateIn(site, argument);
        if (found !== null) return `writes ${found}`;
      }
      // A tag that names what is written.
      const tag = site.call.owner === 'Landroid/util/Log;' ? site.strings(0).find(isSecretKey) : undefined;
      return tag !== undefined && site.constant(1) === null && site.count === 2
        ? `writes what it calls "${tag}"`
        : null;
    },
  },
  {
    code: 'weakness-plain-storage',
    calls: { 'Landroid/content/SharedPreferences$Editor;': 'putString', 'Landroid/content/ContentValues;': 'put' },
    judge(site) {
      const key = site.strings(1).find(isSecretKey);
      if (key === undefined || site.isBeside(encrypting)) return null;
      // Constants are defaults and marks, not what somebody entrusted to the app.
      return site.constant(2) === null ? `"${key}" is kept as it is` : null;
    },
  },
  {
    code: 'weakness-plain-storage',
    calls: { [database]: 'execSQL' },
    beside: { methods: typed },
    judge: (site) =>
      site.strings(1).some((text) => /^\s*insert\b/i.test(text)) &&
      [...site.origins(1), ...site.origins(2)].some((origin) => isOneOf(origin, typed)) &&
      !site.isBeside(encrypting)
        ? 'what is typed is kept in a database'
        : null,
  },
  {
    code: 'weakness-plain-storage',
    calls: { 'Ljava/io/FileOutputStream;': '<init>', 'Ljava/io/FileWriter;': '<init>' },
    beside: { methods: typed },
    judge(site) {
      const isTemporary = site.origins(1).some((origin) => isCallOf(origin, /^Ljava\/io\/File;->createTempFile$/));
      return isTemporary && !site.isBeside(encrypting) ? 'what is typed is written into a temporary file' : null;
    },
  },
  {
    code: 'weakness-clipboard',
    calls: { 'Landroid/content/ClipData;': 'newPlainText newHtmlText' },
    beside: { methods: { 'Landroid/content/ClipboardManager;': 'setPrimaryClip' } },
    judge(site) {
      const found = privateIn(site, 1);
      if (found !== null) return `copies ${found}`;
      const name = site.strings(0).find((text) => isSecretKey(text) || /\bcard\b/i.test(text));
      return name !== undefined && site.constant(1) === null ? `copies what it calls "${name}"` : null;
    },
  },
];

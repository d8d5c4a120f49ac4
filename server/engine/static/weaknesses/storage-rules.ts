// Data, statements and code on the device: where they are kept, what they are made of, who else reads them.
import {
  type CallRule,
  context,
  inputIn,
  isCallOf,
  isOneOf,
  isPrivateField,
  privateFields,
  privateMethods,
  simple,
  typed,
} from './call-rule.ts';
import { textOf } from './call-site.ts';

const archiveNames = { 'Ljava/util/zip/ZipEntry;': 'getName', 'Ljava/util/jar/JarEntry;': 'getName' };
const database = 'Landroid/database/sqlite/SQLiteDatabase;';

/** Keys under which apps keep what opens an account: words of a name in snake or camel case. */
const secretKey =
  /(?:^|[^a-z])(?:pass(?:word|wd|phrase|code)?|pwd|pin|cvv|otp|secret|token|credential|card_?number)s?(?![a-z])/;
const isSecretKey = (name: string): boolean =>
  secretKey.test(name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase());

/** Methods that make something unreadable of what they are given, and libraries whose stores do. */
const encrypting =
  /^Ljavax\/crypto\/|->\w*(?:[eE]ncrypt|[hH]ash|[dD]igest)|^Ljava\/security\/MessageDigest;|^Landroidx\/security\/crypto\//;

export const storageRules: readonly CallRule[] = [
  {
    code: 'weakness-sql',
    calls: {
      [database]: 'rawQuery execSQL query delete update compileStatement rawQueryWithFactory',
    },
    judge(site) {
      const last = /^(?:rawQuery|execSQL|compileStatement)$/.test(site.call.name) ? 1 : site.count - 1;
      for (let argument = 1; argument <= last; argument++) {
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
    code: 'weakness-command',
    calls: { 'Ljava/lang/Runtime;': 'exec', 'Ljava/lang/ProcessBuilder;': '<init> command' },
    judge(site) {
      const input = inputIn(site.origins(1));
      return input === null ? null : `the command is made of ${input}`;
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
        return isForAll ? `${site.call.name}(true, false)` : null;
      }
      const modes = site.numbers(2);
      const open = modes?.find((mode) => mode > 0 && (mode & 3) !== 0 && mode < 0x8000);
      if (open === undefined) return null;
      return (open & 2) !== 0 ? 'MODE_WORLD_WRITEABLE' : 'MODE_WORLD_READABLE';
    },
  },
  {
    code: 'weakness-external-storage',
    calls: {
      'Ljava/io/FileOutputStream;': '<init>',
      'Ljava/io/FileWriter;': '<init>',
      'Ljava/io/RandomAccessFile;': '<init>',
      'Ljava/io/PrintWriter;': '<init>',
    },
    judge(site) {
      const shared = site
        .origins(1)
        .find((origin) => isCallOf(origin, /^Landroid\/os\/Environment;->getExternalStorage(?:Public)?Directory$/));
      return shared === undefined ? null : 'a file that other apps can read and change';
    },
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
      const external = /->getExternal(?:Storage(?:Public)?Directory|FilesDirs?|CacheDirs?)$/;
      const first = site.call.name === '<init>' ? 1 : 0;
      const isExternal =
        site.origins(first).some((origin) => isCallOf(origin, external)) ||
        site.strings(first).some((text) => /^\/(?:sdcard|storage|mnt\/sdcard)\//.test(text));
      return isExternal ? 'code that other apps can replace' : null;
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
    beside: { methods: privateMethods, fields: privateFields },
    judge(site) {
      for (let argument = 0; argument < site.count; argument++) {
        for (const origin of site.origins(argument)) {
          if (origin.kind === 'call' && isOneOf(origin, privateMethods))
            return `writes ${simple(origin.call.owner)}.${origin.call.name}()`;
          if (origin.kind === 'field' && isPrivateField(origin)) return `writes ${origin.field}`;
        }
      }
      return null;
    },
  },
  {
    code: 'weakness-credential',
    calls: { 'Ljava/lang/String;': 'equals equalsIgnoreCase contentEquals' },
    beside: { methods: typed },
    judge(site) {
      for (const [one, other] of [
        [0, 1],
        [1, 0],
      ] as const) {
        const text = site.constant(one);
        if (text === null || text.length < 5) continue;
        const origin = site.origins(other).find((each) => isOneOf(each, typed));
        if (origin !== undefined) return `what is typed is compared with ${text}`;
      }
      return null;
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
      const origin = site.origins(1).find((each) => isOneOf(each, privateMethods) || isPrivateField(each));
      if (origin?.kind === 'call') return `copies ${simple(origin.call.owner)}.${origin.call.name}()`;
      return origin?.kind === 'field' ? `copies ${origin.field}` : null;
    },
  },
];

// What makes a call a weakness, or one for root, judged by what its arguments may be in the method and its callers. Knows no dex structure.
import type { FindingCode } from '../../../contract/findings/finding-catalogue.ts';
import type { Origin } from '../../code/origins.ts';
import { type CallSite, textOf } from './call-site.ts';

export interface CallRule {
  readonly code: FindingCode;
  /** Names of the methods that are judged, by class descriptor, separated by blanks. */
  readonly calls: Readonly<Record<string, string>>;
  /** What the method has to do as well, without which its calls need not be looked at. */
  readonly beside?: {
    /** Methods that it calls, as in `calls`. */
    readonly methods: Readonly<Record<string, string>>;
    /** Names of fields of any class that it reads, separated by blanks. */
    readonly fields?: string;
  };
  /** What is wrong, as evidence; null where nothing is. */
  judge(site: CallSite): string | null;
}

const isCallOf = (origin: Origin, pattern: RegExp): boolean =>
  origin.kind === 'call' && pattern.test(`${origin.call.owner}->${origin.call.name}`);

/** What a person, another app or the network hands in. */
const inputs =
  /^Landroid\/content\/Intent;->get|^Landroid\/os\/(?:Base)?Bundle;->get|^Landroid\/net\/Uri;->get|^Landroid\/widget\/(?:EditText|TextView|AutoCompleteTextView);->getText$|^Lcom\/google\/android\/material\/textfield\/TextInputEditText;->getText$|^Ljava\/net\/(?:URLConnection|HttpURLConnection);->getInputStream$|^Landroid\/content\/ClipData\$Item;->getText$|^Ljava\/io\/(?:BufferedReader;->readLine|DataInputStream;->readUTF)$/;
const intentInputs =
  /^Landroid\/content\/Intent;->get(?:StringExtra|Data|DataString|Parcelable|Extras|Serializable)|^Landroid\/os\/(?:Base)?Bundle;->get(?:String|Parcelable)|^Landroid\/net\/Uri;->get/;

/** What of an argument is no constant and may be somebody else's: calls that read input, and parameters of other components' calls. */
function inputIn(origins: readonly Origin[]): string | null {
  for (const origin of origins) {
    if (origin.kind === 'call' && isCallOf(origin, inputs)) return `${simple(origin.call.owner)}.${origin.call.name}()`;
    if (origin.kind === 'parameter' && isEntryText(origin)) return `parameter ${origin.place} of ${origin.method.name}`;
  }
  return null;
}

/** Whether a parameter is a text that the framework hands an app from outside: the methods of providers. */
const isEntryText = ({ method: { name, descriptor } }: Extract<Origin, { kind: 'parameter' }>): boolean =>
  /^(?:query|delete|update|insert)$/.test(name) && descriptor.startsWith('(Landroid/net/Uri;');

const simple = (descriptor: string): string =>
  descriptor.slice(descriptor.lastIndexOf('/') + 1, -1).replaceAll('$', '.');

const weakCipher = /^(?:DES|DESede|TripleDES|RC2|RC4|ARC4|ARCFOUR|Blowfish)(?:\/|$)/i;
const ecb = /^(?!RSA)[^/]+\/ECB\//i;

/** Why a transformation is weak; null where it is not. `AES` alone is ECB by the provider's default. */
function weakTransformation(text: string): string | null {
  if (weakCipher.test(text)) return `"${text}" is broken or too short`;
  if (ecb.test(text)) return `"${text}" shows equal blocks as equal`;
  if (/^(?:AES|Camellia|Twofish)$/i.test(text)) return `"${text}" stands for ECB, which shows equal blocks as equal`;
  if (/^RSA\/[^/]+\/NoPadding$/i.test(text)) return `"${text}" is RSA without padding`;
  return null;
}

const firstOf = <T>(values: readonly string[], judge: (text: string) => T | null): T | null => {
  for (const value of values) {
    const found = judge(value);
    if (found !== null) return found;
  }
  return null;
};

/** What cannot be guessed comes from elsewhere; `java.util.Random` can be. */
const guessable =
  /^Ljava\/util\/Random;->next|^Ljava\/lang\/Math;->random$|^Ljava\/util\/concurrent\/ThreadLocalRandom;->next|^Ljava\/lang\/System;->(?:currentTimeMillis|nanoTime)$/;

const constantMaterial =
  (what: string, argument: number) =>
  (site: CallSite): string | null => {
    const text = site.constant(argument);
    return text === null ? null : `the ${what} is ${text}`;
  };

const flagImmutable = 0x4000000;
const flagMutable = 0x2000000;
const notExported = 4;

/** Whether an intent argument names the component or package that it is for; null where it is not made in this method. */
function isExplicit(site: CallSite, argument: number): boolean | null {
  const origins = site.origins(argument);
  if (!origins.every((origin) => origin.kind === 'object' && origin.method === site.method)) return null;
  const calls = site.otherCallsOn(argument);
  return calls.some(
    ({ name, call, argument: place }) =>
      place === 0 &&
      (/^Landroid\/content\/Intent;->set(?:Class|ClassName|Component|Package)$/.test(name) ||
        (name === 'Landroid/content/Intent;-><init>' && /Ljava\/lang\/Class;/.test(call.descriptor))),
  );
}

/** What nobody but the user should read: by the framework's methods, and by the usual names of fields. */
const privateMethods = {
  'Landroid/telephony/TelephonyManager;':
    'getDeviceId getImei getMeid getSubscriberId getSimSerialNumber getLine1Number',
  'Landroid/location/Location;': 'getLatitude getLongitude',
  'Landroid/accounts/AccountManager;': 'getPassword peekAuthToken',
  'Landroid/widget/EditText;': 'getText',
};
const privateFields =
  'password passwd pwd pass passphrase userPassword mPassword secret token authToken accessToken sessionToken refreshToken ' +
  'pin pinCode cvv cardNumber creditCard apiKey privateKey otp';
const archiveNames = { 'Ljava/util/zip/ZipEntry;': 'getName', 'Ljava/util/jar/JarEntry;': 'getName' };
const typed = { 'Landroid/widget/EditText;': 'getText' };

const isOneOf = (origin: Origin, methods: Readonly<Record<string, string>>): boolean =>
  origin.kind === 'call' && (methods[origin.call.owner]?.split(' ').includes(origin.call.name) ?? false);
const isPrivateField = (origin: Origin): boolean =>
  origin.kind === 'field' && privateFields.split(' ').includes(/->(\w+):/.exec(origin.field)?.[1] ?? '');

const context = 'Landroid/content/Context;';
const database = 'Landroid/database/sqlite/SQLiteDatabase;';

export const callRules: readonly CallRule[] = [
  {
    code: 'weakness-cipher',
    calls: {
      'Ljavax/crypto/Cipher;': 'getInstance',
      'Ljavax/crypto/KeyGenerator;': 'getInstance',
      'Ljavax/crypto/SecretKeyFactory;': 'getInstance',
    },
    judge(site) {
      const isCipher = site.call.owner === 'Ljavax/crypto/Cipher;';
      return firstOf(site.strings(0), (text) => {
        if (isCipher) return weakTransformation(text);
        return weakCipher.test(text) || /^PBEWith(?:MD5|SHA1?)And(?:DES|RC2|RC4)/i.test(text)
          ? `"${text}" is broken or too short`
          : null;
      });
    },
  },
  {
    code: 'weakness-hash',
    calls: {
      'Ljava/security/MessageDigest;': 'getInstance',
      'Ljavax/crypto/Mac;': 'getInstance',
      'Ljava/security/Signature;': 'getInstance',
    },
    judge: (site) =>
      firstOf(site.strings(0), (text) => (/^(?:Hmac)?(?:MD[245]|SHA-?1)(?:with|$)/i.test(text) ? `"${text}"` : null)),
  },
  {
    code: 'weakness-constant-key',
    calls: {
      'Ljavax/crypto/spec/SecretKeySpec;': '<init>',
      'Ljavax/crypto/spec/DESKeySpec;': '<init>',
      'Ljavax/crypto/spec/DESedeKeySpec;': '<init>',
      'Ljavax/crypto/spec/PBEKeySpec;': '<init>',
    },
    judge: constantMaterial('key', 1),
  },
  {
    code: 'weakness-constant-iv',
    calls: { 'Ljavax/crypto/spec/IvParameterSpec;': '<init>', 'Ljavax/crypto/spec/GCMParameterSpec;': '<init>' },
    judge: (site) => constantMaterial('initialization vector', site.call.owner.includes('GCM') ? 2 : 1)(site),
  },
  {
    code: 'weakness-key-derivation',
    calls: { 'Ljavax/crypto/spec/PBEKeySpec;': '<init>', 'Ljavax/crypto/spec/PBEParameterSpec;': '<init>' },
    judge(site) {
      const salt = site.call.owner.includes('PBEKeySpec') ? 2 : 1;
      if (site.count <= salt) return null;
      const text = site.constant(salt);
      if (text !== null) return `the salt is ${text}`;
      const rounds = site.numbers(salt + 1);
      return rounds?.some((count) => count > 0 && count < 1000) ? `${rounds.join(' or ')} rounds` : null;
    },
  },
  {
    code: 'weakness-key-size',
    calls: { 'Ljava/security/KeyPairGenerator;': 'initialize', 'Ljavax/crypto/KeyGenerator;': 'init' },
    judge(site) {
      const sizes = site.numbers(1);
      const algorithms = site
        .origins(0)
        .flatMap((origin) =>
          origin.kind === 'call' && origin.call.name === 'getInstance' ? site.at(origin.call).strings(0) : [],
        );
      const least = algorithms.some((name) => /^(?:RSA|DSA|DH)/i.test(name))
        ? 2048
        : algorithms.some((name) => /^AES/i.test(name))
          ? 128
          : algorithms.some((name) => /^EC/i.test(name))
            ? 224
            : 0;
      return sizes?.some((size) => size > 0 && size < least)
        ? `${algorithms[0]} with ${sizes.join(' or ')} bits`
        : null;
    },
  },
  {
    code: 'weakness-seed',
    calls: { 'Ljava/security/SecureRandom;': '<init> setSeed' },
    judge(site) {
      if (site.count < 2 || /^\(Ljava\/security\/SecureRandomSpi/.test(site.call.descriptor)) return null;
      const text = site.constant(1);
      if (text !== null) return `the seed is ${text}`;
      return site.origins(1).some((origin) => isCallOf(origin, guessable))
        ? 'the seed is the time or a guessable number'
        : null;
    },
  },
  {
    code: 'weakness-random',
    calls: {
      'Ljavax/crypto/spec/SecretKeySpec;': '<init>',
      'Ljavax/crypto/spec/IvParameterSpec;': '<init>',
      'Ljavax/crypto/spec/PBEKeySpec;': '<init>',
      'Ljavax/crypto/spec/GCMParameterSpec;': '<init>',
    },
    judge(site) {
      for (let argument = 1; argument < site.count; argument++) {
        const found = site.origins(argument).find((origin) => isCallOf(origin, guessable));
        if (found?.kind === 'call') return `made of ${simple(found.call.owner)}.${found.call.name}()`;
      }
      return null;
    },
  },
  {
    code: 'weakness-keystore-password',
    calls: { 'Ljava/security/KeyStore;': 'load getKey setKeyEntry', 'Ljavax/net/ssl/KeyManagerFactory;': 'init' },
    judge(site) {
      const argument = site.call.name === 'setKeyEntry' ? 3 : 2;
      const text = site.constant(argument);
      return text === null || text === '0' || text === '""' ? null : `the password is ${text}`;
    },
  },
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
    code: 'code-root-command',
    calls: { 'Ljava/lang/Runtime;': 'exec', 'Ljava/lang/ProcessBuilder;': '<init> command' },
    judge: (site) => firstOf(site.strings(1), (text) => (/^(?:\/\S+\/)?su(?:\s|$)/.test(text) ? `"${text}"` : null)),
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
    code: 'weakness-pending-intent',
    calls: { 'Landroid/app/PendingIntent;': 'getActivity getBroadcast getService getForegroundService getActivities' },
    judge(site) {
      const flags = site.numbers(3);
      if (flags === null) return null;
      const isMutable = flags.some((flag) =>
        site.facts.targetSdkVersion >= 31 ? (flag & flagMutable) !== 0 : (flag & flagImmutable) === 0,
      );
      return isMutable && isExplicit(site, 2) === false ? 'whoever gets it decides where its intent goes' : null;
    },
  },
  {
    code: 'weakness-intent-redirection',
    calls: {
      [context]: 'startActivity startService startForegroundService sendBroadcast bindService startActivities',
      'Landroid/app/Activity;': 'startActivity startActivityForResult',
    },
    judge(site) {
      // Within an app components hand each other intents; only what others reach redirects theirs.
      if (!site.isInExported()) return null;
      const passed = site
        .origins(1)
        .find((origin) =>
          isCallOf(
            origin,
            /^Landroid\/(?:content\/Intent|os\/(?:Base)?Bundle);->get(?:Parcelable(?:Extra)?|SerializableExtra)$|^Landroid\/content\/Intent;->(?:parseUri|getIntent)$/,
          ),
        );
      return passed?.kind === 'call'
        ? `the intent comes from ${simple(passed.call.owner)}.${passed.call.name}()`
        : null;
    },
  },
  {
    code: 'weakness-implicit-broadcast',
    calls: { [context]: 'sendBroadcast sendOrderedBroadcast sendStickyBroadcast sendStickyOrderedBroadcast' },
    judge(site) {
      if (site.call.name.includes('Sticky')) return `${site.call.name}: kept for every app to read`;
      const permission = site.call.descriptor.startsWith('(Landroid/content/Intent;Ljava/lang/String;')
        ? site.numbers(2)
        : [0];
      const isGuarded = permission === null || permission.some((number) => number !== 0);
      if (isGuarded || isExplicit(site, 1) !== false) return null;
      const holds = site
        .otherCallsOn(1)
        .some(({ name, argument }) => argument === 0 && name === 'Landroid/content/Intent;->putExtra');
      return holds ? 'an intent with extras that any app receives' : null;
    },
  },
  {
    code: 'weakness-implicit-service',
    calls: { [context]: 'startService bindService startForegroundService' },
    judge: (site) => (isExplicit(site, 1) === false ? 'any app may answer the intent' : null),
  },
  {
    code: 'weakness-dynamic-receiver',
    calls: { [context]: 'registerReceiver' },
    judge(site) {
      const parts = site.call.descriptor;
      if (parts.includes('Ljava/lang/String;')) {
        const permission = site.numbers(3);
        if (permission === null || permission.some((number) => number !== 0)) return null;
      }
      if (/I\)/.test(parts) && site.numbers(site.count - 1)?.every((flags) => (flags & notExported) !== 0) !== false)
        return null;
      if (site.numbers(1)?.every((receiver) => receiver === 0)) return null;
      const actions = [
        ...site.strings(2),
        ...site
          .otherCallsOn(2)
          .flatMap(({ name, call }) =>
            /^Landroid\/content\/IntentFilter;->(?:<init>|addAction)$/.test(name) ? site.at(call).strings(1) : [],
          ),
      ];
      const own = actions.find((action) => !/^(?:android|com\.android|com\.google\.android)\./.test(action));
      return own === undefined ? null : `any app can send "${own}"`;
    },
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
    code: 'weakness-webview-input',
    calls: { 'Landroid/webkit/WebView;': 'loadUrl loadData loadDataWithBaseURL evaluateJavascript postUrl' },
    judge(site) {
      for (let argument = 1; argument < Math.min(site.count, 3); argument++) {
        const origin = site.origins(argument).find((each) => isCallOf(each, intentInputs));
        if (origin?.kind !== 'call') continue;
        const isChecked = site.isBeside(/->(?:getHost|startsWith|matches|equals|endsWith|getScheme|contains)$/);
        if (!isChecked) return `shows what ${simple(origin.call.owner)}.${origin.call.name}() brings`;
      }
      return null;
    },
  },
  {
    code: 'weakness-webview-settings',
    calls: {
      'Landroid/webkit/WebSettings;':
        'setAllowFileAccess setAllowFileAccessFromFileURLs setAllowUniversalAccessFromFileURLs setAllowContentAccess setMixedContentMode',
    },
    judge(site) {
      const { name } = site.call;
      const values = site.numbers(1);
      if (name === 'setMixedContentMode') return values?.includes(0) ? 'MIXED_CONTENT_ALWAYS_ALLOW' : null;
      return values?.includes(1) ? `${name}(true)` : null;
    },
  },
  {
    code: 'weakness-javascript-interface',
    calls: { 'Landroid/webkit/WebView;': 'addJavascriptInterface' },
    judge: (site) =>
      site.facts.minSdkVersion < 17
        ? `below Android 4.2 pages reach every method of the object; min SDK is ${site.facts.minSdkVersion}`
        : null,
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
    code: 'weakness-plain-http',
    calls: { 'Ljava/net/URL;': '<init>' },
    judge: (site) =>
      firstOf(site.strings(1), (text) =>
        /^http:\/\/(?!localhost|127\.|10\.|192\.168\.|\[?::1|schemas\.|www\.w3\.org|xmlpull|java\.sun|xml\.)/.test(text)
          ? `"${text}"`
          : null,
      ),
  },
  {
    code: 'weakness-ssl-socket',
    calls: { 'Ljavax/net/ssl/SSLSocketFactory;': 'createSocket', 'Ljavax/net/SocketFactory;': 'createSocket' },
    judge(site) {
      if (site.call.owner.endsWith('/SocketFactory;') && !site.origins(0).some((origin) => isCallOf(origin, /SSL/)))
        return null;
      const checks = /->verify$|->setEndpointIdentificationAlgorithm$|->setHostname$/;
      // A factory of the app's own hands the socket on to who checks.
      const isFactory = /createSocket/.test(site.method.name);
      return isFactory || site.isBeside(checks) ? null : 'nothing checks the name in the certificate';
    },
  },
  {
    code: 'weakness-calling-permission',
    calls: { [context]: 'checkCallingOrSelfPermission enforceCallingOrSelfPermission checkCallingOrSelfUriPermission' },
    judge: (site) => `${site.call.name}() is true for whatever the app itself holds`,
  },
];

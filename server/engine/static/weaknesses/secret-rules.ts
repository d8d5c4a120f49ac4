// Passwords and keys that code holds: given to what asks for one, sent along, or held against what somebody types.
import { type CallRule, isLogInKey, isOneOf, isSecretKey, privateFields, typed } from './call-rule.ts';
import type { CallSite } from './call-site.ts';
import { isPassword } from './secrets.ts';

/** What other apps, and links, name by a key. */
const asked = { 'Landroid/content/Intent;': 'getStringExtra', 'Landroid/net/Uri;': 'getQueryParameter' };

/** Methods that take a password, by its place among the arguments, the receiver being 0 unless the call is static. */
const logIns: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  1: {
    'Lokhttp3/Credentials;': 'basic',
    'Lcom/jcraft/jsch/Session;': 'setPassword',
    'Lorg/eclipse/paho/client/mqttv3/MqttConnectOptions;': 'setPassword',
    'Lnet/lingala/zip4j/core/ZipFile;': 'setPassword',
  },
  2: {
    'Ljava/sql/DriverManager;': 'getConnection',
    'Ljava/net/PasswordAuthentication;': '<init>',
    'Ljavax/mail/PasswordAuthentication;': '<init>',
    'Landroid/webkit/HttpAuthHandler;': 'proceed',
    'Lorg/apache/commons/net/ftp/FTPClient;': 'login',
    'Lorg/apache/http/auth/UsernamePasswordCredentials;': '<init>',
    'Lnet/lingala/zip4j/ZipFile;': '<init>',
  },
};

/** Methods that open something encrypted. */
const openings: Readonly<Record<string, string>> = {
  'Lnet/sqlcipher/database/SQLiteOpenHelper;': 'getWritableDatabase getReadableDatabase',
  'Lnet/sqlcipher/database/SQLiteDatabase;': 'openOrCreateDatabase openDatabase',
  'Lnet/sqlcipher/database/SupportFactory;': '<init>',
  'Lnet/zetetic/database/sqlcipher/SQLiteDatabase;': 'openOrCreateDatabase openDatabase',
  'Lnet/zetetic/database/sqlcipher/SupportOpenHelperFactory;': '<init>',
  'Lio/realm/RealmConfiguration$Builder;': 'encryptionKey',
};

/** A constant password; null for empty ones, anonymous log-ins and e-mail addresses. */
function passwordIn(site: CallSite, argument: number): string | null {
  const text = site.constant(argument);
  return text === null || /^(?:0|""|"(?:anonymous|guest)"|"[^"]*@.*)$/i.test(text) ? null : text;
}

export const secretRules: readonly CallRule[] = [
  {
    code: 'weakness-constant-key',
    calls: openings,
    judge(site) {
      const text = site.count > 1 ? passwordIn(site, 1) : null;
      return text === null ? null : `the key is ${text}`;
    },
  },
  ...Object.entries(logIns).map(
    ([place, calls]): CallRule => ({
      code: 'weakness-secret',
      calls,
      judge(site) {
        const text = site.count > Number(place) ? passwordIn(site, Number(place)) : null;
        return text === null ? null : { evidence: `the password is ${text}`, severity: 'medium' };
      },
    }),
  ),
  {
    code: 'weakness-credential',
    calls: {
      'Ljava/lang/String;': 'equals equalsIgnoreCase contentEquals',
      'Landroid/text/TextUtils;': 'equals',
      'Lkotlin/jvm/internal/Intrinsics;': 'areEqual',
    },
    beside: { methods: { ...typed, ...asked }, fields: `${privateFields} username userName` },
    judge(site) {
      for (const [one, other] of [
        [0, 1],
        [1, 0],
      ] as const) {
        const text = site.constant(one);
        if (text === null || text.length < 5) continue;
        const [value] = site.strings(one);
        for (const origin of site.origins(other)) {
          if (isOneOf(origin, typed)) return `what is typed is compared with ${text}`;
          if (origin.kind !== 'call' || !isOneOf(origin, asked)) continue;
          const key = site.keyOf(origin) ?? '';
          if (isLogInKey(key) || (/key|code/i.test(key) && isPassword(value ?? '')))
            return `"${key}" is compared with ${text}`;
        }
      }
      return null;
    },
  },
  {
    code: 'weakness-secret',
    in: ({ name }) => /cred|passw|login|secret|auth/i.test(name),
    calls: {
      'Ljava/util/Map;': 'put',
      'Ljava/util/HashMap;': 'put',
    },
    judge(site) {
      const text = site.strings(2).find(isPassword);
      return text === undefined || site.constant(2) === null ? null : { evidence: `"${text}"`, severity: 'medium' };
    },
  },
  {
    code: 'weakness-secret',
    calls: {
      'Lokhttp3/HttpUrl$Builder;': 'addQueryParameter',
      'Lokhttp3/Request$Builder;': 'addHeader header',
      'Ljava/net/URLConnection;': 'setRequestProperty addRequestProperty',
      'Ljava/net/HttpURLConnection;': 'setRequestProperty addRequestProperty',
      'Landroid/net/Uri$Builder;': 'appendQueryParameter',
      'Lorg/json/JSONObject;': 'put',
    },
    judge(site) {
      const key = site
        .strings(1)
        .find((text) => isSecretKey(text) || /^(?:authorization|x-api-key|api_?key)$/i.test(text));
      if (key === undefined || site.constant(2) === null) return null;
      const text = site.strings(2).find((value) => isPassword(value.replace(/^(?:Basic|Bearer) /, '')));
      return text === undefined ? null : { evidence: `"${key}" is "${text}"`, severity: 'medium' };
    },
  },
];

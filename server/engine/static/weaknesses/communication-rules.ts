// What crosses the border of the app: intents, broadcasts, web views, connections.
import type { Origin } from '../../code/origins.ts';
import {
  type CallRule,
  context,
  firstOf,
  inPageMethod,
  isCallOf,
  isSecretKey,
  privateIn,
  simple,
} from './call-rule.ts';
import type { CallSite } from './call-site.ts';

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

/** Whether an address can only be one that no other device reaches. */
function isLoopback(site: CallSite, argument: number): boolean {
  const origins = site.origins(argument);
  return (
    origins.length > 0 &&
    origins.every((origin) => {
      const texts =
        origin.kind === 'constant'
          ? [origin.text]
          : isCallOf(origin, /^Ljava\/net\/InetAddress;->getByName$/) && origin.kind === 'call'
            ? site.at(origin.call).strings(0)
            : [];
      return (
        isCallOf(origin, /^Ljava\/net\/InetAddress;->getLoopbackAddress$/) ||
        texts.some((text) => /^"?(?:localhost|127\.|::1|ip6-localhost)/.test(text))
      );
    })
  );
}

/** A verifier of host names that takes any: Apache's constant, or its class. */
const takesAnyName = (origin: Origin): boolean =>
  (origin.kind === 'field' && /->ALLOW_ALL_HOSTNAME_VERIFIER(?::|$)/.test(origin.field)) ||
  (origin.kind === 'object' && /\/(?:AllowAllHostnameVerifier|NoopHostnameVerifier);$/.test(origin.type));

export const communicationRules: readonly CallRule[] = [
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
      if (!site.isInExported() || inPageMethod(site.method)) return null;
      const passed = site
        .origins(1)
        .find((origin) =>
          isCallOf(
            origin,
            /^Landroid\/(?:content\/Intent|os\/(?:Base)?Bundle);->get(?:Parcelable(?:Extra)?|SerializableExtra)?$|^Landroid\/content\/Intent;->(?:parseUri|getIntent)$/,
          ),
        );
      const checks =
        /->(?:getCallingActivity|getCallingPackage|resolveActivity|getComponent|getPackage|sanitize\w*|checkSignatures|setComponent|setPackage)$/;
      if (
        passed?.kind !== 'call' ||
        site.isChecked(passed, checks) ||
        site.isBeside(/->(?:getCalling\w+|checkSignatures)$/)
      )
        return null;
      return `the intent comes from ${simple(passed.call.owner)}.${passed.call.name}()`;
    },
  },
  {
    code: 'weakness-implicit-broadcast',
    calls: {
      [context]:
        'sendBroadcast sendOrderedBroadcast sendStickyBroadcast sendStickyOrderedBroadcast startActivity startService startForegroundService',
      'Landroid/app/Activity;': 'startActivity startActivityForResult',
    },
    judge(site) {
      if (site.call.name.includes('Sticky')) return `${site.call.name}: kept for every app to read`;
      const permission = /^\(Landroid\/content\/Intent;(?:Landroid\/os\/UserHandle;)?Ljava\/lang\/String;/.test(
        site.call.descriptor,
      )
        ? site.numbers(2)
        : [0];
      const isGuarded = permission === null || permission.some((number) => number !== 0);
      if (isGuarded || isExplicit(site, 1) !== false) return null;
      const extras = site
        .otherCallsOn(1)
        .filter(({ name, argument }) => argument === 0 && name === 'Landroid/content/Intent;->putExtra');
      const secret = firstOf(extras, ({ call }) => {
        const extra = site.at(call);
        return (
          privateIn(extra, 2) ??
          extra.strings(1).find(isSecretKey) ??
          firstOf(extra.origins(2), (origin) =>
            origin.kind === 'object' ? extra.fieldOf(origin.type, isSecretKey) : null,
          )
        );
      });
      if (secret !== null) return { evidence: `any app receives ${secret}`, severity: 'medium' };
      // Screens and services are often meant to be another app's.
      if (!site.call.name.startsWith('send')) return null;
      if (site.call.name.startsWith('sendOrdered')) return 'any app receives the intent and changes its answer';
      return extras.length > 0 ? 'an intent with extras that any app receives' : null;
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
    code: 'weakness-plain-http',
    calls: {
      'Ljava/net/URL;': '<init>',
      'Lorg/apache/http/client/methods/HttpGet;': '<init>',
      'Lorg/apache/http/client/methods/HttpPost;': '<init>',
      'Lorg/apache/http/client/methods/HttpPut;': '<init>',
      'Lokhttp3/Request$Builder;': 'url',
      'Lokhttp3/HttpUrl$Builder;': 'scheme',
      'Lretrofit2/Retrofit$Builder;': 'baseUrl',
      'Landroid/webkit/WebView;': 'loadUrl postUrl',
      'Landroid/webkit/CookieManager;': 'setCookie',
    },
    judge: (site) =>
      firstOf(site.strings(1), (text) =>
        text === 'http' ||
        /^http:\/\/(?!localhost|127\.|\[?::1|schemas\.|www\.w3\.org|xmlpull|java\.sun|xml\.)/.test(text)
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
    calls: {
      [context]:
        'checkCallingOrSelfPermission enforceCallingOrSelfPermission checkCallingOrSelfUriPermission checkPermission enforcePermission',
    },
    judge(site) {
      if (site.call.name.includes('OrSelf')) return `${site.call.name}() is true for whatever the app itself holds`;
      const isOwn =
        site.origins(2).some((origin) => isCallOf(origin, /^Landroid\/os\/Process;->myPid$/)) ||
        (/^(?:onCreate|onBind|onStart|onStartCommand|onReceive|onHandleIntent|handleMessage)$/.test(site.method.name) &&
          site.origins(2).some((origin) => isCallOf(origin, /^Landroid\/os\/Binder;->getCallingPid$/)));
      return isOwn ? `${site.call.name}() asks about this app, whoever called` : null;
    },
  },
  {
    code: 'weakness-hostname-verifier',
    calls: {
      'Ljavax/net/ssl/HttpsURLConnection;': 'setHostnameVerifier setDefaultHostnameVerifier',
      'Lorg/apache/http/conn/ssl/SSLSocketFactory;': 'setHostnameVerifier',
      'Lorg/apache/http/conn/ssl/SSLConnectionSocketFactory;': '<init>',
      'Lorg/apache/http/impl/client/HttpClientBuilder;': 'setSSLHostnameVerifier',
      'Lokhttp3/OkHttpClient$Builder;': 'hostnameVerifier',
    },
    judge: (site) => (site.origins(site.count - 1).some(takesAnyName) ? 'a verifier that takes any name' : null),
  },
  {
    code: 'weakness-trust-manager',
    calls: { 'Landroid/net/SSLCertificateSocketFactory;': 'getInsecure' },
    judge: () => 'its sockets check nothing',
  },
  {
    code: 'weakness-deserialization',
    calls: {
      'Landroid/content/Intent;': 'getSerializableExtra',
      'Landroid/os/Bundle;': 'getSerializable',
      'Ljava/io/ObjectInputStream;': 'readObject readUnshared',
    },
    judge(site) {
      if (!site.call.owner.includes('ObjectInputStream'))
        return site.isInExported() && !site.call.descriptor.includes('Ljava/lang/Class;')
          ? 'another app chooses the class of the object'
          : null;
      const foreign = /->(?:getInputStream|openInputStream|getExternal\w+|accept)$|^Landroid\/content\/Intent;->get/;
      return site.isBeside(foreign) ? 'the object comes from outside the app' : null;
    },
  },
  {
    code: 'weakness-result-intent',
    calls: { 'Landroid/app/Activity;': 'setResult' },
    judge(site) {
      if (site.count < 3 || !site.isInExported()) return null;
      const isForeign = site
        .origins(2)
        .some(
          (origin) =>
            isCallOf(origin, /->(?:getIntent|getParcelableExtra)$/) ||
            (origin.kind === 'parameter' && origin.method.name === 'onActivityResult' && origin.place === 3),
        );
      return isForeign ? 'the intent of the other app, with the access that it asks for' : null;
    },
  },
  {
    code: 'weakness-open-port',
    calls: { 'Ljava/net/ServerSocket;': '<init>' },
    judge(site) {
      if (site.count === 1 || (site.count === 4 && isLoopback(site, 3))) return null;
      const port = site.numbers(1)?.join(' or ');
      return `listens on ${port === undefined || port === '0' ? 'a port' : `port ${port}`} of every network`;
    },
  },
  {
    code: 'weakness-plain-socket',
    calls: { 'Ljava/net/Socket;': '<init>' },
    judge(site) {
      if (site.count < 3 || isLoopback(site, 1) || site.isBeside(/^Ljavax\/net\/ssl\//)) return null;
      const host = site.constant(1);
      return `connects to ${host ?? 'a host'} without TLS`;
    },
  },
  {
    code: 'weakness-old-tls',
    calls: {
      'Ljavax/net/ssl/SSLContext;': 'getInstance',
      'Ljavax/net/ssl/SSLSocket;': 'setEnabledProtocols setEnabledCipherSuites',
    },
    judge(site) {
      const weak = site
        .strings(site.call.name === 'getInstance' ? 0 : 1)
        .find((text) => /^(?:SSLv[23](?:Hello)?|TLSv1(?:\.1)?)$|_(?:NULL|anon|EXPORT|RC4|DES)_/.test(text));
      return weak === undefined ? null : `"${weak}" is broken`;
    },
  },
];
